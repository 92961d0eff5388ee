"""Fewer rows: blocks left out, halved until they are single rows (delta debugging, Zeller and Hildebrandt 2002).

Unlike there, all blocks of one size are asked about at once, and those that can go alone are tried together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from testsuite.shrink.bounds import Bounds, Content, Place
from testsuite.suite.stack import Row

Holds = Callable[[Sequence[Content]], Sequence[bool]]
"""Of several contents at once, whether the property holds for each."""


_PREFIXES = 64


def row_count(content: Content) -> int:
    """Rows over all tables."""
    return sum(map(len, content.values()))


def shrink_rows(content: Content, holds: Holds, bounds: Bounds, batch: int = 128, finest: int = 1) -> Content:
    """The content without rows that the property does not need; then no single one can go.

    Args:
        content: legal, and the property holds for it.
        holds: the property.
        bounds: what is legal.
        batch: most contents asked about at once.
        finest: rows of the smallest block to try; above 1 rows that are not needed may stay.
    """
    size = max(finest, row_count(content) // 2)
    while True:
        smaller = _without_blocks(content, size, holds, bounds, batch)
        if smaller is not None:
            content = smaller
            size = min(size, max(finest, row_count(content) // 2))
        elif size <= finest:
            return content
        else:
            size = max(finest, size // 2)


def ask(candidates: Sequence[Content], holds: Holds, batch: int) -> list[bool]:
    """The property of any number of contents, at most ``batch`` at once."""
    found: list[bool] = []
    for start in range(0, len(candidates), batch):
        found += [bool(value) for value in holds(candidates[start : start + batch])]
    return found


def furthest(parts: Sequence[Content], holds: Holds, batch: int) -> Content | None:
    """The last of these contents, each further than the one before, for which the property holds, or nearly the last.

    None where it holds for none of those asked about: of many, some that are evenly spread and the last.
    """
    step = -(-len(parts) // _PREFIXES) or 1
    asked = list(reversed(parts))[::step]
    verdicts = ask(asked, holds, batch)
    return next((part for part, good in zip(asked, verdicts, strict=True) if good), None)


def _without_blocks(content: Content, size: int, holds: Holds, bounds: Bounds, batch: int) -> Content | None:
    """The content without as many blocks of ``size`` rows as can go together; None where none can."""
    places = [(t, n) for t, table in enumerate(bounds.schema.tables) for n in range(len(content[table.name]))]
    blocks = [places[start : start + size] for start in range(0, len(places), size)]
    total = row_count(content)
    # Where many rows are alike, many blocks are too: one of them is asked about.
    alike: dict[tuple[frozenset[tuple[Row, int]], ...], list[list[Place]]] = {}
    trials: list[Content] = []
    for block in blocks:
        rest = bounds.without(content, block)
        key = tuple(frozenset(Counter(rows).items()) for rows in rest.values())
        if key in alike:
            alike[key].append(block)
        elif row_count(rest) < total and bounds.legal(rest):
            alike[key] = [block]
            trials.append(rest)
    verdicts = ask(trials, holds, batch)
    passing = [block for own, good in zip(alike.values(), verdicts, strict=True) if good for block in own]
    if not passing:
        return None
    gone: list[Place] = []
    together: list[Content] = []
    for block in passing:
        rest = bounds.without(content, [*gone, *block])
        if bounds.legal(rest):
            gone += block
            together.append(rest)
    # Leaving out the first alone is known to be good.
    best = furthest(together[1:], holds, batch)
    alone = (rest for rest, good in zip(trials, verdicts, strict=True) if good)
    return best if best is not None else min(alone, key=row_count)
