"""Fewer rows: blocks left out, halved until they are single rows (delta debugging, Zeller and Hildebrandt 2002).

Unlike there, all blocks of one size are asked about at once, and those that can go alone are tried together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from distill.shrink.bounds import Bounds, Content, Place

Holds = Callable[[Sequence[Content]], Sequence[bool]]
"""Of several contents at once, whether the property holds for each."""


def row_count(content: Content) -> int:
    """Rows over all tables."""
    return sum(map(len, content.values()))


def shrink_rows(content: Content, holds: Holds, bounds: Bounds, batch: int = 128) -> Content:
    """The content without rows that the property does not need; then no single one can go.

    Args:
        content: legal, and the property holds for it.
        holds: the property.
        bounds: what is legal.
        batch: most contents asked about at once.
    """
    size = max(1, row_count(content) // 2)
    while True:
        smaller = _without_blocks(content, size, holds, bounds, batch)
        if smaller is not None:
            content = smaller
            size = min(size, max(1, row_count(content) // 2))
        elif size == 1:
            return content
        else:
            size //= 2


def ask(candidates: Sequence[Content], holds: Holds, batch: int) -> list[bool]:
    """The property of any number of contents, at most ``batch`` at once."""
    found: list[bool] = []
    for start in range(0, len(candidates), batch):
        found += [bool(value) for value in holds(candidates[start : start + batch])]
    return found


def furthest(parts: Sequence[Content], holds: Holds, batch: int) -> Content | None:
    """The last of these contents, each further than the one before, for which the property holds.

    None where it holds for none. A gallop would ask less often, but never at once.
    """
    verdicts = ask(parts, holds, batch)
    return next((part for part, good in zip(reversed(parts), reversed(verdicts), strict=True) if good), None)


def _without_blocks(content: Content, size: int, holds: Holds, bounds: Bounds, batch: int) -> Content | None:
    """The content without as many blocks of ``size`` rows as can go together; None where none can."""
    places = [(t, n) for t, table in enumerate(bounds.schema.tables) for n in range(len(content[table.name]))]
    blocks = [places[start : start + size] for start in range(0, len(places), size)]
    total = row_count(content)
    trials: list[tuple[list[Place], Content]] = []
    for block in blocks:
        rest = bounds.without(content, block)
        if row_count(rest) < total and bounds.legal(rest):
            trials.append((block, rest))
    verdicts = ask([rest for _, rest in trials], holds, batch)
    passing = [trial for trial, good in zip(trials, verdicts, strict=True) if good]
    if len(passing) < 2:
        return passing[0][1] if passing else None
    gone: list[Place] = []
    together: list[Content] = []
    for block, _ in passing:
        rest = bounds.without(content, [*gone, *block])
        if bounds.legal(rest):
            gone += block
            together.append(rest)
    # Leaving out the first alone is known to be good.
    best = furthest(together[1:], holds, batch)
    return best if best is not None else min((rest for _, rest in passing), key=row_count)
