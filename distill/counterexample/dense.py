"""Contents in which almost everything is equal: one or two values per column, the same simple ones everywhere.

Whatever a query joins, by names, expressions or chains of columns, finds partners here, and groups are as large as
tables, so conditions on counts are met and just missed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlglot import exp

from distill.counterexample.subject import Subject
from distill.fuzz import NullPolicy
from distill.fuzz.cells import coerced, written
from testsuite.query.parse import Unparsed, parse
from testsuite.shrink import Bounds, Content
from testsuite.shrink.simple import key_values, simple_values
from testsuite.suite.stack import Row, Value

_SIZES = (0, 1, 1, 2, 2, 3, 4)
_BIG = (2, 3, 4, 5, 6, 7)
# A group of more rows than this would make a counterexample that nobody can read.
_MOST = 40


@dataclass(frozen=True)
class _Asked:
    """What the two queries mention: constants that each column can hold, and sizes that groups may have to reach."""

    constants: Mapping[tuple[int, int], Sequence[Value]]
    sizes: tuple[int, ...]


def dense_contents(
    subject: Subject, queries: tuple[str, str], nulls: NullPolicy, count: int, rng: np.random.Generator
) -> list[Content]:
    """At most ``count`` legal contents; those that break a rule are left out.

    Args:
        subject: what contents are made for.
        queries: the two queries, whose constants are among the values.
        nulls: where NULL may stand.
        count: contents to make.
        rng: the only source of chance.
    """
    bounds = subject.bounds(nulls)
    asked = _asked(bounds, queries)
    made = (_content(bounds, asked, rng) for _ in range(count))
    return [content for content in made if bounds.legal(content)]


def _asked(bounds: Bounds, queries: tuple[str, str]) -> _Asked:
    found: dict[str | int, None] = {}
    for sql in queries:
        try:
            literals = list(parse(sql).find_all(exp.Literal))
        except Unparsed:
            continue
        for literal in literals:
            text = str(literal.this)
            if literal.is_string:
                found[text] = None
            elif text.isdigit() and len(text) < 16:
                found |= dict.fromkeys((int(text), int(text) + 1, max(0, int(text) - 1)))
    places: dict[tuple[int, int], Sequence[Value]] = {}
    for t, table in enumerate(bounds.schema.tables):
        for c, column in enumerate(table.columns):
            kind = bounds.storages[t][c]
            cells = (written(v, column, kind) for value in found for v in coerced(value, column, kind))
            places[t, c] = list(dict.fromkeys(cell for cell in cells if cell is not None))
    return _Asked(places, tuple(n for n in found if isinstance(n, int) and 1 < n <= _MOST))


def _content(bounds: Bounds, asked: _Asked, rng: np.random.Generator) -> Content:
    content: Content = {table.name: () for table in bounds.schema.tables}
    wide = rng.random() < 0.4
    # Constants let conditions hold, but keep columns that are joined from meeting.
    share = float(rng.choice([0.0, 0.15, 0.6], p=[0.4, 0.3, 0.3]))
    big = int(rng.integers(len(bounds.schema.tables))) if rng.random() < 0.5 else None
    for t in _parents_first(bounds):
        table = bounds.schema.tables[t]
        sizes = _SIZES if big is None else (1,) if t != big else asked.sizes if rng.random() < 0.5 else _BIG
        size = max(bounds.least, int(rng.choice(sizes or _BIG)))
        columns = [
            _column(bounds, t, c, size, wide, asked.constants[t, c] if rng.random() < share else (), rng)
            for c in range(len(table.columns))
        ]
        rows: list[list[Value]] = [list(row) for row in zip(*columns, strict=True)]
        for r in bounds.rules.hard:
            parents = content[bounds.schema.tables[r.parent].name]
            if r.child != t or r.parent == t:
                continue
            if not parents:
                rows = []
            for row in rows:
                chosen = parents[int(rng.integers(len(parents))) if wide else 0]
                for child, parent in zip(r.columns, r.parent_columns, strict=True):
                    row[child] = chosen[parent]
        content[table.name] = _without_repeats(bounds, t, rows)
    return content


def _column(
    bounds: Bounds, t: int, c: int, size: int, wide: bool, constants: Sequence[Value], rng: np.random.Generator
) -> list[Value]:
    if _counted(bounds, t, c):
        return list(key_values(bounds, t, c, [None] * size))
    values: list[Value] = list(simple_values(bounds, t, c, ()))[:2]
    if constants:
        values = [constants[int(rng.integers(len(constants)))] for _ in range(2)]
    if bounds.nullable[t][c] and rng.random() < 0.15:
        values.insert(int(rng.integers(2)), None)
    if not values:
        values = [None]
    if not wide or rng.random() < 0.5:
        return [values[0]] * size
    return [values[int(i)] for i in rng.integers(len(values), size=size)]


def _counted(bounds: Bounds, t: int, c: int) -> bool:
    """Whether a column keeps rows apart: a key of its own, or the last of a key that refers to nothing."""
    referring = {column for r in bounds.rules.hard if r.child == t for column in r.columns}
    return any((free := [k for k in at if k not in referring]) and free[-1] == c for at in bounds.rules.keys[t])


def _without_repeats(bounds: Bounds, t: int, rows: list[list[Value]]) -> tuple[Row, ...]:
    kept: list[Row] = []
    seen: list[set[Row]] = [set() for _ in bounds.rules.keys[t]]
    for row in map(tuple, rows):
        keys = [tuple(row[c] for c in at) for at in bounds.rules.keys[t]]
        if not any(key in known and None not in key for key, known in zip(keys, seen, strict=True)):
            kept.append(row)
            for key, known in zip(keys, seen, strict=True):
                known.add(key)
    return tuple(kept)


def _parents_first(bounds: Bounds) -> list[int]:
    order: list[int] = []
    waiting = list(range(len(bounds.schema.tables)))
    while waiting:
        left = set(waiting)
        free = [t for t in waiting if not any(r.child == t and r.parent in left - {t} for r in bounds.rules.hard)]
        order += free or waiting[:1]
        waiting = [t for t in waiting if t not in order]
    return order
