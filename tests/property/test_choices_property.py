"""What physical order can change, ``choices`` must see: no answer may hang on a choice it calls closed.

Each query runs in SQLite on random contents, whose rows are stored in several orders, read forwards and backwards
and with and without indexes. Where two runs differ, low and high must differ, or the choice be called forced.
"""

from __future__ import annotations

import sqlite3
from collections import Counter

import numpy as np
import pytest

from testsuite.query.choices import choices
from testsuite.query.lift import lift
from testsuite.query.parse import parse
from testsuite.query.text import render
from testsuite.schema.sql_text import read_sql_schema

SCHEMA = read_sql_schema(
    "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT, g INTEGER); CREATE TABLE u (tid INTEGER, d TEXT);"
    "CREATE TABLE k (code TEXT PRIMARY KEY, n INTEGER NOT NULL UNIQUE);",
    "tiny",
)
OPEN = {
    "SELECT COUNT(*) FROM t WHERE a = (SELECT a FROM t ORDER BY b LIMIT 1)": "limit",
    "SELECT d FROM u WHERE tid IN (SELECT id FROM t ORDER BY a DESC LIMIT 2)": "limit",
    "SELECT d FROM u WHERE tid IN (SELECT id FROM t LIMIT 2)": "limit",
    "SELECT x.b FROM (SELECT * FROM t ORDER BY g LIMIT 2 OFFSET 1) AS x": "limit",
    "SELECT x.b FROM (SELECT * FROM t ORDER BY g LIMIT 2) AS x": "limit",
    "WITH w AS (SELECT DISTINCT a, b FROM t ORDER BY a LIMIT 2) SELECT b FROM w": "limit",
    "SELECT b FROM t WHERE g = (SELECT g FROM t GROUP BY g ORDER BY COUNT(*) DESC LIMIT 1)": "limit",
    "SELECT d FROM u WHERE tid IN (SELECT tid FROM u UNION SELECT a FROM t LIMIT 1)": "limit",
    "SELECT (SELECT n FROM (SELECT g AS n, COUNT(*) AS c FROM t GROUP BY g) ORDER BY c LIMIT 1)": "limit",
    "SELECT b FROM t WHERE a = (SELECT a FROM t WHERE g = 1)": "scalar subquery",
    "SELECT b, (SELECT d FROM u WHERE tid = t.id) FROM t": "scalar subquery",
    "SELECT b, (SELECT d FROM u WHERE tid = t.id ORDER BY tid) FROM t": "scalar subquery",
    "SELECT g, b FROM t GROUP BY g": "bare column",
    "SELECT a, COUNT(*) FROM t": "bare column",
    "SELECT g FROM t GROUP BY g HAVING a > 1": "bare column",
    "SELECT g, a = 2 FROM t GROUP BY g": "bare column",
    "SELECT g, a + 1, b || 'x' FROM t GROUP BY g": "bare column",
    "SELECT b, MAX(a) FROM t GROUP BY g": "bare column",
    "SELECT b, MIN(a), COUNT(*) FROM t": "bare column",
    "SELECT b, MIN(a), MAX(a) FROM t GROUP BY g": "bare column",
    "SELECT t.b, MAX(u.d) FROM t JOIN u ON u.tid = t.id GROUP BY t.g": "bare column",
    "SELECT g AS z, b AS y, MAX(a) FROM t WHERE a < 3 GROUP BY z": "bare column",
    "SELECT d, MAX(a) FROM t LEFT JOIN u ON u.tid = t.id GROUP BY g + 1": "bare column",
    "SELECT b FROM (SELECT g, b, MAX(a) AS m FROM t GROUP BY g) WHERE m > 0": "bare column",
    "SELECT b FROM t GROUP BY g HAVING MAX(a) > 1": "bare column",
    "SELECT g, (SELECT COUNT(*) FROM u WHERE tid = a) FROM t GROUP BY g": "bare column",
    "SELECT * FROM t GROUP BY g": "bare column",
    "SELECT u.d FROM u JOIN t ON u.tid = t.id GROUP BY t.id": "bare column",
    "SELECT g, group_concat(b) FROM t GROUP BY g": "group_concat",
    "SELECT group_concat(DISTINCT b) AS s FROM t": "group_concat",
    "SELECT length(group_concat(b || a)) + 0, group_concat(a) = '1,2' FROM t GROUP BY g": "group_concat",
    "SELECT b, row_number() OVER (ORDER BY a) FROM t": "window",
    "SELECT b, row_number() OVER () FROM t": "window",
    "SELECT b, ntile(2) OVER (PARTITION BY g ORDER BY a) FROM t": "window",
    "SELECT id, lag(b) OVER (ORDER BY a), lead(a) OVER (ORDER BY g) FROM t": "window",
    "SELECT id, first_value(b) OVER (PARTITION BY g ORDER BY a DESC) FROM t": "window",
    "SELECT id, SUM(a) OVER (ORDER BY g ROWS UNBOUNDED PRECEDING) FROM t": "window",
    "SELECT b, row_number() OVER w FROM t WINDOW w AS (ORDER BY a)": "window",
    "SELECT g, COUNT(*), row_number() OVER (ORDER BY COUNT(*)) FROM t GROUP BY g": "window",
    "SELECT random()": "random",
}
CLOSED = (
    "SELECT a FROM t WHERE a = (SELECT a FROM t ORDER BY a DESC LIMIT 1)",
    "SELECT b FROM t WHERE id = (SELECT id FROM t ORDER BY b, id LIMIT 1)",
    "SELECT b FROM t WHERE a = (SELECT MAX(a) FROM t)",
    "SELECT b FROM t WHERE a = (SELECT a FROM t WHERE id = 3)",
    "SELECT d, (SELECT b FROM t WHERE t.id = u.tid) FROM u",
    "SELECT (SELECT n FROM k WHERE code = 'x')",
    "SELECT (SELECT code FROM k WHERE n = 2)",
    "SELECT g, COUNT(*), MAX(a) FROM t GROUP BY g HAVING COUNT(*) > 1",
    "SELECT id, b FROM t GROUP BY id",
    "SELECT t.b, COUNT(*) FROM t JOIN u ON u.tid = t.id GROUP BY u.tid",
    "SELECT t.b, COUNT(*) FROM t LEFT JOIN u ON u.tid = t.id GROUP BY t.id",
    "SELECT g AS z, COUNT(*) FROM t GROUP BY z",
    "SELECT g + 1, COUNT(*) FROM t GROUP BY g + 1",
    "SELECT g, COUNT(*) FROM t GROUP BY 1",
    "SELECT b, rank() OVER (ORDER BY a) FROM t",
    "SELECT id, row_number() OVER (ORDER BY a, id) FROM t",
    "SELECT b, SUM(a) OVER (PARTITION BY g) FROM t",
    "SELECT b FROM t WHERE EXISTS (SELECT 1 FROM u WHERE tid = id LIMIT 1)",
    "SELECT d FROM u WHERE tid IN (SELECT id FROM t)",
    'SELECT COUNT(*), "none" FROM t',
    "SELECT a FROM t UNION SELECT tid FROM u",
)


