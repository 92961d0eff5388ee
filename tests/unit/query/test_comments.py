"""Comments become blanks; what only looks like one stays."""

from __future__ import annotations

import pytest

from testsuite.query.comments import without_comments
from testsuite.query.order import ordered_text
from testsuite.query.parse import parse
from testsuite.query.text import render


@pytest.mark.parametrize(
    ("sql", "blanked"),
    [
        ("SELECT 1 -- one\nFROM t", "SELECT 1       \nFROM t"),
        ("SELECT/**/1", "SELECT    1"),
        ("SELECT 1 /* open", "SELECT 1        "),
        ("SELECT '--', \"/*\", `--`, [/*] FROM t -- '", "SELECT '--', \"/*\", `--`, [/*] FROM t     "),
        ("SELECT 'it''s --', 1", "SELECT 'it''s --', 1"),
        ("SELECT 1 - -1 / 2 * 3", "SELECT 1 - -1 / 2 * 3"),
    ],
)
def test_blanked(sql: str, blanked: str) -> None:
    assert without_comments(sql) == blanked


@pytest.mark.parametrize("between", ["/**/", " /* by */ ", "--\n", " -- order\n "])
def test_a_comment_between_order_and_by(between: str) -> None:
    sql = f"SELECT a FROM t GROUP{between}BY a ORDER{between}BY a"
    assert ordered_text(sql)
    assert render(parse(sql)) == "SELECT a FROM t GROUP BY a ORDER BY a"
