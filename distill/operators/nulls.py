"""NULLs: IS NULL against IS NOT NULL, IS NOT NULL added, COALESCE added and dropped."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import (
    Context,
    Example,
    Family,
    Operator,
    add_condition,
    edit,
    replaced,
    selects,
)
from distill.operators.scope import owned_columns
from testsuite.schema.model import Affinity

_MOST = 2


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """IS NULL turned; IS NOT NULL and COALESCE for nullable columns of select list and sort keys; COALESCE dropped."""
    for node in tree.find_all(exp.Is):
        if not isinstance(node.expression, exp.Null):
            continue
        parent = node.parent
        if isinstance(parent, exp.Not):
            yield replaced(tree, parent, node.copy())
        else:
            yield replaced(tree, node, exp.Not(this=node.copy()))
        empty = exp.EQ(this=node.this.copy(), expression=exp.Literal.string(""))
        outer = parent if isinstance(parent, exp.Not) else node
        yield replaced(tree, outer, exp.NEQ(**empty.args) if isinstance(parent, exp.Not) else empty)
    for first in tree.find_all(exp.Coalesce):
        yield replaced(tree, first, first.this.copy())
    for select in selects(tree):
        for shown in _shown(select, context):
            copy, found = edit(tree, select)
            assert isinstance(found, exp.Select)
            add_condition(found, exp.Not(this=exp.Is(this=shown.copy(), expression=exp.Null())))
            yield copy
    for call in tree.find_all(exp.Avg, exp.Sum, exp.Count):
        if isinstance(call.this, exp.Column):
            yield replaced(tree, call.this, _or_zero(call.this))
        if isinstance(call, exp.Sum):
            yield replaced(tree, call, _or_zero(call))


def _or_zero(value: exp.Expr) -> exp.Expr:
    return exp.Coalesce(this=value.copy(), expressions=[exp.Literal.number(0)])


def _shown(select: exp.Select, context: Context) -> list[exp.Column]:
    found: dict[str, exp.Column] = {}
    for node, reference in owned_columns(select, context.schema):
        holder: exp.Expr | None = node
        while holder is not None and holder.parent is not select:
            holder = holder.parent
        if holder is None or holder.arg_key not in ("expressions", "order", "group"):
            continue
        nullable = not reference.column.not_null and reference.column.affinity is not Affinity.BLOB
        if nullable and reference.column.name not in reference.table.primary_key:
            found.setdefault(node.sql("sqlite").lower(), node)
    return list(found.values())[:_MOST]


OPERATOR = Operator(
    "null",
    Family.CONDITIONS,
    (
        Example(
            "SELECT id FROM club WHERE city IS NULL",
            ("SELECT id FROM club WHERE NOT city IS NULL", "SELECT id FROM club WHERE city = ''"),
        ),
        Example("SELECT name FROM club", ("SELECT name FROM club WHERE NOT name IS NULL",)),
        Example(
            "SELECT sum(founded) FROM club",
            ("SELECT COALESCE(SUM(founded), 0) FROM club",),
        ),
        Example("SELECT COALESCE(name, 'none') FROM club", ("SELECT name FROM club",)),
        Example("SELECT id FROM player WHERE club_id = 1"),
    ),
    apply,
)