def contents(rng: np.random.Generator) -> dict[str, list[tuple[object, ...]]]:
    def pick(*values: object) -> object:
        return values[int(rng.integers(len(values)))]

    rows = int(rng.integers(2, 8))
    return {
        "t": [(i, pick(None, 1, 2, 3), pick("x", "y", None), pick(1, 2)) for i in range(1, rows + 1)],
        "u": [(pick(1, 2, 3), pick("p", "q", None)) for _ in range(rows)],
        "k": [("x", 1), ("y", 2)],
    }


def database(content: dict[str, list[tuple[object, ...]]], order: int, rng: np.random.Generator) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    for table, columns in (("t", "id INTEGER, a INTEGER, b TEXT, g INTEGER"), ("u", "tid INTEGER, d TEXT")):
        connection.execute(f"CREATE TABLE {table} ({columns})")
    connection.execute("CREATE TABLE k (code TEXT, n INTEGER)")
    for table, rows in content.items():
        for place in rng.permutation(len(rows)) if order else range(len(rows)):
            row = rows[int(place)]
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    if order % 2:
        connection.execute("PRAGMA reverse_unordered_selects = 1")
    if order % 3 == 2:
        connection.execute("CREATE INDEX one ON t (g, b)")
        connection.execute("CREATE INDEX two ON u (d, tid)")
    return connection


def bag(connection: sqlite3.Connection, sql: str) -> Counter[tuple[object, ...]]:
    return Counter(connection.execute(sql).fetchall())


@pytest.mark.parametrize("sql", [*OPEN, *CLOSED])
def test_what_order_changes_is_open(sql: str) -> None:
    found = choices(lift(parse(sql), SCHEMA).core, SCHEMA)
    rng = np.random.default_rng(11)
    told = missed = 0
    for _ in range(20):
        content = contents(rng)
        databases = [database(content, order, rng) for order in range(8)]
        answers = [bag(connection, sql) for connection in databases]
        differ = any(answer != answers[0] for answer in answers)
        if found is not None and not found.forced:
            low, high = (bag(databases[0], render(tree)) for tree in (found.low, found.high))
            told += low != high
            # The variants do not depend on the physical order themselves.
            if low == high:
                assert low == answers[0] or differ
                assert all(bag(c, render(found.low)) == low for c in databases[1:4])
            missed += differ and low == high
        elif found is not None:
            never = bag(databases[0], render(found.high))
            assert list(never.values()) == [1] and set(next(iter(never))) == {None}
        else:
            assert not differ, content
    assert (sql in OPEN) == (found is not None)
    if found is not None:
        assert OPEN[sql] in found.constructs
        assert found.forced or told > 0
        # A cut may leave a choice between the lowest and the highest that alone makes a difference.
        assert missed <= (2 if "limit" in found.constructs else 0)
