"""INTERSECT and EXCEPT of names against IN on the key: one row that is in both, or two rows of one name."""

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
    column,
    conjuncts,
    edit,
    remove_condition,
    replaced,
)
from distill.operators.scope import Reference, resolve
from distill.operators.surgery import is_key, qualify


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Set operations on one column that is no key as IN or NOT IN on the key of its table, with DISTINCT and without;
    IN or NOT IN on a key, of a SELECT that shows another column, as a set operation on that column.
    """
    for node in tree.find_all(exp.Except, exp.Intersect):
        left, right = node.this, node.expression
        if not isinstance(left, exp.Select) or not isinstance(right, exp.Select):
            continue
        one, other = _shown(left, context), _shown(right, context)
        if one is None or other is None or one.key != other.key or left.args.get("group") or right.args.get("group"):
            continue
        for distinct in (True, False):
            yield replaced(tree, node, _by_key(node, left, right, (one, other), context, distinct))
    if isinstance(tree, exp.Select) and not any(tree.args.get(key) for key in ("group", "order", "limit")):
        yield from _by_name(tree, context)


def _shown(select: exp.Select, context: Context) -> Reference | None:
    """The only column that a SELECT shows, where it is none of a key and its table has a key of one column."""
    item = bare(select.expressions[0]) if len(select.expressions) == 1 else None
    reference = resolve(item, context.schema) if isinstance(item, exp.Column) else None
    if reference is None or reference.select is not select or len(reference.table.primary_key) != 1:
        return None
    return None if is_key(reference.table, [reference.column.name]) else reference


def _by_key(
    node: exp.SetOperation,
    left: exp.Select,
    right: exp.Select,
    shown: tuple[Reference, Reference],
    context: Context,
    distinct: bool,
) -> exp.Select:
    new, inner = left.copy(), right.copy()
    qualify(new, context.schema)
    qualify(inner, context.schema)
    key = shown[0].table.primary_key[0]
    inner.set("expressions", [column(shown[1].alias, key)])
    inner.set("distinct", None)
    inside: exp.Expr = exp.In(this=column(shown[0].alias, key), query=exp.Subquery(this=inner))
    add_condition(new, inside if isinstance(node, exp.Intersect) else exp.Not(this=inside))
    if distinct:
        new.set("distinct", exp.Distinct())
    for name in ("order", "limit", "offset"):
        if node.args.get(name):
            new.set(name, node.args[name].copy())
    return new


def _by_name(tree: exp.Select, context: Context) -> Iterator[exp.Expr]:
    shown = _shown(tree, context)
    where = tree.args.get("where")
    if shown is None or where is None:
        return
    for part in conjuncts(where.this):
        member = part.this if isinstance(part, exp.Not) else part
        if (
            not isinstance(member, exp.In)
            or member.args.get("query") is None
            or not isinstance(member.this, exp.Column)
        ):
            continue
        reference = resolve(member.this, context.schema)
        if reference is None or reference.alias != shown.alias or not is_key(shown.table, [reference.column.name]):
            continue
        right = tree.copy()
        right.set("where", exp.Where(this=member.copy()))
        left, found = edit(tree, part)
        remove_condition(found)
        kind = exp.Except if isinstance(part, exp.Not) else exp.Intersect
        yield kind(this=left, expression=right, distinct=True)


OPERATOR = Operator(
    "names for keys",
    Family.SUBQUERIES,
    (
        Example(
            "SELECT name FROM player WHERE age > 20 INTERSECT SELECT name FROM player WHERE height < 1.8",
            (
                "SELECT DISTINCT player.name FROM player WHERE player.age > 20 AND player.id IN "
                "(SELECT player.id FROM player WHERE player.height < 1.8)",
            ),
        ),
        Example(
            "SELECT name FROM club EXCEPT SELECT c.name FROM club AS c JOIN player AS p ON c.id = p.club_id",
            (
                "SELECT club.name FROM club WHERE NOT club.id IN "
                "(SELECT c.id FROM club AS c JOIN player AS p ON c.id = p.club_id)",
            ),
        ),
        Example(
            "SELECT name FROM club WHERE city = 'Rome' AND NOT id IN (SELECT club_id FROM player)",
            (
                "SELECT name FROM club WHERE city = 'Rome' EXCEPT "
                "SELECT name FROM club WHERE id IN (SELECT club_id FROM player)",
            ),
        ),
        Example("SELECT id FROM club EXCEPT SELECT club_id FROM coach"),
    ),
    apply,
)
