"""Another comparison operator: ``>`` for ``>=``, ``<>`` for ``=``, ..."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import COMPARISONS, Context, Example, Family, Operator, replaced
from distill.operators.scope import joins_columns

_OTHERS: dict[type[exp.Expr], tuple[type[exp.Binary], ...]] = {
    exp.GT: (exp.GTE, exp.LT, exp.EQ),
    exp.GTE: (exp.GT, exp.LTE, exp.EQ),
    exp.LT: (exp.LTE, exp.GT, exp.EQ),
    exp.LTE: (exp.LT, exp.GTE, exp.EQ),
    exp.EQ: (exp.NEQ, exp.GTE, exp.LTE),
    exp.NEQ: (exp.EQ, exp.GT),
}


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each comparison by each sensible other; equalities that join tables stay, and text is not ordered."""
    for node in tree.find_all(*COMPARISONS):
        if joins_columns(node):
            continue
        text = any(isinstance(side, exp.Literal) and side.is_string for side in (node.this, node.expression))
        for other in _OTHERS[type(node)]:
            if text and isinstance(node, (exp.EQ, exp.NEQ)) and other not in (exp.EQ, exp.NEQ):
                continue
            yield replaced(tree, node, other(this=node.this.copy(), expression=node.expression.copy()))


OPERATOR = Operator(
    "comparison",
    Family.CONDITIONS,
    (
        Example(
            "SELECT name FROM player WHERE age > 20",
            (
                "SELECT name FROM player WHERE age >= 20",
                "SELECT name FROM player WHERE age < 20",
                "SELECT name FROM player WHERE age = 20",
            ),
        ),
        Example("SELECT id FROM club WHERE city = 'Rome'", ("SELECT id FROM club WHERE city <> 'Rome'",)),
        Example("SELECT p.name FROM player AS p JOIN club AS c ON p.club_id = c.id"),
    ),
    apply,
)
