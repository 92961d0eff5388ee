"""Hardness, at the edges of its levels."""

from __future__ import annotations

import pytest

from testsuite.official import hardness, parse_official, read_official_tables

TABLES = read_official_tables(
    {
        "db_id": "d",
        "table_names_original": ["t", "u"],
        "column_names_original": [[-1, "*"], [0, "a"], [0, "b"], [0, "c"], [1, "d"]],
        "foreign_keys": [],
    }
)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT count(*) FROM t", "easy"),
        ("SELECT a FROM t WHERE b = 1", "easy"),
        ("SELECT a , b FROM t", "medium"),
        ("SELECT a , b FROM t WHERE c = 1 AND b = 2", "medium"),
        ("SELECT a FROM t WHERE b = 1 ORDER BY c", "medium"),
        ("SELECT a FROM t WHERE b LIKE 'x'", "medium"),
        ("SELECT a , b FROM t WHERE b = 1 ORDER BY c", "medium"),
        ("SELECT a FROM t ORDER BY b LIMIT 1", "medium"),
        ("SELECT a FROM t JOIN u ON a = d", "easy"),
        # Three others, two parts.
        ("SELECT max(a) , min(b) FROM t WHERE c = 1 AND b = 2", "hard"),
        ("SELECT a FROM t JOIN u ON a = d WHERE b = 1 ORDER BY c", "hard"),
        ("SELECT a FROM t WHERE b = 1 OR c = 1 ORDER BY c", "hard"),
        ("SELECT a FROM t WHERE b IN (SELECT d FROM u)", "hard"),
        ("SELECT a FROM t UNION SELECT d FROM u", "hard"),
        ("SELECT a FROM t WHERE b = 1 ORDER BY c LIMIT 1", "hard"),
        ("SELECT a FROM t JOIN u ON a = d WHERE b = 1 ORDER BY c LIMIT 1", "extra"),
        ("SELECT a , b FROM t WHERE b IN (SELECT d FROM u)", "extra"),
        ("SELECT a FROM t WHERE b IN (SELECT d FROM u) AND c IN (SELECT d FROM u)", "extra"),
        ("SELECT a FROM t WHERE b IN (SELECT d FROM u) UNION SELECT d FROM u", "extra"),
        # A connective in HAVING counts as an aggregate, the aggregates there do not.
        ("SELECT count(a) FROM t GROUP BY b HAVING count(c) > 1", "easy"),
        ("SELECT count(a) FROM t GROUP BY b HAVING count(c) > 1 AND sum(a) > 1", "medium"),
        ("SELECT a FROM t GROUP BY b HAVING count(c) > 1 AND sum(a) > 1", "easy"),
        # Two negated conditions count as two aggregates.
        ("SELECT a FROM t WHERE b NOT LIKE 'x' AND c NOT LIKE 'y'", "hard"),
        ("SELECT a FROM t WHERE b LIKE 'x' AND c LIKE 'y'", "hard"),
        ("SELECT a FROM t WHERE b NOT IN (SELECT d FROM u)", "hard"),
    ],
)
def test_levels(sql: str, expected: str) -> None:
    assert hardness(parse_official(sql, TABLES)) == expected


def test_a_negated_condition_counts_as_an_aggregate() -> None:
    plain = "SELECT count(a) FROM t WHERE b IN (SELECT d FROM u)"
    assert hardness(parse_official(plain, TABLES)) == "hard"
    assert hardness(parse_official(plain.replace(" IN ", " NOT IN "), TABLES)) == "extra"


def test_unknown() -> None:
    assert hardness(None) == "unknown"
