"""DISTINCT dropped or added, in SELECT and inside COUNT, SUM and AVG."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, replaced, selects, with_arg


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Every DISTINCT dropped; one added wherever there is none."""
    for select in selects(tree):
        dropped = select.args.get("distinct") is not None
        if not dropped and not select.args.get("from_"):
            continue
        yield with_arg(tree, select, "distinct", None if dropped else exp.Distinct())
    for node in tree.find_all(exp.Count, exp.Sum, exp.Avg):
        argument = node.this
        if isinstance(argument, exp.Distinct):
            if len(argument.expressions) == 1:
                yield replaced(tree, argument, argument.expressions[0].copy())
        elif argument is not None and not isinstance(argument, exp.Star):
            yield replaced(tree, argument, exp.Distinct(expressions=[argument.copy()]))


OPERATOR = Operator(
    "distinct",
    Family.DISTINCT,
    (
        Example("SELECT city FROM club", ("SELECT DISTINCT city FROM club",)),
        Example("SELECT DISTINCT city FROM club", ("SELECT city FROM club",)),
        Example("SELECT count(DISTINCT city) FROM club", ("SELECT COUNT(city) FROM club",)),
        Example("SELECT sum(age) FROM player", ("SELECT SUM(DISTINCT age) FROM player",)),
        Example("SELECT 1"),
    ),
    apply,
)
