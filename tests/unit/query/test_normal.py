"""Normal text: one for spellings of one query, never one for two meanings."""

from __future__ import annotations

import pytest

from testsuite.query.normal import normal_text
from testsuite.query.parse import parse

SAME = [
    ("SELECT a FROM t", "select  A\nfrom T ;"),
    ("SELECT x.a FROM t AS x", "SELECT y.a FROM t y"),
    ("SELECT t.[a] FROM `t`", "SELECT t.a FROM t"),
    ("SELECT T1.a FROM t AS T1 JOIN u AS T2 ON T1.a = T2.b", "SELECT x.a FROM t x JOIN u y ON x.a == y.b"),
    ("SELECT a FROM t WHERE b = 'X' -- c", "SELECT a FROM t WHERE b = 'X'"),
    ("SELECT q.n FROM (SELECT a AS n FROM t) AS q", "SELECT r.N FROM (SELECT A AS N FROM t) r"),
]
DIFFERENT = [
    ("SELECT a FROM t WHERE b = 'X'", "SELECT a FROM t WHERE b = 'x'"),
    ('SELECT a FROM t WHERE b = "X"', 'SELECT a FROM t WHERE b = "x"'),
    ('SELECT a FROM t WHERE b = "c"', "SELECT a FROM t WHERE b = c"),
    ("SELECT a FROM t WHERE b = 'c'", 'SELECT a FROM t WHERE b = "c"'),
    ("SELECT a AS x FROM t", "SELECT a AS y FROM t"),
    ("SELECT x.a FROM t AS x, u AS y", "SELECT y.a FROM t AS x, u AS y"),
    ("SELECT u.a FROM t AS u", "SELECT u.a FROM t AS u, u AS t"),
    ("SELECT a FROM t LIMIT 1", "SELECT a FROM t LIMIT 2"),
    ("SELECT DISTINCT a FROM t", "SELECT a FROM t"),
    ("SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER BY a DESC"),
    ("SELECT a FROM t UNION SELECT a FROM u", "SELECT a FROM t UNION ALL SELECT a FROM u"),
    (
        "SELECT a FROM t AS x WHERE EXISTS (SELECT 1 FROM u AS x WHERE x.b = 1)",
        "SELECT a FROM t AS x WHERE EXISTS (SELECT 1 FROM u AS y WHERE x.b = 1)",
    ),
    ("SELECT x.a FROM t AS x JOIN t AS y ON x.a = y.b", "SELECT y.a FROM t AS x JOIN t AS y ON x.a = y.b"),
]


@pytest.mark.parametrize(("one", "two"), SAME)
def test_spellings(one: str, two: str) -> None:
    assert normal_text(parse(one)) == normal_text(parse(two))


@pytest.mark.parametrize(("one", "two"), DIFFERENT)
def test_meanings(one: str, two: str) -> None:
    assert normal_text(parse(one)) != normal_text(parse(two))


def test_argument_is_left_alone_and_normal_text_is_its_own() -> None:
    tree = parse("SELECT X.A FROM T AS X")
    before = tree.copy()
    text = normal_text(tree)
    assert tree == before
    assert normal_text(parse(text)) in (text, text.replace("__t1", "__T1"))
