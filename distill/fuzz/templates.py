"""What is planted for a gold: rows that meet all it asks for, that miss just one condition, that lack one partner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from distill.fuzz.shapes import Condition, Shape, few, repeated, single_rows
from testsuite.schema import Schema

# Rows per instance that miss one condition of a gold, at most, on average.
MISSES = 5.0


@dataclass(frozen=True, slots=True)
class Template:
    """A shape to plant, and the share of a gold's instances that get it."""

    shape: Shape
    rate: float


def templates_of(shapes: Sequence[Shape], schema: Schema) -> list[Template]:
    """What to plant for one gold."""
    found: list[Template] = []
    for shape in shapes:
        full = 0.9 if len(shapes) == 1 else 0.6
        groups = [shape]
        if shape.counts:
            sizes = {max(1, n + d) for n in few(shape.counts) for d in (-1, 0, 1)}
            groups = [repeated(shape, n, schema) for n in sorted(sizes)]
        groups += _totals(shape, schema)
        found += [Template(group, full) for group in groups]
        found += [Template(_settled(extra, schema), 0.5) for extra in shape.absent]
        misses = _misses(shape)
        # However many conditions there are, each is missed somewhere.
        found += [Template(missed, min(0.35, MISSES / len(misses))) for missed in misses]
        found += [Template(alone, 0.3) for alone in _partners_missing(shape)[:3]]
    return found


def _settled(shape: Shape, schema: Schema) -> Shape:
    return repeated(shape, max(few(shape.counts)), schema) if shape.counts else shape


def _totals(shape: Shape, schema: Schema) -> list[Shape]:
    """Groups of two rows whose sum is what HAVING SUM compares with, and one more, though neither row reaches it."""
    found = []
    for place, total in shape.totals:
        if place[0] in single_rows(shape, schema):
            continue
        kept = tuple(c for c in shape.conditions if c.place != place)
        pair = repeated(replace(shape, conditions=kept), 2, schema)
        copies = [place[0]] + [
            o for o in range(len(shape.tables), len(pair.tables)) if pair.tables[o] == pair.tables[place[0]]
        ]
        for more in (0, 1):
            parts = zip(copies, (total // 2, total - total // 2 + more), strict=False)
            exact = tuple(Condition((o, place[1]), f"v = {part}") for o, part in parts)
            found.append(replace(pair, conditions=pair.conditions + exact))
    return found


def _misses(shape: Shape) -> list[Shape]:
    return [
        replace(
            shape,
            conditions=(
                *shape.conditions[:i],
                replace(condition, sql=f"({condition.sql}) IS NOT TRUE"),
                *shape.conditions[i + 1 :],
            ),
        )
        for i, condition in enumerate(shape.conditions)
    ]


def _partners_missing(shape: Shape) -> list[Shape]:
    """The shape without one of its joined rows."""
    found = []
    for gone in range(len(shape.tables)):
        if len(shape.tables) < 2:
            break
        found.append(
            replace(
                shape,
                equals=tuple((a, b) for a, b in shape.equals if gone not in (a[0], b[0])),
                conditions=tuple(c for c in shape.conditions if c.place[0] != gone),
                tables=(*shape.tables[:gone], "", *shape.tables[gone + 1 :]),
            )
        )
    return found
