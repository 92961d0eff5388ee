"""Small random instances of a schema, for checks that must not lean on the project's own generator."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, permutations

import numpy as np

from testsuite.schema import Affinity, Column, Schema, Table, empty_ddl, quote

Cell = int | float | str | bytes | None
Row = tuple[Cell, ...]
Rows = dict[str, list[Row]]


def pools(schema: Schema, content: Rows, queries: Iterable[str]) -> dict[tuple[str, str], list[Cell]]:
    """Values for each column: some of the shipped ones, and constants of the queries with their neighbours."""
    words = [w for q in queries for w in re.findall(r"'((?:[^']|'')*)'", q)]
    numbers = [int(n) for q in queries for n in re.findall(r"(?<![\w'.-])\d+(?![\w'-])", q)]
    found: dict[tuple[str, str], list[Cell]] = {}
    for table, column in schema.columns():
        place = [c.name for c in table.columns].index(column.name)
        shipped = list(dict.fromkeys(row[place] for row in content[table.name]))
        known = [value for value in shipped if value is not None]
        values: list[Cell] = known[:5] + known[-2:]
        if column.affinity is Affinity.TEXT:
            values += [
                w for w in words if w in known or (known and re.match(r"\d{4}-", str(known[0])) and w[:2] == "20")
            ]
            values += [w for w in words if re.fullmatch(r"\d{4}-\d\d-\d\d", w) and re.match(r"\d{4}-", str(known[0]))]
        else:
            low, high = min(known), max(known)  # type: ignore[type-var]
            values += [n + d for n in numbers for d in (-1, 0, 1) if low <= n + d <= high]  # type: ignore[operator]
        if None in shipped:
            values += [None] * (1 + len(values) // 5)
        found[table.name, column.name] = values
    return found


def draw(
    schema: Schema,
    values: Mapping[tuple[str, str], Sequence[Cell]],
    rng: np.random.Generator,
) -> Rows:
    """One instance that honours primary, unique and foreign keys, NOT NULL and the values given."""
    content: Rows = {}
    for table in parents_first(schema):
        rows: list[Row] = []
        for _ in range(int(rng.choice([1, 2, 4, 7, 10]))):
            row = _row(table, schema, values, content, rows, rng)
            if row is not None:
                rows.append(row)
        content[table.name] = rows
    return content


def parents_first(schema: Schema) -> list[Table]:
    """The tables in an order in which every foreign key finds its parent filled."""
    waiting, done = list(schema.tables), []
    while waiting:
        names = {t.name for t in waiting}
        ready = [t for t in waiting if not any(k.parent in names - {t.name} for k in t.foreign_keys)]
        done += ready
        waiting = [t for t in waiting if t not in ready]
    return done


def _row(
    table: Table,
    schema: Schema,
    values: Mapping[tuple[str, str], Sequence[Cell]],
    content: Rows,
    rows: list[Row],
    rng: np.random.Generator,
) -> tuple[Cell, ...] | None:
    row: dict[str, Cell] = {}
    for column in table.columns:
        choice = values[table.name, column.name]
        row[column.name] = choice[int(rng.integers(len(choice)))]
        if column.affinity is Affinity.INTEGER and table.primary_key == (column.name,):
            row[column.name] = len(rows) + 1
    # The widest key last, so that keys that share columns agree with it.
    for key in sorted(table.foreign_keys, key=lambda k: len(k.columns)):
        names = [c.name for c in schema.table(key.parent).columns]
        parents = rows if key.parent == table.name else content[key.parent]
        nullable = not any(table.column(c).not_null for c in key.columns)
        if nullable and (not parents or rng.random() < 0.3):
            row.update(dict.fromkeys(key.columns))
            continue
        if not parents:
            return None
        parent = parents[int(rng.integers(len(parents)))]
        for child, target in zip(key.columns, key.parent_columns, strict=True):
            row[child] = _stored(table.column(child), parent[names.index(target)])
    made = tuple(row[c.name] for c in table.columns)
    for unique in (table.primary_key, *table.uniques):
        places = [[c.name for c in table.columns].index(name) for name in unique]
        if places and any(all(old[p] == made[p] for p in places) for old in rows):
            return None
    return made


def _stored(column: Column, value: Cell) -> Cell:
    return str(value) if column.affinity is Affinity.TEXT and value is not None else value


def filled(schema: Schema, content: Rows, backwards: bool = False) -> sqlite3.Connection:
    """An in-memory database of that content; ``backwards`` turns every order that SQL leaves open."""
    connection = sqlite3.connect(":memory:")
    for statement in empty_ddl(schema):
        connection.execute(statement)
    for table in schema.tables:
        rows = content[table.name][::-1] if backwards else content[table.name]
        marks = ", ".join("?" * len(table.columns))
        connection.executemany(f"INSERT INTO {quote(table.name)} VALUES ({marks})", rows)
    connection.execute("PRAGMA query_only = ON")
    if backwards:
        connection.execute("PRAGMA reverse_unordered_selects = ON")
    return connection


def answers(connection: sqlite3.Connection, sql: str) -> list[Row] | None:
    """All rows, numbers rounded; None where SQLite refuses the query."""
    try:
        rows = connection.execute(sql).fetchall() if sql.strip() else None
    except (sqlite3.Error, sqlite3.Warning):
        return None
    return (rows and [tuple(round(c, 6) if isinstance(c, float) else c for c in row) for row in rows]) or rows


def keyed(gold: str) -> tuple[str, int | None]:
    """A gold that ends in ORDER BY one key, with the key as an extra last column and without its LIMIT."""
    found = re.fullmatch(r"SELECT (.*?) FROM (.*) ORDER BY (.*?)( DESC| ASC)?(?: LIMIT (\d+))?", gold)
    assert found, gold
    items, rest, key, direction, limit = found.groups()
    sql = f"SELECT {items} , {key} FROM {rest} ORDER BY {key}{direction or ''}"
    return sql, int(limit) if limit else None


def ends_ordered(gold: str) -> bool:
    """Whether the outermost query has an ORDER BY."""
    return re.search(r" ORDER BY [^()]*(\([^()]*\)[^()]*)?$", gold) is not None


def admits(connection: sqlite3.Connection, gold: str, prediction: list[Row] | None) -> bool:
    """Whether the rows are an answer that the gold may give: any order of ties, any choice at a cut through a tie.

    Columns may come in any order, the same in all rows.
    """
    if prediction is None:
        return False
    if not ends_ordered(gold):
        wanted = answers(connection, gold)
        assert wanted is not None
        return len(wanted) == len(prediction) and any(
            Counter(turned) == Counter(wanted) for turned in _turns(prediction, wanted)
        )
    sql, limit = keyed(gold)
    rows = answers(connection, sql)
    assert rows is not None
    size = len(rows) if limit is None else min(limit, len(rows))
    if len(prediction) != size:
        return False
    return any(_in_order(rows, turned) for turned in _turns(prediction, [row[:-1] for row in rows]))


def _in_order(rows: list[Row], turned: list[Row]) -> bool:
    """Whether ``turned`` runs through the tie groups of ``rows`` one after the other."""
    at = 0
    for _, group in groupby(rows, key=lambda row: row[-1]):
        ties = Counter(row[:-1] for row in group)
        part = Counter(turned[at : at + ties.total()])
        if part - ties:
            return False
        at += ties.total()
    return True


def _turns(rows: list[Row], wanted: list[Row]) -> Iterator[list[Row]]:
    if not rows or not wanted:
        yield rows
    elif len(rows[0]) == len(wanted[0]):
        for order in permutations(range(len(rows[0]))):
            yield [tuple(row[i] for i in order) for row in rows]


def differs(pair: tuple[sqlite3.Connection, sqlite3.Connection], gold: str, prediction: str) -> bool:
    """Whether a prediction can give, on this instance, an answer that the gold can not."""
    return any(not admits(pair[0], gold, answers(connection, prediction)) for connection in pair)
