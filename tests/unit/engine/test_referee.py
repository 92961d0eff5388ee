"""The referee: validity, isolation, limits, and answers with ties."""

from __future__ import annotations

import sqlite3

import pytest

from testsuite.engine.referee import TIMEOUT, TOO_LARGE, Limits, Referee, RunStoppedError, admissible
from testsuite.query.lift import lift
from testsuite.query.parse import parse
from testsuite.schema.sql_text import read_sql_schema
from testsuite.suite.stack import stack_rows

SCHEMA = read_sql_schema(
    "CREATE TABLE f (id INTEGER PRIMARY KEY, nm TEXT, d TEXT, x REAL); CREATE TABLE g (fid INTEGER, k NUMERIC);",
    "tiny",
)
STACK = stack_rows(
    SCHEMA,
    [
        {"f": [(1, "Ann", "2020-01-01", 0.5), (2, "Bob", None, 1.5), (3, "Ann", "x", 2.5)], "g": [(1, 7)]},
        {"f": [], "g": []},
        {"f": [(5, "\udce9", "d", None), (6, "z", "d", 1.0)], "g": [(5, 3), (5, 3)]},
    ],
)

# Spellings other engines take and SQLite does not: none may be repaired into a valid query.
FOREIGN = (
    "SELECT id::TEXT FROM f",
    "SELECT nm FROM f WHERE nm ILIKE 'a%'",
    "SELECT CONCAT(nm, d) FROM f",
    "SELECT LEFT(nm, 1) FROM f",
    "SELECT nm, row_number() OVER () r FROM f QUALIFY r = 1",
    "SELECT * EXCLUDE (nm) FROM f",
    "SELECT nm, COUNT(*) FROM f GROUP BY ALL",
    "FROM f",
    "SELECT EXTRACT(YEAR FROM d) FROM f",
    "SELECT NOW()",
    "SELECT IF(id > 1, 1, 0) FROM f",
    "SELECT MEDIAN(x) FROM f",
    "SELECT STDDEV(x) FROM f",
    "SELECT nm FROM f FETCH FIRST 1 ROWS ONLY",
    "SELECT nm FROM f LIMIT 50%",
    "SELECT nm FROM f WHERE id = ANY (SELECT fid FROM g)",
    "SELECT nm FROM f LIMIT 1 UNION SELECT d FROM f",
    "SELECT nm FROM f ORDER BY ALL",
    "SELECT DATE '2020-01-01'",
    "SELECT YEAR(d) FROM f",
    "SELECT TOP 1 nm FROM f",
)
NOT_QUERIES = (
    "DROP TABLE f",
    "DELETE FROM f",
    "WITH x AS (SELECT 1) DELETE FROM f",
    "INSERT INTO f (id) VALUES (9) RETURNING id",
    "PRAGMA user_version = 7",
    "SELECT * FROM pragma_table_info('f')",
    "ATTACH '/tmp/evil.db' AS z",
    "EXPLAIN SELECT 1",
    "QUERY PLAN SELECT 1",
    "SELECT load_extension('x')",
    "SELECT 1; DROP TABLE f",
    "SELECT 1; SELECT 2",
    "SELECT ?",
    "SELECT nope FROM f",
    "SELECT [nope] FROM f",
    "SELECT '\ud800'",
    "SELECT \x00 1",
    "(SELECT 1)",
)
VALID = (
    "SELECT nm FROM f",
    "-- note\nSELECT nm FROM f; -- end\n",
    "SELECT nm FROM f;;;",
    " ;\n/* a */ /* b */ WITH x AS (SELECT 1 AS a) SELECT a FROM x",
    "VALUES (1), (2)",
    'SELECT nm FROM f WHERE nm = "Ann"',
    "SELECT * FROM json_each('[1]')",
    "SELECT `nm`, [d] FROM f",
)


@pytest.fixture
def referee() -> Referee:
    return Referee(STACK)


@pytest.mark.parametrize("sql", FOREIGN + NOT_QUERIES)
def test_rejects(referee: Referee, sql: str) -> None:
    assert referee.valid(sql)


@pytest.mark.parametrize("sql", VALID)
def test_accepts(referee: Referee, sql: str) -> None:
    assert referee.valid(sql) is None
    referee.run(sql, 0)


@pytest.mark.parametrize("sql", ["", "  \n", "-- nothing", ";", "/* a */ ; -- b"])
def test_empty_text(referee: Referee, sql: str) -> None:
    assert referee.valid(sql) == "empty"


@pytest.mark.parametrize("sql", ["DELETE FROM f", "DROP TABLE f", "PRAGMA query_only = 0", "ATTACH ':memory:' AS z"])
def test_run_cannot_write(referee: Referee, sql: str) -> None:
    with pytest.raises(sqlite3.Error):
        referee.run(sql, 0)
    assert referee.run("SELECT COUNT(*) FROM f", 0) == [(3,)]


