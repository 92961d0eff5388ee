"""Constants with their columns, joined columns and used columns."""

from __future__ import annotations

import pytest

from testsuite.query.literals import constants, joined_columns, used_columns
from testsuite.query.parse import parse
from testsuite.schema.sql_text import read_sql_schema

SCHEMA = read_sql_schema(
    "CREATE TABLE emp (id INTEGER PRIMARY KEY, nm TEXT, age INTEGER, did INTEGER);"
    "CREATE TABLE dept (did INTEGER, city TEXT);",
    "tiny",
)
CONSTANTS = [
    ("SELECT nm FROM emp AS T1 WHERE T1.age > 30", [("emp", "age", 30, ">")]),
    ("SELECT nm FROM emp WHERE 30 >= age", [("emp", "age", 30, "<=")]),
    ("SELECT nm FROM emp WHERE age = -3.5", [("emp", "age", -3.5, "=")]),
    ("SELECT nm FROM emp WHERE age = - (4)", [("emp", "age", 4, "=")]),
    ("SELECT nm FROM emp WHERE age BETWEEN 1 AND 9", [("emp", "age", 1, "between"), ("emp", "age", 9, "between")]),
    ("SELECT nm FROM emp WHERE nm NOT IN ('a', \"b\")", [("emp", "nm", "a", "in"), ("emp", "nm", "b", "in")]),
    ('SELECT nm FROM emp WHERE nm = "age"', []),
    ("SELECT nm FROM emp WHERE nm NOT LIKE '%x%'", [("emp", "nm", "%x%", "like")]),
    ("SELECT nm FROM emp WHERE lower(nm) = 'bob'", [("emp", "nm", "bob", "=")]),
    ("SELECT did FROM emp GROUP BY did HAVING COUNT(*) > 3", [(None, None, 3, "count")]),
    ("SELECT COUNT(*) AS c FROM emp GROUP BY did HAVING c >= 2", [(None, None, 2, "count")]),
    ("SELECT did FROM emp GROUP BY did HAVING AVG(age) < 5", [("emp", "age", 5, "avg")]),
    ("SELECT x.k FROM (SELECT nm AS k FROM emp) AS x WHERE x.k = 'z'", [("emp", "nm", "z", "=")]),
    ("WITH w AS (SELECT city AS c FROM dept) SELECT c FROM w WHERE c <> 'q'", [("dept", "city", "q", "<>")]),
    ("SELECT nm FROM emp WHERE did IN (SELECT did FROM dept WHERE city = 'P')", [("dept", "city", "P", "=")]),
    ("SELECT nm FROM emp ORDER BY 1 LIMIT 5", [(None, None, 5, "limit")]),
    ("SELECT CASE city WHEN 'a' THEN 'one' END FROM dept", [("dept", "city", "a", "="), (None, None, "one", "")]),
    ("SELECT nm FROM emp WHERE (SELECT COUNT(*) FROM dept) > 2", [(None, None, 2, "count")]),
]


@pytest.mark.parametrize(("sql", "expected"), CONSTANTS)
def test_constants(sql: str, expected: list[tuple[object, ...]]) -> None:
    found = constants(parse(sql), SCHEMA)
    assert sorted(((c.table, c.column, c.value, c.operator) for c in found), key=str) == sorted(expected, key=str)


@pytest.mark.parametrize(
    ("sql", "pairs"),
    [
        ("SELECT 1 FROM emp AS a JOIN dept AS b ON a.did = b.did", {("emp.did", "dept.did")}),
        ("SELECT 1 FROM emp, dept WHERE dept.did = emp.id AND age > 3", {("dept.did", "emp.id")}),
        ("SELECT 1 FROM emp JOIN dept USING (did)", {("emp.did", "dept.did")}),
        ("SELECT 1 FROM emp NATURAL JOIN dept", {("emp.did", "dept.did")}),
        ("SELECT 1 FROM emp WHERE did IN (SELECT did FROM dept)", {("emp.did", "dept.did")}),
        ("SELECT 1 FROM emp AS e WHERE EXISTS (SELECT 1 FROM dept WHERE did = e.did)", {("dept.did", "emp.did")}),
        ("SELECT 1 FROM emp WHERE id = (SELECT MAX(did) FROM dept)", {("emp.id", "dept.did")}),
        ("SELECT 1 FROM emp WHERE age = 3", set()),
    ],
)
def test_joined_columns(sql: str, pairs: set[tuple[str, str]]) -> None:
    assert {(".".join(left), ".".join(right)) for left, right in joined_columns(parse(sql), SCHEMA)} == pairs


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ("SELECT * FROM dept", {"dept.did", "dept.city"}),
        ("SELECT COUNT(*) FROM emp", set()),
        ("SELECT e.nm FROM emp AS e ORDER BY age", {"emp.nm", "emp.age"}),
        ("SELECT x.c FROM (SELECT city AS c FROM dept) AS x", {"dept.city"}),
        ("SELECT 1 FROM emp JOIN dept USING (did)", {"emp.did", "dept.did"}),
        ('SELECT nm FROM emp WHERE nm = "no column"', {"emp.nm"}),
    ],
)
def test_used_columns(sql: str, columns: set[str]) -> None:
    assert {".".join(column) for column in used_columns(parse(sql), SCHEMA)} == columns
