"""Conditions taken apart, and which of the prediction's stands for which of the gold's."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from testsuite.explain.edits import has_query, text
from testsuite.query.scope import unwrap

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Like, exp.Glob, exp.Is)
# Below this two conditions have nothing to do with each other.
_LEAST = 2


def comparable(node: exp.Expr) -> bool:
    """Whether a condition is one comparison of two values."""
    return isinstance(node, _COMPARISONS)


def parts_of(node: exp.Expr | None, connector: type[exp.Expr]) -> list[exp.Expr]:
    """The conditions that AND (or OR) joins, parentheses taken off."""
    if node is None:
        return []
    node = unwrap(node)
    if isinstance(node, connector):
        return [*parts_of(node.this, connector), *parts_of(node.expression, connector)]
    return [node]


def combine(parts: Sequence[exp.Expr], connector: type[exp.Expr]) -> exp.Expr | None:
    """Conditions joined again; None for none."""
    whole: exp.Expr | None = None
    for part in parts:
        closed = exp.Paren(this=part) if isinstance(part, (exp.And, exp.Or)) and len(parts) > 1 else part
        whole = closed if whole is None else connector(this=whole, expression=closed)
    return whole


def similar(own: Sequence[exp.Expr], gold: Sequence[exp.Expr]) -> dict[int, int]:
    """Which of the gold's conditions each of the prediction's stands for; the most alike first."""
    scores = sorted(
        (-_score(p, g), i, j) for i, p in enumerate(own) for j, g in enumerate(gold) if _score(p, g) >= _LEAST
    )
    pairs: dict[int, int] = {}
    for _, i, j in scores:
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def _score(p: exp.Expr, g: exp.Expr) -> int:
    if text(p) == text(g):
        return 100
    mine, theirs = (
        {column.name.lower() for column in part.find_all(exp.Column) if column.find_ancestor(exp.Select) is _top(part)}
        for part in (p, g)
    )
    score = 4 * (mine == theirs and bool(mine)) or 2 * bool(mine & theirs)
    score += _naked(p) is _naked(g)
    score += 2 * (has_query(p) and has_query(g))
    score += bool({text(n) for n in p.find_all(exp.Literal)} & {text(n) for n in g.find_all(exp.Literal)})
    return score


def _top(part: exp.Expr) -> exp.Expr | None:
    return part.find_ancestor(exp.Select)


def _naked(node: exp.Expr) -> type[exp.Expr]:
    while isinstance(node, (exp.Not, exp.Paren)):
        node = node.this
    return type(node)