def test_limits_stop_a_run() -> None:
    endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r"
    with pytest.raises(RunStoppedError, match=TIMEOUT):
        Referee(STACK, Limits(seconds=0.2)).run(endless, 0)
    with pytest.raises(RunStoppedError, match=TIMEOUT):
        Referee(STACK, Limits(seconds=60, steps=100_000)).run(endless, 0)
    many = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r"
    with pytest.raises(RunStoppedError, match=TOO_LARGE):
        Referee(STACK, Limits(rows=5000)).run(many, 0)
    with pytest.raises(RunStoppedError, match=TOO_LARGE):
        Referee(STACK).run("SELECT zeroblob(1000000000)", 0)
    with pytest.raises(RunStoppedError, match=TOO_LARGE):
        Referee(STACK, Limits(text=5000)).run("SELECT zeroblob(9000)", 0)


def test_stopped_instances_are_errors_of_the_answer() -> None:
    answer = Referee(STACK).answer("SELECT nm FROM f", [0, 1], deadline=0.0)
    assert answer.errors == {0: TIMEOUT, 1: TIMEOUT} and answer.rows == 0


def test_bytes_that_are_not_utf8_come_back(referee: Referee) -> None:
    assert referee.run("SELECT nm, typeof(nm), hex(nm) FROM f WHERE id = 5", 2) == [("\udce9", "text", "E9")]


def test_unordered_answer(referee: Referee) -> None:
    answer = referee.answer("SELECT id, nm FROM f", [2, 1, 0])
    assert answer.instances == 3 and answer.instance.tolist() == [0, 0, 2, 2, 2]
    assert answer.columns[0].number.tolist() == [5, 6, 1, 2, 3]
    assert answer.names == ("id", "nm") and not answer.ordered and answer.rank is None


def test_ordered_and_cut_answer_keeps_the_tie_at_the_cut(referee: Referee) -> None:
    answer = referee.answer("SELECT id FROM f ORDER BY nm LIMIT 1", [0, 1])
    assert answer.columns[0].number.tolist() == [1, 3]
    assert answer.rank is not None and answer.rank.tolist() == [1, 1]
    assert (answer.limit, answer.offset, len(answer.columns)) == (1, 0, 1)
    assert not referee.mismatches


def test_lifted_alone_answers_as_the_text(referee: Referee) -> None:
    for sql in ("SELECT id, nm FROM f ORDER BY nm DESC LIMIT 1", "SELECT id FROM f", "SELECT id FROM f LIMIT 2"):
        one, two = referee.answer(sql), referee.answer_lifted(lift(parse(sql), SCHEMA))
        assert one.names == two.names and one.ordered == two.ordered and one.limit == two.limit
        assert one.instance.tolist() == two.instance.tolist()
        assert one.columns[0].code.tolist() == two.columns[0].code.tolist()
        assert (one.rank is None) == (two.rank is None)
        assert one.rank is None or two.rank is None or one.rank.tolist() == two.rank.tolist()


def test_cut_without_order_keeps_all_rows(referee: Referee) -> None:
    answer = referee.answer("SELECT id FROM f LIMIT 1 OFFSET 1", [0])
    assert answer.rows == 3 and (answer.limit, answer.offset, answer.rank) == (1, 1, None)


def test_not_liftable_is_taken_as_it_comes(referee: Referee) -> None:
    answer = referee.answer("SELECT DISTINCT nm FROM f ORDER BY id DESC LIMIT (SELECT 1)", [0])
    assert answer.rows == 1 and answer.limit is None
    assert answer.rank is not None and answer.rank.tolist() == [1]


def test_failure_on_one_instance_is_an_error_there(referee: Referee) -> None:
    answer = referee.answer("SELECT json(nm) FROM f", [0, 1])
    assert set(answer.errors) == {0} and "JSON" in answer.errors[0]


def test_a_lift_that_does_not_fit_is_reported(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    from testsuite.engine import referee as module

    monkeypatch.setattr(module, "ranked_text", lambda lifted: ("SELECT 9, 0, 1", 2))
    answer = referee.answer("SELECT id FROM f ORDER BY id", [0])
    assert referee.mismatches == ["SELECT id FROM f ORDER BY id"]
    assert answer.columns[0].number.tolist() == [1, 2, 3]


def test_admissible() -> None:
    rows, ranks = [("a",), ("b",), ("c",)], [1, 2, 2]
    assert admissible([("a",), ("c",)], rows, ranks, 2, 0)
    assert not admissible([("c",), ("a",)], rows, ranks, 2, 0)
    assert not admissible([("a",)], rows, ranks, 2, 0)
    assert not admissible([("b",), ("b",)], rows, ranks, None, 1)
    assert admissible([], rows, ranks, None, 7)


def test_chance_is_the_same_on_every_run():
    for sql in ("SELECT id FROM f ORDER BY random()", "SELECT random(), hex(randomblob(3))"):
        first, second = Referee(STACK).run(sql, 0), Referee(STACK).run(sql, 0)
        assert first == second
