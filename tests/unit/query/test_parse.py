"""Reading queries: what is taken, what is refused, and that the tree means what SQLite reads."""

from __future__ import annotations

import sqlite3

import pytest
from sqlglot import exp

from testsuite.query.order import ordered_text
from testsuite.query.parse import Unparsed, parse
from testsuite.query.text import render

REFUSED = {
    "": "empty",
    "  -- nothing": "empty",
    ";": "empty",
    "DROP TABLE t": "not a query",
    "EXPLAIN SELECT 1": "not a query",
    "(SELECT 1)": "not a query",
    "SELECT 1; SELECT 2": "more than one statement",
    "SELECT FROM WHERE": "cannot be parsed",
    "SELECT 'open": "cannot be tokenized",
    "SELECT CAST(a AS STRING) FROM t": "CAST type",
    "VALUES (1, 2), (3)": "VALUES",
}


@pytest.mark.parametrize(("sql", "reason"), REFUSED.items())
def test_refused(sql: str, reason: str) -> None:
    with pytest.raises(Unparsed, match=reason):
        parse(sql)


def test_comments_and_semicolons_are_dropped() -> None:
    tree = parse("-- a\nSELECT /* b */ 1 -- c\n;")
    assert render(tree) == "SELECT 1"


def test_values_become_selects() -> None:
    tree = parse("VALUES (1, 'a'), (2, NULL)")
    assert isinstance(tree, exp.Union)
    assert sqlite3.connect(":memory:").execute(render(tree)).fetchall() == [(1, "a"), (2, None)]
    assert tree.named_selects == ["column1", "column2"]


OPERATORS = (
    "||",
    "*",
    "/",
    "%",
    "+",
    "-",
    "<<",
    ">>",
    "&",
    "|",
    "<",
    "<=",
    ">",
    "=",
    "<>",
    "IS",
    "IS NOT",
    "AND",
    "OR",
    "LIKE",
    "GLOB",
    "==",
)


@pytest.mark.parametrize("first", OPERATORS)
def test_operators_group_as_in_sqlite(first: str) -> None:
    """Text from the tree with every operation in parentheses gives what SQLite gives for the plain text."""
    connection = sqlite3.connect(":memory:")
    for second in OPERATORS:
        for prefix in ("", "NOT ", "-"):
            sql = f"SELECT {prefix}7 {first} 2 {second} 3, {prefix}0 {first} '1' {second} NULL"
            try:
                tree = parse(sql)
            except Unparsed:
                continue
            for node in list(tree.find_all(exp.Binary, exp.Not, exp.Neg)):
                if not isinstance(node.parent, exp.Paren):
                    node.replace(exp.Paren(this=node.copy()))
            assert connection.execute(render(tree)).fetchall() == connection.execute(sql).fetchall(), sql


CASTS = (
    "INT",
    "INTEGER",
    "BIGINT",
    "REAL",
    "FLOAT",
    "DOUBLE",
    "NUMERIC",
    "DECIMAL(10, 2)",
    "DATE",
    "DATETIME",
    "BOOLEAN",
    "TEXT",
    "VARCHAR(20)",
    "CHAR",
    "BLOB",
    "UNSIGNED",
    "TIMESTAMP",
    "DOUBLE PRECISION",
)


@pytest.mark.parametrize("kind", CASTS)
def test_casts_keep_sqlite_affinity(kind: str) -> None:
    connection = sqlite3.connect(":memory:")
    for value in ("'12abc'", "3.9", "'2020-01-05'", "7", "'5'", "'1e3'"):
        sql = f"SELECT CAST({value} AS {kind}), typeof(CAST({value} AS {kind}))"
        assert connection.execute(render(parse(sql))).fetchall() == connection.execute(sql).fetchall()


@pytest.mark.parametrize(
    ("sql", "ordered"),
    [
        ("SELECT a FROM t ORDER  BY a", True),
        ("SELECT a FROM t order\nby a", True),
        ("SELECT a FROM t WHERE b = 'order by phone'", False),
        ("SELECT a, rank() OVER (ORDER BY b) FROM t", False),
        ("SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 1) -- ORDER BY a", False),
        ("SELECT 'open", True),
    ],
)
def test_ordered_text(sql: str, ordered: bool) -> None:
    assert ordered_text(sql) is ordered
