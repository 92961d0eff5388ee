"""NOT IN against EXCEPT, IN against INTERSECT, OR and AND against UNION and INTERSECT."""

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
    edit,
    remove_condition,
    replaced,
)


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """One-column EXCEPT and INTERSECT as NOT IN and IN; NOT IN and IN on a selected column as EXCEPT and INTERSECT;
    branches that differ in WHERE only as one SELECT with both conditions.
    """
    for node in tree.find_all(exp.Except, exp.Intersect, exp.Union):
        left, right = node.this, node.expression
        if not isinstance(left, exp.Select) or not isinstance(right, exp.Select):
            continue
        if isinstance(node, (exp.Except, exp.Intersect)) and len(left.expressions) == 1:
            item = bare(left.expressions[0])
            if isinstance(item, exp.Column) and not item.is_star and not left.args.get("group"):
                inside: exp.Expr = exp.In(this=item.copy(), query=exp.Subquery(this=right.copy()))
                new = left.copy()
                add_condition(new, inside if isinstance(node, exp.Intersect) else exp.Not(this=inside))
                yield replaced(tree, node, _tail(node, new))
        merged = _merged(node, left, right)
        if merged is not None:
            yield replaced(tree, node, _tail(node, merged))
    if isinstance(tree, exp.Select) and len(tree.expressions) == 1 and not tree.args.get("order"):
        item = bare(tree.expressions[0])
        for member in tree.find_all(exp.In):
            query = member.args.get("query")
            if query is None or not isinstance(item, exp.Column) or member.find_ancestor(exp.Select) is not tree:
                continue
            if member.this.name.lower() != item.name.lower() or member.find_ancestor(exp.Or):
                continue
            negated = isinstance(member.parent, exp.Not)
            copy, found = edit(tree, member)
            inner = found.args["query"].this.copy()
            remove_condition(found)
            if isinstance(inner, exp.Select):
                kind = exp.Except if negated else exp.Intersect
                yield kind(this=copy, expression=inner, distinct=True)


def _merged(node: exp.Expr, left: exp.Select, right: exp.Select) -> exp.Select | None:
    if left.args.get("where") is None or right.args.get("where") is None or left.args.get("group"):
        return None
    one, two = left.copy(), right.copy()
    one.set("where", None)
    two.set("where", None)
    if one != two:
        return None
    first, second = left.args["where"].this.copy(), right.args["where"].this.copy()
    if isinstance(node, exp.Union):
        condition: exp.Expr = exp.Or(this=first, expression=second)
    else:
        other = exp.Paren(this=second) if isinstance(second, (exp.Or, exp.And)) else second
        head = exp.Paren(this=first) if isinstance(first, exp.Or) else first
        condition = exp.And(this=head, expression=exp.Not(this=other) if isinstance(node, exp.Except) else other)
    one.set("where", exp.Where(this=condition))
    return one


def _tail(node: exp.Expr, new: exp.Select) -> exp.Select:
    for key in ("order", "limit", "offset"):
        if node.args.get(key):
            new.set(key, node.args[key].copy())
    return new


OPERATOR = Operator(
    "not in for except",
    Family.SUBQUERIES,
    (
        Example(
            "SELECT id FROM club EXCEPT SELECT club_id FROM coach",
            ("SELECT id FROM club WHERE NOT id IN (SELECT club_id FROM coach)",),
        ),
        Example(
            "SELECT name FROM club WHERE NOT name IN (SELECT name FROM coach)",
            ("SELECT name FROM club EXCEPT SELECT name FROM coach",),
        ),
        Example(
            "SELECT name FROM player WHERE age = 20 INTERSECT SELECT name FROM player WHERE age = 30",
            ("SELECT name FROM player WHERE age = 20 AND age = 30",),
        ),
        Example("SELECT name FROM player"),
    ),
    apply,
)
