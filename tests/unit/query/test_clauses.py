"""Clauses of a query."""

from __future__ import annotations

import pytest

from testsuite.query.clauses import COMPONENT_NAMES, clauses


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT a FROM t", ("none of these",)),
        (
            "SELECT count(*) FROM t JOIN u ON t.i = u.i WHERE a = 1 OR b = 2 GROUP BY c HAVING count(*) > 1 LIMIT 3",
            ("aggregate", "join", "where", "or", "group by", "having", "limit"),
        ),
        ("SELECT DISTINCT a FROM t, u ORDER BY a", ("distinct", "join", "order by")),
        ("SELECT a FROM t UNION SELECT b FROM u", ("set operation",)),
        ("SELECT count(DISTINCT a) FROM (SELECT a FROM t)", ("aggregate", "distinct", "nested query")),
        ("SELECT a FROM t WHERE b IN (SELECT c FROM u)", ("where", "nested query")),
        ("SELECT FROM", ("unread",)),
    ],
)
def test_clauses(sql, found):
    assert clauses(sql) == found
    assert set(found) <= set(COMPONENT_NAMES)
