"""ORDER BY a column or aggregate that is not selected: the wrong sort key."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, aggregates, edit
from distill.operators.scope import owned_columns

_MOST = 2


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each aggregate sort key by SUM, MAX and COUNT DISTINCT of used columns, or by the column itself."""
    for term in tree.find_all(exp.Ordered):
        select = term.find_ancestor(exp.Select)
        if select is None or not isinstance(term.parent, exp.Order) or term.parent.parent is not select:
            continue
        if not aggregates(term.this):
            continue
        used: dict[str, exp.Column] = {}
        for node, _ in owned_columns(select, context.schema):
            used.setdefault(node.sql("sqlite").lower(), node)
        for node in list(used.values())[:_MOST]:
            for key in (
                exp.Sum(this=node.copy()),
                exp.Max(this=node.copy()),
                exp.Count(this=exp.Distinct(expressions=[node.copy()])),
                node.copy(),
            ):
                if key != term.this:
                    copy, found = edit(tree, term)
                    found.set("this", key)
                    yield copy


OPERATOR = Operator(
    "order by wrong aggregate",
    Family.CLAUSES,
    (
        Example(
            "SELECT name FROM player GROUP BY name ORDER BY count(*) DESC LIMIT 1",
            (
                "SELECT name FROM player GROUP BY name ORDER BY SUM(name) DESC LIMIT 1",
                "SELECT name FROM player GROUP BY name ORDER BY name DESC LIMIT 1",
            ),
        ),
        Example("SELECT name FROM player ORDER BY age"),
    ),
    apply,
)
