"""What a query answered on many instances at once, in canonical form. Pure arrays, no engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

UNSURE = "another choice that SQL leaves open may give another answer"
"""The error of a high reading on instances where low and high agree and yet do not settle the answer."""


class Kind(IntEnum):
    """The kind of a cell. Text never equals a number; NULL only equals NULL."""

    NULL = 0
    INTEGER = 1
    REAL = 2
    TEXT = 3
    BLOB = 4


@dataclass(frozen=True, slots=True)
class Cells:
    """One column of an answer over all instances, one entry per row.

    Attributes:
        kind: uint8, a ``Kind`` per row.
        number: float64, the value of INTEGER and REAL cells; for TEXT the number it spells (NaN where it spells
            none); else 0.
        code: uint64, equal exactly where two cells are the same value: numbers of one value have one code
            whatever their kind (1, 1.0 and -0.0, 0.0; every NaN alike), integers beyond 2**53 keep a code of
            their own, text and blobs are hashed. NULL has one code.
    """

    kind: NDArray[np.uint8]
    number: NDArray[np.float64]
    code: NDArray[np.uint64]


@dataclass(frozen=True)
class Answer:
    """The denotations of one query on ``instances`` instances.

    Rows stand grouped by instance, ascending. Where the query's outermost ORDER BY or LIMIT matters, the rows
    are those *before* the cut plus the whole tie group that the cut goes through, and ``rank`` tells the ties.

    Attributes:
        instances: how many instances were asked; positions 0 .. instances - 1.
        instance: int32, the position of the instance of each row.
        columns: the selected columns, in order (never the sort keys).
        names: the column names the engine gave, same length as ``columns``.
        ordered: whether the outermost query has an ORDER BY.
        rank: int64, where ordered: 1 + the number of rows of that instance strictly before the row under the
            sort keys (SQL's RANK), so rows of one tie group share a rank. None where not ordered (all one tie).
        limit: rows asked for by the outermost LIMIT, None without one. Not yet applied to the rows.
        offset: rows skipped by the outermost OFFSET. Not yet applied.
        errors: instances on which the query failed, with the engine's message; they have no rows.
    """

    instances: int
    instance: NDArray[np.int32]
    columns: tuple[Cells, ...]
    names: tuple[str, ...] = ()
    ordered: bool = False
    rank: NDArray[np.int64] | None = None
    limit: int | None = None
    offset: int = 0
    errors: Mapping[int, str] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Rows over all instances."""
        return len(self.instance)
