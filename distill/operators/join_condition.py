"""A join without its condition."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, leaves, remove_condition


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each condition of ON dropped; the last one leaves a product."""
    for join in tree.find_all(exp.Join):
        for leaf in leaves(join.args.get("on")):
            copy, found = edit(tree, leaf)
            remove_condition(found)
            yield copy


OPERATOR = Operator(
    "join condition",
    Family.TABLES,
    (
        Example(
            "SELECT p.name FROM player AS p JOIN club AS c ON p.club_id = c.id",
            ("SELECT p.name FROM player AS p, club AS c",),
        ),
        Example("SELECT name FROM player"),
    ),
    apply,
)
