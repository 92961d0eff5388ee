"""The extreme with what stands beside it against the first of the sorted rows: they differ on no rows and on NULLs."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, aggregates, bare, edit, integer, selects


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """``SELECT MIN(k), x FROM t`` as ``SELECT k, x FROM t ORDER BY k LIMIT 1``, and grouped by ``x`` before that."""
    for select in selects(tree):
        if any(select.args.get(key) for key in ("group", "order", "having", "limit", "distinct")):
            continue
        items = [bare(item) for item in select.expressions]
        extremes = [i for i in items if isinstance(i, (exp.Max, exp.Min)) and isinstance(i.this, exp.Column)]
        others = [i for i in items if isinstance(i, exp.Column)]
        if len(extremes) != 1 or not others or len(extremes) + len(others) != len(items):
            continue
        descending = isinstance(extremes[0], exp.Max)
        for key, group in ((extremes[0].this, None), (extremes[0], exp.Group(expressions=[o.copy() for o in others]))):
            copy, found = edit(tree, select)
            found.set("expressions", [key.copy() if aggregates(item) else item.copy() for item in select.expressions])
            found.set("group", group)
            term = exp.Ordered(this=key.copy(), desc=descending or None, nulls_first=not descending)
            found.set("order", exp.Order(expressions=[term]))
            found.set("limit", exp.Limit(expression=integer(1)))
            yield copy


OPERATOR = Operator(
    "extreme as first row",
    Family.SUBQUERIES,
    (
        Example(
            "SELECT max(age), name FROM player",
            (
                "SELECT age, name FROM player ORDER BY age DESC LIMIT 1",
                "SELECT MAX(age), name FROM player GROUP BY name ORDER BY MAX(age) DESC LIMIT 1",
            ),
        ),
        Example("SELECT max(age), name FROM player GROUP BY name"),
    ),
    apply,
)
