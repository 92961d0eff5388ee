"""A join that only filters written as IN, and IN written as a join: they differ by repeated rows."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import (
    Context,
    Example,
    Family,
    Operator,
    add_condition,
    aliased_sources,
    conjuncts,
    edit,
    remove_condition,
    selects,
)
from distill.operators.scope import joins_columns, owned_columns, resolve, sources
from distill.operators.surgery import add_all, drop_source, is_key, join_conditions, join_members, repeats_count


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each joined table that is used only in one join equality and its own conditions, as ``IN (SELECT ...)``; each
    plain ``IN (SELECT ...)`` of a WHERE conjunction as a join. Left alone where the joined column is a key, or where
    repeated rows do not matter: there the two mean the same.
    """
    for select in selects(tree):
        if not repeats_count(select):
            continue
        for index in range(len(aliased_sources(select)) if select.args.get("joins") else 0):
            copy, found = edit(tree, select)
            assert isinstance(found, exp.Select)
            if _inwards(found, index, context):
                yield copy
        where = select.args.get("where")
        for node in conjuncts(where.this) if where else []:
            if isinstance(node, exp.In) and node.args.get("query") is not None:
                copy, member = edit(tree, node)
                outer = member.find_ancestor(exp.Select)
                assert isinstance(outer, exp.Select) and isinstance(member, exp.In)
                if _shows_key(node.args["query"].this, context):
                    continue
                joined = join_members(outer, member, context.schema)
                if joined is not None:
                    remove_condition(member)
                    add_all(outer, joined[1])
                    yield copy


def _inwards(select: exp.Select, index: int, context: Context) -> bool:
    source = aliased_sources(select)[index]
    alias = source.alias_or_name.lower()
    if sources(select, context.schema).get(alias) is None or any(j.side for j in select.args["joins"]):
        return False
    if any(item.find(exp.Star) for item in select.expressions):
        return False
    where = select.args.get("where")
    parts = [*join_conditions(select), *(conjuncts(where.this) if where else [])]
    owner = {id(node): reference.alias for node, reference in owned_columns(select, context.schema)}
    mine = {key for key, name in owner.items() if name == alias}
    own: list[exp.Expr] = []
    links: list[exp.Expr] = []
    for part in parts:
        columns = [id(node) for node in part.find_all(exp.Column)]
        mine -= set(columns)
        if columns and all(owner.get(c) == alias for c in columns) and not part.find(exp.Query):
            own.append(part)
        elif any(owner.get(c) == alias for c in columns):
            links.append(part)
    if mine or len(links) != 1 or not joins_columns(links[0]):
        return False
    link = links[0]
    here, there = (link.this, link.expression) if owner.get(id(link.this)) == alias else (link.expression, link.this)
    reference = resolve(here, context.schema) if isinstance(here, exp.Column) else None
    if reference is None or is_key(reference.table, [reference.column.name]):
        return False
    inner = exp.Select(expressions=[here.copy()], from_=exp.From(this=source.copy()))
    add_all(inner, [part.copy() for part in own])
    member = exp.In(this=there.copy(), query=exp.Subquery(this=inner))
    kept = [part.copy() for part in join_conditions(select) if not any(part is p for p in (*own, link))]
    for part in (*own, link):
        if part.find_ancestor(exp.Where, exp.Select) is where:
            remove_condition(part)
    drop_source(select, index, kept)
    add_condition(select, member)
    return True


def _shows_key(query: exp.Expr, context: Context) -> bool:
    """Whether a subquery's column is the key of its only table."""
    item = query.expressions[0].unalias() if isinstance(query, exp.Select) and query.expressions else None
    reference = resolve(item, context.schema) if isinstance(item, exp.Column) and not query.args.get("joins") else None
    return reference is not None and is_key(reference.table, [reference.column.name])


OPERATOR = Operator(
    "in for join",
    Family.SUBQUERIES,
    (
        Example(
            "SELECT c.name FROM club AS c JOIN player AS p ON c.id = p.club_id WHERE p.age > 20",
            ("SELECT c.name FROM club AS c WHERE c.id IN (SELECT p.club_id FROM player AS p WHERE p.age > 20)",),
        ),
        Example(
            "SELECT name FROM club WHERE id IN (SELECT club_id FROM player WHERE age > 20)",
            ("SELECT club.name FROM club JOIN player ON club.id = player.club_id WHERE player.age > 20",),
        ),
        Example("SELECT p.name FROM club AS c JOIN player AS p ON c.id = p.club_id WHERE c.city = 'Rome'"),
        Example("SELECT c.name, p.name FROM club AS c JOIN player AS p ON c.id = p.club_id"),
    ),
    apply,
)
