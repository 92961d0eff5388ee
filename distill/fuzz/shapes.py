"""What rows a gold asks for: its tables, which columns must be equal, which conditions single columns must meet.

A shape is a recipe for one witness: one row per occurrence of a table, such that joins and conditions hold. It
is a help for planting, not a meaning: what it does not understand it leaves to chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from testsuite.schema import Schema

Place = tuple[int, str]  # occurrence in the shape, column name in lower case


@dataclass(frozen=True, slots=True)
class Condition:
    """A predicate on one column, as SQLite text over the name ``v``, with the constants it mentions."""

    place: Place
    sql: str
    constants: tuple[int | float | str, ...] = ()
    patterns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """A recipe for the rows of one witness.

    Attributes:
        tables: the table (lower case) of each occurrence.
        equals: pairs of places that hold the same value.
        conditions: what single places must meet.
        outputs: the place of each selected item, None where it is not a plain column.
        absent: shapes that extend this one with rows that make a NOT IN, NOT EXISTS or EXCEPT bite.
        grouped: places of GROUP BY.
        counts: how many rows per group HAVING speaks of.
        totals: places whose sum per group HAVING compares, with the number it is compared with.
    """

    tables: tuple[str, ...] = ()
    equals: tuple[tuple[Place, Place], ...] = ()
    conditions: tuple[Condition, ...] = ()
    outputs: tuple[Place | None, ...] = ()
    absent: tuple[Shape, ...] = ()
    grouped: tuple[Place, ...] = ()
    counts: tuple[int, ...] = ()
    totals: tuple[tuple[Place, int], ...] = ()


# Groups of more rows than this are not planted row by row (see ``distill.fuzz.crowds``).
FEW = 8


def few(counts: Sequence[int]) -> list[int]:
    """The counts that a shape can spell out, the larger ones as the largest of these."""
    return [min(n, FEW) for n in counts]


def shifted(shape: Shape, by: int) -> Shape:
    def move(place: Place) -> Place:
        return place[0] + by, place[1]

    return replace(
        shape,
        equals=tuple((move(a), move(b)) for a, b in shape.equals),
        conditions=tuple(replace(c, place=move(c.place)) for c in shape.conditions),
        outputs=tuple(move(o) if o else None for o in shape.outputs),
        absent=tuple(shifted(a, by) for a in shape.absent),
        grouped=tuple(move(g) for g in shape.grouped),
        totals=tuple((move(place), number) for place, number in shape.totals),
    )


def merged(left: Shape, right: Shape, links: Sequence[tuple[Place | None, Place | None]] = ()) -> Shape:
    """Both shapes side by side; ``links`` pair places of left with places of right (before moving)."""
    by = len(left.tables)
    moved = shifted(right, by)
    joined = tuple((a, (b[0] + by, b[1])) for a, b in links if a is not None and b is not None)
    return replace(
        left,
        tables=left.tables + moved.tables,
        equals=left.equals + moved.equals + joined,
        conditions=left.conditions + moved.conditions,
        absent=left.absent,
    )


def closure(shape: Shape, places: Sequence[Place]) -> set[Place]:
    """All places that hold the same value as one of the given ones."""
    reached, grown = set(places), True
    while grown:
        grown = False
        for a, b in shape.equals:
            if (a in reached) != (b in reached):
                reached |= {a, b}
                grown = True
    return reached


def single_rows(shape: Shape, schema: Schema) -> set[int]:
    """The occurrences of which a group of the shape's GROUP BY has one row: those whose key the group determines."""
    group = closure(shape, shape.grouped)
    keys = [schema.table(t).primary_key for t in shape.tables]
    single = {i for i, key in enumerate(keys) if key and all((i, column.lower()) in group for column in key)}
    if not single:
        single = {place[0] for place in shape.grouped}
    return single if len(single) < len(shape.tables) else set()


def repeated(shape: Shape, times: int, schema: Schema) -> Shape:
    """The shape with ``times`` rows in one group of its GROUP BY, ``single_rows`` apart."""
    single = single_rows(shape, schema)
    tables, equals, conditions = list(shape.tables), list(shape.equals), list(shape.conditions)
    for _ in range(times - 1):
        moved = {i: i for i in single}
        for i, table in enumerate(shape.tables):
            if i not in single:
                moved[i] = len(tables)
                tables.append(table)
        for a, b in shape.equals:
            if a[0] not in single or b[0] not in single:
                equals.append(((moved[a[0]], a[1]), (moved[b[0]], b[1])))
        equals += [(g, (moved[g[0]], g[1])) for g in shape.grouped if g[0] not in single]
        conditions += [
            replace(c, place=(moved[c.place[0]], c.place[1])) for c in shape.conditions if c.place[0] not in single
        ]
    return replace(
        shape, tables=tuple(tables), equals=tuple(equals), conditions=tuple(conditions), counts=(), totals=()
    )


def settled(shape: Shape, schema: Schema) -> Shape:
    """The shape with the rows its HAVING COUNT asks for, to be merged into another."""
    if not shape.counts:
        return shape
    return repeated(shape, min(max(few(shape.counts)) + 1, 6), schema)


def same_entity(left: Shape, right: Shape) -> Shape | None:
    """INTERSECT by way of one and the same row of the table the output comes from, with its other rows apart."""
    if len(left.tables) < 2 or len(right.tables) < 2 or not left.outputs or not right.outputs:
        return None
    a, b = left.outputs[0], right.outputs[0]
    if a is None or b is None or left.tables[a[0]] != right.tables[b[0]] or a[1] != b[1]:
        return None
    both = merged(left, right)
    by = len(left.tables)
    gone, kept = b[0] + by, a[0]

    def move(place: Place) -> Place:
        occurrence = kept if place[0] == gone else place[0]
        return (occurrence - (occurrence > gone), place[1])

    return replace(
        both,
        tables=both.tables[:gone] + both.tables[gone + 1 :],
        equals=tuple((move(x), move(y)) for x, y in both.equals),
        conditions=tuple(replace(c, place=move(c.place)) for c in both.conditions),
    )
