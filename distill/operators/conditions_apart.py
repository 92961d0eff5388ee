"""Conditions on one row written as a set operation of two queries."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import (
    Context,
    Example,
    Family,
    Operator,
    add_condition,
    bare,
    conjuncts,
    is_aggregate,
    replaced,
    selects,
)
from distill.operators.scope import joins_columns, resolve, sources
from distill.operators.surgery import is_key, repeats_count

_MOST = 3


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """``WHERE p AND q`` as INTERSECT, up to three conditions each apart, BETWEEN by its bounds; ``p OR q`` as UNION.
    Not where the two mean the same: UNION below DISTINCT, INTERSECT of rows that show their key.
    """
    for select in selects(tree):
        where = select.args.get("where")
        if not where or is_aggregate(select) or not isinstance(select.parent, (exp.Subquery, type(None))):
            continue
        if any(select.args.get(key) for key in ("group", "having", "order", "limit", "with_")):
            continue
        if select.find_ancestor(exp.From, exp.Join):
            continue
        condition = where.this.unnest()
        if isinstance(condition, exp.Or):
            if repeats_count(select):
                yield replaced(tree, select, _both(exp.Union, select, condition.this, condition.expression, []))
            continue
        if _shows_key(select, context):
            continue
        parts = conjuncts(where.this)
        filters = [part for part in parts if not joins_columns(part)]
        for part in filters[:_MOST]:
            rest = [other for other in parts if other is not part and other in filters]
            shared = [other for other in parts if other not in filters]
            if isinstance(part, exp.Between):
                low = exp.GTE(this=part.this.copy(), expression=part.args["low"].copy())
                high = exp.LTE(this=part.this.copy(), expression=part.args["high"].copy())
                yield replaced(tree, select, _both(exp.Intersect, select, low, high, [*shared, *rest]))
            if rest:
                one = exp.and_(*(other.copy() for other in rest), copy=False, wrap=True)
                yield replaced(tree, select, _both(exp.Intersect, select, one, part, shared))


def _shows_key(select: exp.Select, context: Context) -> bool:
    """Whether the selected columns hold a key of every source."""
    shown: dict[str, list[str]] = {alias: [] for alias in sources(select, context.schema)}
    for item in select.expressions:
        column = bare(item)
        reference = resolve(column, context.schema) if isinstance(column, exp.Column) else None
        if reference is not None and reference.alias in shown:
            shown[reference.alias].append(reference.column.name)
    tables = sources(select, context.schema)
    return all(table is not None and is_key(table, shown[alias]) for alias, table in tables.items())


def _both(
    kind: type[exp.SetOperation], select: exp.Select, left: exp.Expr, right: exp.Expr, shared: list[exp.Expr]
) -> exp.SetOperation:
    sides = []
    for condition in (left, right):
        copy = select.copy()
        copy.set("where", None)
        for part in (*shared, condition):
            add_condition(copy, part.unnest().copy())
        sides.append(copy)
    return kind(this=sides[0], expression=sides[1], distinct=True)


OPERATOR = Operator(
    "set operation for conditions",
    Family.CLAUSES,
    (
        Example(
            "SELECT city FROM club WHERE founded > 1900 AND name = 'A'",
            ("SELECT city FROM club WHERE name = 'A' INTERSECT SELECT city FROM club WHERE founded > 1900",),
        ),
        Example(
            "SELECT city FROM club WHERE founded > 1900 OR name = 'A'",
            ("SELECT city FROM club WHERE founded > 1900 UNION SELECT city FROM club WHERE name = 'A'",),
        ),
        Example(
            "SELECT city FROM club WHERE founded BETWEEN 1900 AND 1950",
            ("SELECT city FROM club WHERE founded >= 1900 INTERSECT SELECT city FROM club WHERE founded <= 1950",),
        ),
        Example("SELECT id, city FROM club WHERE founded > 1900 AND name = 'A'"),
        Example("SELECT DISTINCT city FROM club WHERE founded > 1900 OR name = 'A'"),
        Example("SELECT city FROM club WHERE founded > 1900"),
        Example("SELECT count(*) FROM club WHERE founded > 1900 AND name = 'A'"),
    ),
    apply,
)
