"""NOT dropped, or put before IN, LIKE, BETWEEN, EXISTS."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, replaced


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each NOT dropped, one added where there is none. IS NULL is left to the operator on NULLs."""
    for negated in tree.find_all(exp.Not):
        if not isinstance(negated.this, exp.Is):
            yield replaced(tree, negated, negated.this.copy())
    for node in tree.find_all(exp.In, exp.Like, exp.Between, exp.Exists):
        if not isinstance(node.parent, (exp.Not, exp.Escape)):
            yield replaced(tree, node, exp.Not(this=node.copy()))


OPERATOR = Operator(
    "not",
    Family.CONDITIONS,
    (
        Example(
            "SELECT name FROM club WHERE id IN (SELECT club_id FROM coach)",
            ("SELECT name FROM club WHERE NOT id IN (SELECT club_id FROM coach)",),
        ),
        Example("SELECT name FROM club WHERE name NOT LIKE 'A%'", ("SELECT name FROM club WHERE name LIKE 'A%'",)),
        Example("SELECT name FROM club WHERE name IS NOT NULL"),
    ),
    apply,
)
