"""A content put through SQLite the way it will be shown: its DDL, its INSERTs, then the two queries as they stand."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing

from testsuite.counterexample.record import Difference, Shown, literal, parents_first
from testsuite.query.order import ordered_text
from testsuite.schema import Schema, quote
from testsuite.shrink import Content
from testsuite.suite.export import constrained_ddl
from testsuite.suite.stack import Row, Value

_STEPS = 5_000_000


def replay(schema: Schema, content: Content, queries: Sequence[str]) -> tuple[Shown, ...] | None:
    """What SQLite answers to queries after the DDL and INSERTs of a content; None where any of it fails.

    The tables are made with their keys and CHECKs, so SQLite itself refuses a content that breaks one, and the
    content is read back: a value that SQLite stores as another is refused too.

    Args:
        schema: the tables, with the keys that the content keeps.
        content: rows by table name.
        queries: texts that only read.
    """
    left = [_STEPS // 1000]

    def tick() -> int:
        left[0] -= 1
        return int(left[0] < 0)

    with closing(sqlite3.connect(":memory:")) as connection:
        connection.create_function("random", 0, lambda: 0)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        try:
            for table in schema.tables:
                connection.execute(constrained_ddl(table))
            for name in parents_first(schema):
                for row in content[name]:
                    connection.execute(f"INSERT INTO {quote(name)} VALUES ({', '.join(map(literal, row))})")
            for table in schema.tables:
                stored = connection.execute(f"SELECT * FROM {quote(table.name)}").fetchall()
                if _bag(stored) != _bag(content[table.name]):
                    return None
            connection.execute("PRAGMA query_only = 1")
            connection.set_progress_handler(tick, 1000)
            shown = []
            for sql in queries:
                cursor = connection.execute(sql.strip().rstrip("; \n\t"))
                shown.append(Shown(tuple(column[0] for column in cursor.description), tuple(cursor.fetchall())))
        except (sqlite3.Error, sqlite3.Warning, UnicodeError):
            return None
    return tuple(shown)


def first_difference(
    a: Shown, b: Shown, queries: Sequence[str], permutation: Sequence[int] | None
) -> Difference | None:
    """The first row on which two answers differ; None where they look alike.

    Order counts only where both queries have an outermost ORDER BY.

    Args:
        a: the answer of the first query.
        b: the answer of the second.
        queries: their texts.
        permutation: which column of ``b`` stands for each of ``a``; by position where None.
    """
    theirs = b.rows if permutation is None else tuple(tuple(row[i] for i in permutation) for row in b.rows)
    if all(map(ordered_text, queries)) and _bag(a.rows) == _bag(theirs):
        for place, (one, other) in enumerate(zip(a.rows, theirs, strict=True)):
            if _plain(one) != _plain(other):
                return Difference(place, one, b.rows[place])
        return None
    return _of_bags(a.rows, theirs, b.rows)


def _of_bags(mine: Sequence[Row], theirs: Sequence[Row], shown: Sequence[Row]) -> Difference | None:
    only_mine, only_theirs = _bag(mine) - _bag(theirs), _bag(theirs) - _bag(mine)
    one = next((row for row in mine if _plain(row) in only_mine), None)
    other = next((row for row, own in zip(shown, theirs, strict=True) if _plain(own) in only_theirs), None)
    return None if one is None and other is None else Difference(None, one, other)


def _bag(rows: Sequence[Row]) -> Counter[tuple[object, ...]]:
    return Counter(map(_plain, rows))


def _plain(row: Row) -> tuple[object, ...]:
    return tuple(map(_value, row))


def _value(value: Value) -> object:
    # Whole numbers keep all their digits; other reals agree to the ninth, as in a verdict.
    if isinstance(value, float) and not value.is_integer():
        return float(f"{value:.9g}")
    return value
