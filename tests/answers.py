"""Build answers by hand, and a slow, plain oracle of when one answers the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from testsuite.compare import Answer, cells_from_python

Value = int | float | str | bytes | None
Row = tuple[Value, ...]


@dataclass(frozen=True)
class Result:
    """A query's result on one instance: tie groups in order (one group where there is no ORDER BY)."""

    groups: tuple[tuple[Row, ...], ...]


def answer(
    results: Sequence[Sequence[Sequence[Row]]],
    width: int,
    ordered: bool = False,
    limit: int | None = None,
    offset: int = 0,
    names: Sequence[str] | None = None,
    errors: Mapping[int, str] | None = None,
) -> Answer:
    """An answer from tie groups: ``results[instance][group]`` is a list of rows. As engines do, leaves out what
    lies wholly after the cut."""
    instance, rank, rows = [], [], []
    for number, groups in enumerate(results):
        before = 0
        for group in groups:
            if ordered and limit is not None and before >= offset + limit:
                break
            instance += [number] * len(group)
            rank += [before + 1] * len(group)
            rows += group
            before += len(group)
    columns = list(zip(*rows, strict=True)) if rows else [()] * width
    return Answer(
        len(results),
        np.array(instance, dtype=np.int32),
        tuple(cells_from_python(c) for c in columns),
        tuple(names) if names is not None else tuple(f"c{i}" for i in range(width)),
        ordered,
        np.array(rank, dtype=np.int64) if ordered else None,
        limit,
        offset,
        dict(errors or {}),
    )


def bag(*results: Sequence[Row], width: int | None = None, **options: object) -> Answer:
    """An answer without order: one list of rows per instance."""
    wide = width if width is not None else max((len(row) for rows in results for row in rows), default=1)
    return answer([[rows] for rows in results], wide, **options)  # type: ignore[arg-type]


def ordered(*results: Sequence[Sequence[Row]], width: int | None = None, **options: object) -> Answer:
    """An answer with an order: a list of tie groups per instance."""
    rows = [row for groups in results for group in groups for row in group]
    wide = width if width is not None else max((len(row) for row in rows), default=1)
    return answer(results, wide, ordered=True, **options)  # type: ignore[arg-type]


def _token(value: Value, relative: float) -> object:
    """A stand-in that is equal exactly where values are, for values far apart or within rounding of each other."""
    if value is None or isinstance(value, str | bytes):
        return (type(value).__name__, value)
    return ("number", round(float(value), 6) + 0.0 if relative else float(value))


def sequences(
    groups: Sequence[Sequence[Row]], ordered: bool, limit: int | None, offset: int, relative: float
) -> set[tuple[tuple[object, ...], ...]]:
    """Every answer a query can give on one instance."""
    wanted = [[tuple(_token(v, relative) for v in row) for row in group] for group in groups]
    if not ordered:
        wanted = [[row for group in wanted for row in group]]
    stop = None if limit is None else offset + limit
    return {
        tuple(row for group in choice for row in group)[offset:stop]
        for choice in product(*(set(permutations(group)) for group in wanted))
    }


def admitted(
    gold: set[tuple[tuple[object, ...], ...]], prediction: set[tuple[tuple[object, ...], ...]], gold_ordered: bool
) -> bool:
    """Whether all the prediction can give is something the gold can give."""
    if gold_ordered:
        return prediction <= gold
    return {tuple(sorted(s, key=repr)) for s in prediction} <= {tuple(sorted(s, key=repr)) for s in gold}


def reorder(groups: Sequence[Sequence[Row]], order: Sequence[int]) -> list[list[Row]]:
    """The groups with the columns in another order."""
    return [[tuple(row[i] for i in order) for row in group] for group in groups]
