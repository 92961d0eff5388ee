"""Taking sources out of a SELECT and putting them in, in place on a copy."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from distill.operators.base import add_condition, aliased_sources, conjuncts, identifier
from distill.operators.scope import owned_columns
from testsuite.schema.model import Schema, Table


def qualify(select: exp.Select, schema: Schema) -> None:
    """Write the alias before every column of the SELECT's own sources, so that more sources change no meaning."""
    written = {source.alias_or_name.lower(): source.alias_or_name for source in aliased_sources(select)}
    for node, reference in owned_columns(select, schema):
        if not node.table:
            node.set("table", identifier(written[reference.alias]))


def join_conditions(select: exp.Select) -> list[exp.Expr]:
    """The conjuncts of all ON clauses."""
    return [part for join in select.args.get("joins") or [] for part in conjuncts(join.args.get("on"))]


def drop_source(select: exp.Select, index: int, kept: Sequence[exp.Expr]) -> None:
    """Drop one source and put the ``kept`` ON conditions that do not name it back at the last join they need."""
    joins = list(select.args["joins"])
    if index == 0:
        select.args["from_"].set("this", joins[0].this.copy())
        joins.pop(0)
    else:
        joins.pop(index - 1)
    for join in joins:
        join.set("on", None)
    select.set("joins", joins)
    remaining = [s.alias_or_name.lower() for s in aliased_sources(select)]
    for condition in kept:
        names = {c.table.lower() for c in condition.find_all(exp.Column)}
        if not joins or not names <= set(remaining):
            continue
        last = max((remaining.index(name) for name in names), default=1)
        join = joins[max(last, 1) - 1]
        present = join.args.get("on")
        join.set("on", exp.And(this=present, expression=condition) if present else condition)


def plain(query: exp.Expr | None) -> bool:
    """True for a SELECT of one expression without grouping, sorting, limit or set operation."""
    return (
        isinstance(query, exp.Select)
        and len(query.expressions) == 1
        and not any(query.args.get(key) for key in ("group", "having", "order", "limit", "offset", "with_"))
        and bool(query.args.get("from_"))
    )


def join_members(outer: exp.Select, member: exp.In, schema: Schema) -> tuple[exp.EQ, list[exp.Expr]] | None:
    """Put the sources of ``x IN (SELECT y ...)`` beside those of the outer SELECT, joined on x = y.

    The membership itself stays: the caller takes it out. None where the subquery is not ``plain`` or a source is
    not a table.

    Returns:
        the new join's equality, and the subquery's conditions, not yet put anywhere.
    """
    inner = member.args["query"].this.copy()
    if not plain(inner) or not isinstance(inner.expressions[0].unalias(), exp.Column):
        return None
    if not all(isinstance(source, exp.Table) for source in aliased_sources(inner)):
        return None
    qualify(outer, schema)
    qualify(inner, schema)
    taken = {source.alias_or_name.lower() for source in aliased_sources(outer)}
    for source in aliased_sources(inner):
        old = source.alias_or_name
        if old.lower() not in taken:
            continue
        new = f"{old}_in"
        for node in list(inner.find_all(exp.Column)):
            if node.table.lower() == old.lower():
                node.set("table", identifier(new))
        source.set("alias", exp.TableAlias(this=identifier(new)))
    link = exp.EQ(this=member.this.copy(), expression=inner.expressions[0].unalias().copy())
    join = exp.Join(this=inner.args["from_"].this.copy(), on=link)
    for added in (join, *(j.copy() for j in inner.args.get("joins") or [])):
        outer.append("joins", added)
    where = inner.args.get("where")
    return link, [part.copy() for part in conjuncts(where.this)] if where else []


def add_all(select: exp.Select, parts: Sequence[exp.Expr]) -> None:
    """AND conditions to WHERE, in place."""
    for part in parts:
        add_condition(select, part)


def is_key(table: Table, names: Sequence[str]) -> bool:
    """Whether the columns hold a whole key of the table, so that no two rows agree in all of them."""
    given = {name.lower() for name in names}
    return any(key and {c.lower() for c in key} <= given for key in (table.primary_key, *table.uniques))


def repeats_count(select: exp.Select) -> bool:
    """Whether it matters how often the SELECT gives a row: not below DISTINCT, set operations, IN and EXISTS."""
    if select.args.get("distinct"):
        return False
    parent = select.parent.parent if isinstance(select.parent, exp.Subquery) else select.parent
    if isinstance(parent, exp.Union):
        return not parent.args.get("distinct")
    return not isinstance(parent, (exp.SetOperation, exp.In, exp.Exists))
