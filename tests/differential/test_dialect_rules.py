"""Every rule's examples over nasty rows, stacked against SQLite; and queries that need several rules at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from harness import Bench

from testsuite.dialect.rules import FAMILIES
from testsuite.engine.session import Session
from testsuite.schema.sql_text import read_sql_schema
from testsuite.suite.stack import Row, stack_rows

SCHEMA = read_sql_schema(
    "CREATE TABLE nums (id INTEGER PRIMARY KEY, i INTEGER, r REAL);"
    "CREATE TABLE words (id INTEGER PRIMARY KEY, w TEXT);"
    "CREATE TABLE dates (id INTEGER, d DATE, n NUMERIC);"
    "CREATE TABLE bare (id INTEGER, i INTEGER, w TEXT);",
    "rules",
)
WORDS = [None, "1", "02", " 3 ", "Abc", "abc", "ABC ", "Ölaf", "ölaf", "", "12abc", "5.0", "x%y", "b", "aB"]
INTS = [None, 1, 2, -3, 0, 2, 1, 10, 12, 19, 7]
REALS = [1.5, None, 2.0, -2.5, 0.0, 1.5, 10.0, 0.1]
DATES = [None, "2019-05-01", "2020-01-01", "", "abc", "1999"]


def _content(shift: int, rows: int) -> dict[str, list[Row]]:
    def pick(values: list, n: int) -> object:
        return values[(n * 7 + shift) % len(values)]

    return {
        "nums": [(n, pick(INTS, n), pick(REALS, n)) for n in range(1, rows)],
        "words": [(n, pick(WORDS, n)) for n in range(1, rows + 3)],
        "dates": [(n, pick(DATES[:5], n), pick([None, 1, 2.5, -1, 2], n)) for n in range(1, rows)],
    }


STACK = stack_rows(
    SCHEMA,
    [_content(0, 12), {}, _content(3, 6), _content(5, 16), {"nums": [(1, None, None)], "words": [(1, None)]}],
)


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Session() as session:
        made = Bench(STACK, session)
        yield made
        made.close()


def _cases() -> Iterator[object]:
    for family in FAMILIES:
        for number, sql in enumerate(family.EXAMPLES):
            yield pytest.param(sql, id=f"{family.__name__.rpartition('.')[2]}-{number}")


@pytest.mark.parametrize("sql", list(_cases()))
def test_rule_example_means_the_same(bench: Bench, sql: str) -> None:
    found = bench.check(sql)
    # "forced": the query is taken to leave its answer open, so no one answer can be asked for.
    assert found.state in ("agree", "partial", "forced"), found
    assert found.instances > 0 or found.state == "forced"


def test_every_family_has_examples() -> None:
    assert all(family.EXAMPLES for family in FAMILIES)


QUERIES = (
    # joins
    "SELECT a.id, b.w FROM nums a LEFT JOIN words b ON a.i = b.id AND b.w > 'a'",
    "SELECT a.id, b.id FROM nums a RIGHT JOIN words b ON a.i = b.id",
    "SELECT * FROM nums a FULL JOIN words b USING (id)",
    "SELECT a.id, c.id FROM nums a JOIN words b ON a.id = b.id AND b.id > 2 FULL JOIN dates c ON c.id = a.id AND 1 = 2",
    "SELECT * FROM nums NATURAL JOIN words",
    "SELECT id, i, w FROM nums LEFT JOIN words USING (id) WHERE id > 2",
    "SELECT id FROM nums RIGHT JOIN words USING (id) ORDER BY id",
    "SELECT count(*) FROM nums, words",
    "SELECT count(*) FROM nums JOIN words",
    "SELECT a.id FROM nums a JOIN words b ON a.id = b.id JOIN dates c ON c.id = b.id AND c.n > 1",
    "SELECT a.id, c.n FROM nums a LEFT JOIN (words b JOIN dates c ON b.id = c.id) ON a.i = b.id",
    "SELECT a.id FROM nums a, words b LEFT JOIN dates c ON c.id = a.id WHERE a.id = b.id",
    # scopes
    "SELECT x.m FROM (SELECT i, max(r) AS m FROM nums GROUP BY i) AS x WHERE x.i > 1",
    "SELECT id FROM nums a WHERE r > (SELECT avg(r) FROM nums b WHERE b.i = a.i)",
    "SELECT (SELECT count(*) FROM words w WHERE w.id > n.id "
    "AND EXISTS (SELECT 1 FROM dates d WHERE d.id = n.id)) FROM nums n",
    "SELECT i AS w, w FROM nums JOIN words USING (id) WHERE w > 'a'",
    "SELECT i + 1 AS j FROM nums WHERE j > 2",
    "SELECT i + 1 AS j, count(*) FROM nums GROUP BY j HAVING j > 2",
    "SELECT i, count(*) AS c FROM nums GROUP BY i HAVING c > 1 ORDER BY c DESC, i LIMIT 2",
    'SELECT "w", "zzz" FROM words',
    # set operations
    "SELECT i FROM nums UNION SELECT r FROM nums",
    "SELECT i FROM nums EXCEPT SELECT id FROM nums INTERSECT SELECT id FROM words",
    "SELECT id FROM nums UNION ALL SELECT id FROM words ORDER BY 1 LIMIT 5",
    "SELECT w FROM words INTERSECT SELECT w FROM words WHERE id > 3",
    "SELECT NULL UNION SELECT w FROM words",
    "SELECT count(*) FROM (SELECT i FROM nums UNION SELECT id FROM words)",
    # WITH
    "WITH a AS (SELECT i, count(*) AS c FROM nums GROUP BY i), b AS (SELECT max(c) AS m FROM a) "
    "SELECT a.i FROM a, b WHERE a.c = b.m",
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 4) SELECT n, count(i) FROM t "
    "LEFT JOIN nums ON nums.i = t.n GROUP BY n",
    "WITH RECURSIVE t(n) AS (SELECT min(id) FROM nums UNION SELECT n + 2 FROM t WHERE n < 9) SELECT * FROM t",
    # groups
    "SELECT DISTINCT i FROM nums ORDER BY i DESC LIMIT 3",
    "SELECT id FROM nums WHERE i IN (SELECT i FROM nums GROUP BY i ORDER BY count(*) DESC, i LIMIT 2)",
    "SELECT max(i) - min(i), sum(i) * 1.0 / count(*) FROM nums",
    "SELECT CASE WHEN i > 1 THEN 'a' ELSE 'b' END AS k, count(*) FROM nums GROUP BY k",
    "SELECT i % 2, i / 2 FROM nums GROUP BY i % 2, i / 2",
    "SELECT w, max(id) FROM words GROUP BY w ORDER BY max(id)",
    "SELECT id, i FROM nums ORDER BY r IS NULL, r DESC, 1 LIMIT 4 OFFSET 1",
    "SELECT id FROM words ORDER BY w COLLATE NOCASE, id",
    "SELECT count(*) FROM nums WHERE (SELECT count(*) FROM words) > id",
)


@pytest.mark.parametrize("sql", QUERIES)
def test_query_means_the_same(bench: Bench, sql: str) -> None:
    found = bench.check(sql)
    assert found.state in ("agree", "partial", "forced"), found


REFUSALS = (
    ("SELECT CASE WHEN i > 1 THEN w ELSE i END FROM nums JOIN words USING (id)", "mixed-type CASE"),
    ("SELECT i FROM nums UNION SELECT w FROM words", "mixed-type set operation"),
    ("SELECT n / 2 FROM dates", "division of a number that may be INTEGER or REAL"),
    ("SELECT rowid FROM nums", "rowid"),
    ("SELECT id FROM words WHERE +w = 1", "unary plus"),
    ("SELECT id FROM words GROUP BY +w", "unary plus"),
    ("SELECT DISTINCT w COLLATE NOCASE FROM words", "DISTINCT with a collation"),
    ("SELECT DISTINCT v FROM (SELECT w COLLATE RTRIM AS v FROM words)", "DISTINCT with a collation"),
    (
        "SELECT a.id FROM nums a JOIN words b ON a.id = b.id AND 1 = 2 FULL JOIN dates c ON c.id = a.id",
        "constant ON term",
    ),
    (
        "SELECT a.id FROM (nums a JOIN words b ON a.id = b.id AND '1' GLOB 'a*') RIGHT JOIN dates c ON c.id = a.id",
        "constant ON term",
    ),
    (
        "SELECT (SELECT DISTINCT count(*) FROM nums GROUP BY id LIMIT 5 OFFSET 1) FROM words",
        "DISTINCT and OFFSET",
    ),
    ("SELECT (SELECT DISTINCT 0 FROM nums LIMIT 2 OFFSET 1) FROM words", "DISTINCT and OFFSET"),
    ("SELECT (SELECT DISTINCT w FROM words LIMIT 1 OFFSET 2)", "DISTINCT and OFFSET"),
    ("SELECT id FROM dates WHERE d < (SELECT w FROM words)", "text compared under numeric affinity"),
)


@pytest.mark.parametrize(("sql", "reason"), REFUSALS)
def test_what_is_not_kept_is_refused(bench: Bench, sql: str, reason: str) -> None:
    found = bench.check(sql)
    assert found.state == "refused"
    assert reason in found.detail
