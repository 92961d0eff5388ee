"""The group with the most: the first of the sorted groups against every group that reaches the maximum."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, add_condition, aggregates, bare, edit, selects


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """``GROUP BY g ORDER BY a DESC LIMIT 1`` with an aggregate ``a`` as ``HAVING a = (SELECT MAX(a) ...)``, MIN where
    it sorts upwards.
    """
    for select in selects(tree):
        order, limit = select.args.get("order"), select.args.get("limit")
        if not select.args.get("group") or not order or not limit or str(limit.expression) != "1":
            continue
        term = order.expressions[0]
        key = unaliased(term.this, select)
        if len(order.expressions) != 1 or select.args.get("offset") or len(aggregates(key)) != 1:
            continue
        kind = exp.Max if term.args.get("desc") else exp.Min
        copy, found = edit(tree, select)
        assert isinstance(found, exp.Select)
        found.set("order", None)
        found.set("limit", None)
        counted = found.copy()
        counted.set("expressions", [exp.Alias(this=key.copy(), alias=exp.Identifier(this="extreme"))])
        counted.set("distinct", None)
        named = exp.Subquery(this=counted, alias=exp.TableAlias(this=exp.Identifier(this="counted")))
        inner = exp.Select(expressions=[kind(this=exp.column("extreme"))], from_=exp.From(this=named))
        add_condition(found, exp.EQ(this=key.copy(), expression=exp.Subquery(this=inner)), "having")
        yield copy


def unaliased(key: exp.Expr, select: exp.Select) -> exp.Expr:
    """What the sort key stands for, where it is the name of a select item."""
    for item in select.expressions:
        if isinstance(item, exp.Alias) and isinstance(key, exp.Column) and item.alias.lower() == key.name.lower():
            return bare(item)
    return key


OPERATOR = Operator(
    "superlative of groups",
    Family.SUBQUERIES,
    (
        Example(
            "SELECT city FROM club GROUP BY city ORDER BY count(*) DESC LIMIT 1",
            (
                "SELECT city FROM club GROUP BY city HAVING COUNT(*) = "
                "(SELECT MAX(extreme) FROM (SELECT COUNT(*) AS extreme FROM club GROUP BY city) AS counted)",
            ),
        ),
        Example("SELECT city FROM club GROUP BY city ORDER BY count(*) DESC LIMIT 3"),
    ),
    apply,
)
