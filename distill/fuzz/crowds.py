"""Groups of many rows: thresholds such as ``HAVING COUNT(*) > 5000`` need groups just at, below and above them.

A crowd is one group of exactly so many rows. Instances with a crowd are few, one crowd of a gold each, and what all
crowds of a stack hold together is bounded: they are far larger than ordinary instances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from distill.fuzz.shapes import FEW, Shape, single_rows
from testsuite.schema import Schema
from testsuite.shrink.rules import Rules

# Rows that the crowds of one gold, and of all golds together, may have in a stack.
ROWS_PER_GOLD, ROWS_IN_ALL = 60_000, 240_000
COPIES = 3


@dataclass(frozen=True, slots=True)
class Crowd:
    """One group of ``rows`` rows of a shape, in ``copies`` instances. ``single``: occurrences with one row in it."""

    shape: Shape
    rows: int
    copies: int
    single: frozenset[int]


def crowds_of(golds: Sequence[Sequence[Shape]], schema: Schema) -> list[Crowd]:
    """The crowds that golds ask for, each size once per gold, the smallest thresholds first as long as rows last."""
    wanted: list[tuple[int, int, int, Crowd]] = []
    for number, shapes in enumerate(golds):
        sizes: dict[int, Shape] = {}
        for shape in shapes:
            for threshold in shape.counts:
                if threshold > FEW:
                    sizes.update({n: sizes.get(n, shape) for n in (threshold - 1, threshold, threshold + 1)})
        for rows, shape in sizes.items():
            single = frozenset(single_rows(shape, schema))
            many = rows * (len(shape.tables) - len(single))
            copies = min(COPIES, ROWS_PER_GOLD // (len(sizes) * many))
            if copies:
                wanted.append((many, number, rows, Crowd(shape, rows, copies, single)))
    found, left = [], ROWS_IN_ALL
    for many, _, _, crowd in sorted(wanted, key=lambda one: one[:3]):
        if many * crowd.copies > left:
            break
        left -= many * crowd.copies
        found.append(crowd)
    return found


def spare_keys(crowds: Sequence[Crowd], schema: Schema, rules: Rules) -> Mapping[tuple[int, int], int]:
    """Per key column (table and column number) how many values its crowds need beside the ordinary ones."""
    numbers = {table.name.lower(): t for t, table in enumerate(schema.tables)}
    found: dict[tuple[int, int], int] = {}
    for crowd in crowds:
        tables = [numbers[t] for o, t in enumerate(crowd.shape.tables) if t and o not in crowd.single]
        for t in tables:
            keyed = {c for at in rules.keys[t] for c in at}
            places = [(t, c) for c in keyed]
            # A reference that is part of a key needs as many parents.
            places += [
                (r.parent, p)
                for r in rules.hard
                if r.child == t
                for c, p in zip(r.columns, r.parent_columns, strict=True)
                if c in keyed
            ]
            for place in places:
                found[place] = max(found.get(place, 0), crowd.rows * tables.count(t))
    return found
