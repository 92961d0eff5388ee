"""GROUP BY: other key, key dropped or added, clause dropped; by name instead of by id."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import (
    Context,
    Example,
    Family,
    Operator,
    aggregates,
    bare,
    column,
    edit,
    replaced,
    selects,
)
from distill.operators.scope import resolve

_MOST = 3


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each key by selected columns and by other columns of its table, the primary key first; keys dropped, added."""
    for select in selects(tree):
        group = select.args.get("group")
        items = [bare(i) for i in select.expressions if isinstance(bare(i), exp.Column) and not i.is_star]
        if group is None:
            if items and any(aggregates(i) for i in select.expressions):
                copy, found = edit(tree, select)
                found.set("group", exp.Group(expressions=[i.copy() for i in items]))
                yield copy
            continue
        keys = group.expressions
        for key in keys:
            if len(keys) > 1:
                copy, found = edit(tree, key)
                found.pop()
                yield copy
            for other in _others(key, items, context):
                yield replaced(tree, key, other)
        for item in items:
            if item not in keys:
                copy, found = edit(tree, group)
                found.append("expressions", item.copy())
                yield copy
        copy, found = edit(tree, select)
        found.set("group", None)
        having = found.args.get("having")
        if having and not aggregates(having.this):
            found.set("having", None)
        yield copy


def _others(key: exp.Expr, items: list[exp.Expr], context: Context) -> Iterator[exp.Expr]:
    for item in items:
        if item != key:
            yield item.copy()
    reference = resolve(key, context.schema) if isinstance(key, exp.Column) else None
    if reference is None:
        return
    names = [n for n in reference.table.primary_key if n.lower() != key.name.lower()]
    names += [c.name for c in reference.table.columns if c.name.lower() != key.name.lower()]
    for name in list(dict.fromkeys(names))[:_MOST]:
        yield column(key.args["table"].name if key.args.get("table") else None, name)


OPERATOR = Operator(
    "group by",
    Family.CLAUSES,
    (
        Example(
            "SELECT name, count(*) FROM player GROUP BY club_id",
            (
                "SELECT name, COUNT(*) FROM player GROUP BY name",
                "SELECT name, COUNT(*) FROM player GROUP BY id",
                "SELECT name, COUNT(*) FROM player GROUP BY club_id, name",
                "SELECT name, COUNT(*) FROM player",
            ),
        ),
        Example("SELECT city, count(*) FROM club", ("SELECT city, COUNT(*) FROM club GROUP BY city",)),
        Example("SELECT name FROM player"),
    ),
    apply,
)
