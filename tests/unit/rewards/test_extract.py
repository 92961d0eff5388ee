"""Finding the query in what a model wrote."""

from __future__ import annotations

import pytest

from testsuite.rewards import extract_sql


@pytest.mark.parametrize(
    ("text", "sql"),
    [
        ("SELECT 1", "SELECT 1"),
        ("```sql\nSELECT a\nFROM t;\n```", "SELECT a\nFROM t;"),
        ("First\n```sql\nSELECT 1\n```\nbetter:\n```SQL\nSELECT 2\n```", "SELECT 2"),
        ("```python\nx = 1\n```\n```sql\nSELECT 1\n```\n```text\nno\n```", "SELECT 1"),
        ("```\nSELECT 3\n```", "SELECT 3"),
        ("```sql\nSELECT 4 FROM", "SELECT 4 FROM"),
        ("We select the name.\nSELECT name FROM t", "SELECT name FROM t"),
        ("The answer: SELECT name FROM t;", "SELECT name FROM t"),
        ("SELECT 1;\nSELECT 2;", "SELECT 2"),
        ("SELECT 'a;b' FROM t -- it's; so\n;", "SELECT 'a;b' FROM t -- it's; so"),
        ("WITH x AS (SELECT 1) SELECT * FROM x", "WITH x AS (SELECT 1) SELECT * FROM x"),
        ("SELECT a;\nThat is all, with one column.", "SELECT a"),
        ("I don't know", "I don't know"),
        ("", ""),
    ],
)
def test_the_query_is_found(text: str, sql: str) -> None:
    assert extract_sql(text) == sql
