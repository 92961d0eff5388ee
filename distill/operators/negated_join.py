"""NOT IN and EXCEPT written as a join with the opposite condition: "has one that is not" for "has none that is"."""

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
    edit,
    remove_condition,
    replaced,
    selects,
)
from distill.operators.scope import joins_columns
from distill.operators.surgery import join_members

_OPPOSITE: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.GT: exp.LTE,
    exp.GTE: exp.LT,
    exp.LT: exp.GTE,
    exp.LTE: exp.GT,
}


def opposite(condition: exp.Expr) -> exp.Expr:
    """The condition negated, comparisons by their opposites."""
    if isinstance(condition, exp.Not):
        inside: exp.Expr = condition.this.unnest().copy()
        return inside
    kind = _OPPOSITE.get(type(condition))
    if kind is not None and isinstance(condition, exp.Binary):
        return kind(this=condition.this.copy(), expression=condition.expression.copy())
    inner = condition.copy()
    return exp.Not(this=exp.Paren(this=inner) if isinstance(inner, (exp.And, exp.Or)) else inner)


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """``x NOT IN (SELECT y FROM t WHERE c)`` as a join on x = y WHERE NOT c, and as a join on x <> y; EXCEPT as its
    right side with the last condition negated.
    """
    for select in selects(tree):
        where = select.args.get("where")
        for node in conjuncts(where.this) if where else []:
            member = node.this.unnest() if isinstance(node, exp.Not) else None
            if isinstance(member, exp.In) and member.args.get("query") is not None:
                yield from _joined(tree, member, context)
    for node in tree.find_all(exp.Except):
        right = node.expression
        if isinstance(right, exp.Select) and isinstance(node.this, exp.Select) and right.args.get("where"):
            alone = right.copy()
            alone.set("expressions", [item.copy() for item in node.this.expressions])
            last = conjuncts(alone.args["where"].this)[-1]
            last.replace(opposite(last))
            if [bare(item) for item in node.this.expressions] == [bare(item) for item in right.expressions]:
                yield replaced(tree, node, alone)


def _joined(tree: exp.Expr, member: exp.In, context: Context) -> Iterator[exp.Expr]:
    for turned in (False, True):
        copy, found = edit(tree, member)
        outer = found.find_ancestor(exp.Select)
        assert isinstance(outer, exp.Select) and isinstance(found, exp.In)
        joined = join_members(outer, found, context.schema)
        if joined is None:
            return
        link, parts = joined
        remove_condition(found)
        filters = [number for number, part in enumerate(parts) if not joins_columns(part)]
        if turned:
            link.replace(exp.NEQ(this=link.this.copy(), expression=link.expression.copy()))
        elif not filters:
            continue
        for number, part in enumerate(parts):
            add_condition(outer, opposite(part) if not turned and number == filters[-1] else part)
        yield copy


OPERATOR = Operator(
    "join for not in",
    Family.SUBQUERIES,
    (
        Example(
            "SELECT name FROM club WHERE NOT id IN (SELECT club_id FROM player WHERE age > 30)",
            (
                "SELECT club.name FROM club JOIN player ON club.id = player.club_id WHERE player.age <= 30",
                "SELECT club.name FROM club JOIN player ON club.id <> player.club_id WHERE player.age > 30",
            ),
        ),
        Example(
            "SELECT city FROM club EXCEPT SELECT city FROM club WHERE founded < 1900",
            ("SELECT city FROM club WHERE founded >= 1900",),
        ),
        Example("SELECT name FROM club WHERE id IN (SELECT club_id FROM coach)"),
    ),
    apply,
)
