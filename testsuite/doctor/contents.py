"""What the instances of a suite hold in one column: NULLs, and texts that spell numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from testsuite.schema import Schema
from testsuite.suite import Stack
from testsuite.suite.stack import looks_numeric

Origin = tuple[str, str]
"""A column of the schema: table and column, lower case."""

# Texts such as "n/a" among numbers don't make a column less numeric.
_LEAST_NUMERIC = 0.9


@dataclass(frozen=True, slots=True)
class NumericTexts:
    """A text column whose contents look numeric.

    Attributes:
        inverted: two of its texts that text order has the wrong way round ('10' before '9'), of the shipped instance
            where that holds such two; None where no instance does.
        generated: whether only instances other than the shipped one hold such two.
    """

    inverted: tuple[str, str] | None
    generated: bool = False


@dataclass
class Contents:
    """The contents of a stack, column by column, looked at once.

    Args:
        stack: the instances.
        shipped: the position of the instance that comes with the benchmark, None where there is none.
    """

    stack: Stack
    shipped: int | None = None
    _nulls: dict[Origin, int] = field(default_factory=dict)
    _numeric: dict[Origin, NumericTexts | None] = field(default_factory=dict)

    @property
    def schema(self) -> Schema:
        """The schema of all instances."""
        return self.stack.schema

    def nulls(self, origin: Origin) -> int:
        """In how many instances the column holds NULL."""
        if origin not in self._nulls:
            instance, cells = self._column(origin)
            empty = pc.is_null(cells).to_numpy(zero_copy_only=False)
            # A dirty cell reads as NULL here but holds a value.
            counts = np.bincount(instance[empty], minlength=self.stack.count)
            for cell in self.stack.dirty:
                if (cell.table.lower(), cell.column.lower()) == origin:
                    counts[cell.instance] -= 1
            self._nulls[origin] = int((counts > 0).sum())
        return self._nulls[origin]

    def nullable(self, origin: Origin) -> bool:
        """Whether the schema lets the column hold NULL."""
        table = self.schema.table(origin[0])
        return not table.column(origin[1]).not_null

    def numeric_texts(self, origin: Origin) -> NumericTexts | None:
        """What a column of texts holds, where it looks numeric: two or more numbers, and hardly anything else.

        A column of numeric affinity never holds such texts, SQLite turns them into numbers.
        The shipped instance decides where it holds two texts, since generated contents are partly arbitrary.
        """
        if origin not in self._numeric:
            self._numeric[origin] = self._numeric_texts(origin)
        return self._numeric[origin]

    def _numeric_texts(self, origin: Origin) -> NumericTexts | None:
        instance, cells = self._column(origin)
        if not pa.types.is_string(cells.type):
            return None
        texts = _distinct(cells)
        shipped = [] if self.shipped is None else _distinct(cells.filter(pa.array(instance == self.shipped)))
        deciding = shipped if len(shipped) > 1 else texts
        numbers = [text for text in deciding if looks_numeric(text)]
        if len(numbers) < 2 or len(numbers) < _LEAST_NUMERIC * len(deciding):
            return None
        found = _inverted(shipped)
        if found is not None:
            return NumericTexts(found)
        return NumericTexts(_inverted(texts), self.shipped is not None)

    def _column(self, origin: Origin) -> tuple[np.ndarray, pa.Array]:
        for stacked in self.stack.tables:
            if stacked.table.name.lower() == origin[0]:
                names = [column.name.lower() for column in stacked.table.columns]
                return stacked.instance, stacked.columns[names.index(origin[1])]
        raise KeyError(origin)


def _distinct(cells: pa.Array) -> list[str]:
    """The different texts of a column that are not blank."""
    return [text for text in pc.unique(cells).to_pylist() if text is not None and text.strip()]


def _inverted(texts: list[str]) -> tuple[str, str] | None:
    """Two numbers of which the greater comes first as text, neighbours in text order."""
    ordered = sorted(text for text in texts if looks_numeric(text))
    return next(((a, b) for a, b in pairwise(ordered) if float(a) > float(b)), None)
