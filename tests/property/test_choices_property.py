"""What physical order can change, ``choices`` must see: no answer may hang on a choice it calls closed.

Each query runs in SQLite on random contents, whose rows are stored in several orders, read forwards and backwards
and with and without indexes. Where two runs differ, low and high must differ, or a probe say so, or the
choice be called forced.
"""

from __future__ import annotations

import sqlite3
from collections import Counter

import numpy as np
import pytest

from testsuite.compare.answer import Answer
from testsuite.compare.canonical import cells_from_python
from testsuite.engine.opened import open_beyond
from testsuite.engine.referee import ranked_text
from testsuite.query.choices import Choices, choices
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


# A middle choice gives another answer than the lowest and the highest do, on some of the contents.
MIDDLE = {
    "SELECT d FROM u WHERE tid IN (SELECT id FROM t ORDER BY g LIMIT 2)": "limit",
    "SELECT COUNT(*) FROM t WHERE a = (SELECT a FROM t ORDER BY g LIMIT 1)": "limit",
    "SELECT COUNT(*) FROM u WHERE tid = (SELECT a FROM t)": "scalar subquery",
    "SELECT COUNT(*) FROM (SELECT id FROM t ORDER BY g LIMIT 2) AS x JOIN (SELECT id FROM t ORDER BY b LIMIT 2) AS y "
    "ON x.id = y.id": "limit",
    "SELECT 1 FROM t GROUP BY g HAVING a = 2": "bare column",
    "SELECT COUNT(*) FROM (SELECT g, a FROM t GROUP BY g) WHERE a = 2": "bare column",
    "SELECT DISTINCT a FROM t GROUP BY g": "bare column",
    "SELECT a FROM t GROUP BY g UNION SELECT tid FROM u": "bare column",
    "SELECT COUNT(*) FROM (SELECT a, MAX(b) AS m FROM t GROUP BY g) WHERE a = 2": "bare column",
    "SELECT 1 FROM t GROUP BY g HAVING group_concat(a) = '1,2'": "group_concat",
    "SELECT COUNT(*) FROM (SELECT group_concat(a) AS c FROM t) WHERE c LIKE '2%'": "group_concat",
    "SELECT id FROM (SELECT id, row_number() OVER (ORDER BY g) AS n FROM t) WHERE n = 2": "window",
    "SELECT id, row_number() OVER (ORDER BY g) = 2 FROM t": "window",
    "SELECT COUNT(*) FROM u WHERE tid = (SELECT id FROM t WHERE t.g = u.tid)": "scalar subquery",
    "WITH w AS (SELECT a FROM t ORDER BY g LIMIT 1) SELECT COUNT(*) FROM u WHERE tid IN (SELECT a FROM w)": "limit",
    "SELECT COUNT(*) FROM u WHERE tid IN (SELECT a FROM t ORDER BY g LIMIT 1 OFFSET 1)": "limit",
}


@pytest.mark.parametrize("sql", [*OPEN, *MIDDLE, *CLOSED])
def test_what_order_changes_is_open(sql: str) -> None:
    found = choices(lift(parse(sql), SCHEMA).core, SCHEMA)
    rng = np.random.default_rng(11)
    told = settled = 0
    for _ in range(20):
        content = contents(rng)
        databases = [database(content, order, rng) for order in range(8)]
        answers = [bag(connection, sql) for connection in databases]
        differ = any(answer != answers[0] for answer in answers)
        if found is not None and not found.forced:
            low, high = (bag(databases[0], render(tree)) for tree in (found.low, found.high))
            beyond = bool(_beyond(found, databases[0]))
            settled += low == high and not beyond
            told += low != high or beyond
            if low == high and not beyond:
                assert low == answers[0] and not differ, content
                # The variants do not depend on the physical order themselves.
                assert all(bag(c, render(found.low)) == low for c in databases[1:4])
        elif found is not None:
            never = bag(databases[0], render(found.high))
            assert list(never.values()) == [1] and set(next(iter(never))) == {None}
        else:
            assert not differ, content
    expected = {**OPEN, **MIDDLE}
    assert (sql in expected) == (found is not None)
    if found is not None:
        assert expected[sql] in found.constructs
        assert found.forced or told > 0
        assert settled or sql not in SETTLES


# Contents that leave nothing open must not all be lost.
SETTLES = [
    sql for sql in (*OPEN, *MIDDLE) if " = (SELECT a FROM t" in sql or "HAVING a" in sql or "LIMIT 2) AS x" in sql
]


def _beyond(found: Choices, connection: sqlite3.Connection) -> bool:
    probes = []
    for forms in found.probes:
        answers = []
        for form in forms:
            lifted = lift(form.query, SCHEMA)
            text, extra = ranked_text(lifted)
            rows = sorted(connection.execute(text).fetchall(), key=lambda row: row[-1] if lifted.ordered else 0)
            width = len(lifted.core.selects) - lifted.keys if not lifted.core.is_star else None
            shown = [row[: len(row) - extra] for row in rows]
            columns = tuple(cells_from_python(column) for column in zip(*shown, strict=True))
            assert width is None or not rows or len(columns) == width
            rank = np.asarray([row[-1] for row in rows], dtype=np.int64) if lifted.ordered else None
            place = np.zeros(len(rows), dtype=np.int32)
            answers.append(Answer(1, place, columns, (), lifted.ordered, rank, lifted.limit, lifted.offset))
        probes.append((forms[0], answers))
    return bool(open_beyond(probes, 1, found.alone)[0])
