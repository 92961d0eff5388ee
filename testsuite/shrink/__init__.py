"""Shrinking one instance while a property holds: fewest rows, then the simplest values. Pure, no engine.

bounds      which contents are legal: keys, references, NOT NULL, CHECKs, the NULL policy, types of columns
rows        rows left out, in blocks and one by one
values      cells made simpler
simple      what is simpler than what
rules       keys and references that instances keep, judged against the shipped content
checks      which rows break a CHECK
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from testsuite.shrink.bounds import Bounds, Content, frozen
from testsuite.shrink.rows import Holds, row_count, shrink_rows
from testsuite.shrink.values import shrink_values
from testsuite.suite.stack import Row, Value

_LARGE = 100


def shrink(content: Mapping[str, Sequence[Row]], holds: Holds, bounds: Bounds, batch: int = 128) -> Content:
    """The content with the fewest rows and the simplest values found for which the property still holds.

    No single row can be left out of the result (with the rows that refer to it) without losing the property or
    breaking a rule. Rows stand sorted where that keeps the property. The same arguments give the same result.

    Args:
        content: rows by table name; legal, and the property holds for it.
        holds: tells of several contents at once whether the property holds for each. It must not depend on the
            order in which it is asked.
        bounds: what is legal.
        batch: most contents asked about at once.

    Raises:
        ValueError: ``content`` is not legal, or the property does not hold for it.
    """
    start = frozen(content, bounds.schema)
    wrong = bounds.violation(start)
    if wrong:
        raise ValueError(f"the content to shrink is not legal: {wrong}")
    if not holds([start])[0]:
        raise ValueError("the property does not hold for the content to shrink")
    size = row_count(start)
    if size > _LARGE:
        # Rows that have become alike are left out many at once.
        start = shrink_rows(start, holds, bounds, batch, finest=size // 16)
        start = shrink_values(start, holds, bounds, batch)
    smallest = shrink_rows(start, holds, bounds, batch)
    while True:
        simpler = shrink_values(smallest, holds, bounds, batch)
        smaller = shrink_rows(simpler, holds, bounds, batch)
        if row_count(smaller) == row_count(simpler):
            break
        smallest = smaller
    tidy = {name: tuple(sorted(rows, key=_reading_order)) for name, rows in simpler.items()}
    return tidy if holds([tidy])[0] else simpler


def _reading_order(row: Row) -> tuple[tuple[bool, str, Value], ...]:
    return tuple((value is None, type(value).__name__, 0 if value is None else value) for value in row)


__all__ = ["Bounds", "Content", "Holds", "frozen", "row_count", "shrink", "shrink_rows", "shrink_values"]
