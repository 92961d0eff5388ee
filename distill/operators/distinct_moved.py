"""DISTINCT in the wrong place: before COUNT instead of inside it, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, selects


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """DISTINCT moved out of each COUNT before the select list, or from there into each COUNT."""
    for select in selects(tree):
        counts = [
            node
            for node in select.find_all(exp.Count)
            if node.find_ancestor(exp.Select) is select and not isinstance(node.this, exp.Star)
        ]
        for node in counts:
            if isinstance(node.this, exp.Distinct) and len(node.this.expressions) == 1:
                copy, found = edit(tree, node)
                outer = found.find_ancestor(exp.Select)
                assert outer is not None
                found.set("this", found.this.expressions[0])
                outer.set("distinct", exp.Distinct())
                yield copy
            elif select.args.get("distinct"):
                copy, found = edit(tree, node)
                outer = found.find_ancestor(exp.Select)
                assert outer is not None
                found.set("this", exp.Distinct(expressions=[found.this]))
                outer.set("distinct", None)
                yield copy


OPERATOR = Operator(
    "distinct moved",
    Family.DISTINCT,
    (
        Example("SELECT count(DISTINCT city) FROM club", ("SELECT DISTINCT COUNT(city) FROM club",)),
        Example("SELECT DISTINCT count(city) FROM club", ("SELECT COUNT(DISTINCT city) FROM club",)),
        Example("SELECT DISTINCT city FROM club"),
    ),
    apply,
)
