"""COUNT(*) against COUNT(column), with and without DISTINCT; COUNT of the wrong column."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, column, replaced
from distill.operators.scope import owned_columns, resolve

_MOST = 3


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """COUNT(*): COUNT and COUNT DISTINCT of columns the SELECT uses. COUNT(x): COUNT(*) and other columns."""
    for node in tree.find_all(exp.Count):
        select = node.find_ancestor(exp.Select)
        argument = node.this
        if select is None or argument is None:
            continue
        if not isinstance(argument, exp.Star):
            yield replaced(tree, node, exp.Count(this=exp.Star(), big_int=True))
            distinct = isinstance(argument, exp.Distinct)
            inner = argument.expressions[0] if distinct else argument
            reference = resolve(inner, context.schema) if isinstance(inner, exp.Column) else None
            if reference is None:
                continue
            others = [c.name for c in reference.table.columns if c is not reference.column][:_MOST]
            for name in others:
                new: exp.Expr = column(inner.table or None, name)
                yield replaced(tree, node, exp.Count(this=exp.Distinct(expressions=[new]) if distinct else new))
            continue
        seen: dict[str, exp.Column] = {}
        for used, _ in owned_columns(select, context.schema):
            seen.setdefault(used.sql("sqlite").lower(), used)
        for used in list(seen.values())[: _MOST + 1]:
            yield replaced(tree, node, exp.Count(this=used.copy()))
            yield replaced(tree, node, exp.Count(this=exp.Distinct(expressions=[used.copy()])))


OPERATOR = Operator(
    "count",
    Family.FUNCTIONS,
    (
        Example(
            "SELECT city, count(*) FROM club GROUP BY city",
            (
                "SELECT city, COUNT(city) FROM club GROUP BY city",
                "SELECT city, COUNT(DISTINCT city) FROM club GROUP BY city",
            ),
        ),
        Example(
            "SELECT count(DISTINCT city) FROM club",
            ("SELECT COUNT(*) FROM club", "SELECT COUNT(DISTINCT name) FROM club"),
        ),
        Example("SELECT max(age) FROM player"),
    ),
    apply,
)
