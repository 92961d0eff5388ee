"""Text of queries before anything else, SQL tokens, and value plugging."""

from __future__ import annotations

from itertools import islice
from time import perf_counter

import pytest

from testsuite.official.plug import plugged, template
from testsuite.official.sqltokens import sql_tokens, without_distinct
from testsuite.official.text import executed_text, prediction_text


def test_prediction_text() -> None:
    assert prediction_text(" SELECT a WHERE b = 'value'\tdb\n") == "SELECT a WHERE b = '1'"
    # Anywhere, in this case only.
    assert prediction_text("SELECT values, VALUE, invalue") == "SELECT 1s, VALUE, in1"


def test_executed_text() -> None:
    assert executed_text("a > = 1 AND b < = '! =' AND c ! = 2") == "a >= 1 AND b <= '!=' AND c != 2"
    assert executed_text("x = year ( CURDATE() ) AND") == "x = 2020AND"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT DISTINCT a FROM t", "SELECT  a FROM t"),
        ("SELECT count(distinct a)", "SELECT count( a)"),
        ("SELECT 'distinct', \"DISTINCT\", `distinct`", "SELECT 'distinct', \"DISTINCT\", `distinct`"),
        ("SELECT distinct_a, a_distinct", "SELECT distinct_a, a_distinct"),
        ("SELECT a -- distinct\nFROM t", "SELECT a -- distinct\nFROM t"),
        ("SELECT a /* distinct */ FROM t", "SELECT a /* distinct */ FROM t"),
        ("SELECT 1; SELECT 2", "SELECT 1; "),
        ("SELECT ';' ; SELECT 2", "SELECT ';' ; "),
        ("SELECT (1; 2)", "SELECT (1; 2)"),
        ("SELECT 'it''s distinct'", "SELECT 'it''s distinct'"),
        ("", ""),
    ],
)
def test_without_distinct(sql: str, expected: str) -> None:
    assert without_distinct(sql) == expected


def test_tokens_give_the_text_back() -> None:
    sql = "SELECT 'a''b', \"c\"  FROM\nt WHERE x >= -5.5e3 AND y = '\\' -- end"
    assert "".join(token.text for token in sql_tokens(sql)) == sql


def test_template() -> None:
    found = template("SELECT T1.name , b2 FROM t AS T1 WHERE a = 'New York' AND b > 2.5 OR c = -3 LIMIT 10;")
    assert found.values == ("'New York'", "2.5", "b2", "-3", "10")
    # Alias T1 is no value, b2 is one.
    assert found.slots == 5
    assert found.filled(("1", "2", "3", "4", "5")) == (
        "select t1 . name , 1 from t as t1 where a = 2 and b > 3 or c = 4 limit 5"
    )


def test_star_of_an_alias() -> None:
    assert template("SELECT count(T1.*) FROM t AS T1").words == (
        "select",
        "count",
        "(",
        "*",
        ")",
        "from",
        "t",
        "as",
        "t1",
    )


def test_a_text_is_replaced_wherever_it_stands() -> None:
    found = template("SELECT a FROM t WHERE b = '' AND c = 'it''s'")
    assert found.slots == 1
    assert found.values == ("''", "'it''s'")


def test_plugged() -> None:
    total, queries = plugged(
        "SELECT a FROM t WHERE b = 1 AND c = 'x' AND d = 1", "SELECT a FROM t WHERE c = 'y' LIMIT 3"
    )
    assert total == 4
    assert list(queries) == [
        f"select a from t where c = {one} limit {other}" for one in ("'x'", "1") for other in ("'x'", "1")
    ]
    assert plugged("SELECT a FROM t", "SELECT a FROM t WHERE b = 1")[0] == 0
    assert [*plugged("SELECT a FROM t WHERE b = 1", "SELECT A FROM t")[1]] == ["select a from t"]


def test_plugging_is_lazy() -> None:
    start = perf_counter()
    many = " AND ".join("a = 1" for _ in range(40))
    total, queries = plugged("SELECT a FROM t WHERE a = 1 OR a = 2", f"SELECT a FROM t WHERE {many}")
    assert total == 2**40
    assert len(list(islice(queries, 100))) == 100
    assert perf_counter() - start < 1
