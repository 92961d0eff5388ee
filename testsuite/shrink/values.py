"""Simpler cells: no NULL where none is needed, few distinct values, short ones. Rows stay as many as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from testsuite.shrink.bounds import Bounds, Content, Place
from testsuite.shrink.rows import Holds, ask, furthest, row_count
from testsuite.shrink.rules import as_key
from testsuite.shrink.simple import Measure, key_values, measure, simple_values
from testsuite.suite.stack import Row, Value

Change = dict[tuple[int, int, int], Value]
"""New values by table, row and column."""

_ROUNDS = 40
_LARGE = 100


def shrink_values(content: Content, holds: Holds, bounds: Bounds, batch: int = 128) -> Content:
    """The content with simpler cells, as long as simpler ones are found.

    Args:
        content: legal, and the property holds for it.
        holds: the property.
        bounds: what is legal.
        batch: most contents asked about at once.
    """
    # Cell by cell, a large content would take longer than it is worth.
    fine = (_rows_of_one_column, _cells) if row_count(content) <= _LARGE else ()
    for _ in range(_ROUNDS):
        before = content
        for moves in (_columns, _values, *fine):
            content = _improve(content, moves, holds, bounds, batch)
        if content == before:
            break
    return content


def changed(content: Content, change: Change, bounds: Bounds) -> Content:
    """The content with these cells in place of its own."""
    result = dict(content)
    by_row: dict[Place, dict[int, Value]] = {}
    for (t, n, c), value in change.items():
        by_row.setdefault((t, n), {})[c] = value
    rows: dict[int, list[Row]] = {}
    for (t, n), cells in by_row.items():
        table = rows.setdefault(t, list(content[bounds.schema.tables[t].name]))
        table[n] = tuple(cells.get(c, value) for c, value in enumerate(table[n]))
    for t, table in rows.items():
        result[bounds.schema.tables[t].name] = tuple(table)
    return result


def _improve(
    content: Content,
    moves: Callable[[Content, Bounds], Iterator[Change]],
    holds: Holds,
    bounds: Bounds,
    batch: int,
) -> Content:
    """The content after as many of the moves as can be made together."""
    now = measure(content)
    seen: set[tuple[tuple[Row, ...], ...]] = set()
    trials: list[tuple[Measure, Change, Content]] = []
    for change in moves(content, bounds):
        trial = changed(content, change, bounds)
        key = tuple(trial.values())
        if key not in seen and (size := measure(trial)) < now and bounds.legal(trial):
            seen.add(key)
            trials.append((size, change, trial))
    trials.sort(key=lambda entry: entry[0])
    verdicts = ask([trial for _, _, trial in trials], holds, batch)
    passing = [(change, trial) for (_, change, trial), good in zip(trials, verdicts, strict=True) if good]
    if not passing:
        return content
    # One by one, each on top of the others where it still is a gain; the first alone is known to be good.
    reached, steps, least = passing[0][1], [], measure(passing[0][1])
    for change, _ in passing[1:]:
        further = changed(reached, change, bounds)
        if (size := measure(further)) < least and bounds.legal(further):
            reached, least = further, size
            steps.append(further)
    return furthest(steps, holds, batch) or passing[0][1]


def _column_cells(content: Content, bounds: Bounds) -> Iterator[tuple[int, int, Sequence[Value], tuple[Value, ...]]]:
    """Table, column, its cells, and the values worth trying there: the simplest, then those already there."""
    for t, table in enumerate(bounds.schema.tables):
        rows = content[table.name]
        for c in range(len(table.columns) if rows else 0):
            cells = [row[c] for row in rows]
            own = sorted({v for v in cells if v is not None}, key=repr)
            yield t, c, cells, tuple(dict.fromkeys((*simple_values(bounds, t, c, cells), *own)))


def _columns(content: Content, bounds: Bounds) -> Iterator[Change]:
    """Every cell of a column the same; or a key counted 1, 2, 3 .."""
    for t, c, cells, targets in _column_cells(content, bounds):
        for value in targets[:2]:
            yield {(t, n, c): value for n in range(len(cells))}
        counted = key_values(bounds, t, c, cells)
        if len(cells) > 1:
            yield {(t, n, c): value for n, value in enumerate(counted)}


def _values(content: Content, bounds: Bounds) -> Iterator[Change]:
    """One value replaced wherever it stands: in one column, in columns that refer to each other, everywhere."""
    group = _linked(bounds)
    where: dict[tuple[object, object], list[tuple[int, int, int]]] = {}
    targets_of: dict[tuple[object, object], dict[Value, None]] = {}
    for t, c, cells, targets in _column_cells(content, bounds):
        for n, value in enumerate(cells):
            # As references see it, the text '7' and the number 7 are one value.
            scopes: tuple[object, ...] = ((t, c), group.get((t, c), (t, c)), ())
            for scope in scopes:
                places = where.setdefault((scope, as_key(value)), [])
                if (t, n, c) not in places:
                    places.append((t, n, c))
                    targets_of.setdefault((scope, as_key(value)), {}).update(dict.fromkeys(targets[:6]))
    for (scope, key), places in where.items():
        for target in targets_of[scope, key]:
            if target != key and (scope or (key is not None and type(target) is type(key))):
                yield {
                    (t, n, c): str(target) if isinstance(cell(content, bounds, t, n, c), str) else target
                    for t, n, c in places
                }


def cell(content: Content, bounds: Bounds, t: int, n: int, c: int) -> Value:
    """The value in a table's row and column, all by position."""
    return content[bounds.schema.tables[t].name][n][c]


def _linked(bounds: Bounds) -> dict[tuple[int, int], tuple[str, int]]:
    """The number of its group for every column that takes part in a reference."""
    group: dict[tuple[int, int], tuple[str, int]] = {}
    for number, r in enumerate(bounds.rules.hard):
        for child, parent in zip(r.columns, r.parent_columns, strict=True):
            pair = ((r.child, child), (r.parent, parent))
            old = {group[place] for place in pair if place in group}
            for place in (*pair, *(place for place, known in group.items() if known in old)):
                group[place] = ("linked", number)
    return group


def _rows_of_one_column(content: Content, bounds: Bounds) -> Iterator[Change]:
    """Constants brought nearer to simple ones: numbers halved, text cut."""
    for t, c, cells, _ in _column_cells(content, bounds):
        for n, value in enumerate(cells):
            for target in _shorter(value):
                yield {(t, n, c): target}


def _shorter(value: Value) -> Iterator[Value]:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int) and abs(value) > 4:
        yield value // 2
        yield value // 10
        yield value - 1 if value > 0 else value + 1
    elif isinstance(value, float) and value == value and abs(value) < 1e15:
        yield float(round(value))
        yield round(value, 1)
    elif isinstance(value, str) and len(value) > 1:
        yield value[: len(value) // 2]
        yield value[len(value) // 2 :]
        yield value[1:]
        yield value[:-1]


def _cells(content: Content, bounds: Bounds) -> Iterator[Change]:
    """Single cells."""
    for t, c, cells, targets in _column_cells(content, bounds):
        for n, value in enumerate(cells):
            for target in targets[:6]:
                if target != value:
                    yield {(t, n, c): target}
