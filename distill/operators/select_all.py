"""All columns where some were asked for."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, aggregates, edit


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """The outermost SELECT's list as ``*``, unless it groups, aggregates or has one already."""
    if not isinstance(tree, exp.Select) or tree.args.get("group") or not tree.args.get("from_"):
        return
    if any(item.find(exp.Star) or aggregates(item) for item in tree.expressions):
        return
    copy, found = edit(tree, tree)
    found.set("expressions", [exp.Star()])
    yield copy


OPERATOR = Operator(
    "select all",
    Family.COLUMNS,
    (
        Example("SELECT name, city FROM club", ("SELECT * FROM club",)),
        Example("SELECT count(*) FROM club"),
    ),
    apply,
)
