"""BETWEEN with strict or half-open bounds."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, replaced


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """BETWEEN with either or both bounds strict, with one bound only, with the bounds exchanged."""
    for node in tree.find_all(exp.Between):
        value, low, high = node.this, node.args["low"], node.args["high"]
        for lower, upper in ((exp.GT, exp.LT), (exp.GT, exp.LTE), (exp.GTE, exp.LT)):
            both = exp.And(
                this=lower(this=value.copy(), expression=low.copy()),
                expression=upper(this=value.copy(), expression=high.copy()),
            )
            yield replaced(tree, node, exp.Paren(this=both) if isinstance(node.parent, exp.Not) else both)
        yield replaced(tree, node, exp.GTE(this=value.copy(), expression=low.copy()))
        yield replaced(tree, node, exp.LTE(this=value.copy(), expression=high.copy()))
        copy, found = edit(tree, node)
        found.set("low", high.copy())
        found.set("high", low.copy())
        yield copy


OPERATOR = Operator(
    "between",
    Family.CONDITIONS,
    (
        Example(
            "SELECT id FROM player WHERE age BETWEEN 20 AND 30",
            (
                "SELECT id FROM player WHERE age > 20 AND age < 30",
                "SELECT id FROM player WHERE age >= 20",
                "SELECT id FROM player WHERE age <= 30",
            ),
        ),
        Example("SELECT id FROM player WHERE age > 20"),
    ),
    apply,
)
