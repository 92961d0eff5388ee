"""A subquery over all rows against one over the rows that belong to the outer row."""

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
    column,
    edit,
    identifier,
    remove_condition,
    selects,
)
from distill.operators.scope import joins_columns, owned_columns, resolve, sources
from distill.operators.surgery import qualify
from testsuite.schema.model import Table

_MOST = 2
_ALIAS = "inside"


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each equality with an outer column dropped from a subquery; an uncorrelated subquery on one table tied to the
    outer row, by a reference of that table, or by the key between the two tables.
    """
    for select in selects(tree):
        outer = select.find_ancestor(exp.Select)
        if outer is None or not isinstance(select.parent, (exp.Subquery, exp.In, exp.Exists)):
            continue
        if select.find_ancestor(exp.From, exp.Join) or not select.args.get("from_"):
            continue
        ties = [
            node
            for node in select.find_all(exp.EQ)
            if joins_columns(node)
            and any(
                isinstance(side, exp.Column) and (r := resolve(side, context.schema)) and r.select is outer
                for side in (node.this, node.expression)
            )
        ]
        for node in ties:
            copy, found = edit(tree, node)
            remove_condition(found)
            yield copy
        if not ties and not select.args.get("joins") and not select.args.get("limit"):
            yield from _tied(tree, select, outer, context)


def _tied(tree: exp.Expr, select: exp.Select, outer: exp.Select, context: Context) -> Iterator[exp.Expr]:
    inner = next(iter(sources(select, context.schema).values()), None)
    if inner is None:
        return
    shown = {r.column.name.lower() for _, r in owned_columns(select, context.schema)}
    made = 0
    for source in aliased_sources(outer):
        table = sources(outer, context.schema).get(source.alias_or_name.lower())
        for mine, theirs in _links(inner, table, shown) if table is not None else []:
            if made == _MOST:
                return
            copy, found = edit(tree, select)
            above = found.find_ancestor(exp.Select)
            assert isinstance(found, exp.Select) and isinstance(above, exp.Select)
            qualify(above, context.schema)
            qualify(found, context.schema)
            own = aliased_sources(found)[0]
            name = own.alias_or_name
            if name.lower() == source.alias_or_name.lower():
                for node in found.find_all(exp.Column):
                    if node.table.lower() == name.lower():
                        node.set("table", identifier(_ALIAS))
                own.set("alias", exp.TableAlias(this=identifier(_ALIAS)))
                name = _ALIAS
            add_condition(found, exp.EQ(this=column(name, mine), expression=column(source.alias_or_name, theirs)))
            made += 1
            yield copy


def _links(inner: Table, outer: Table, shown: set[str]) -> Iterator[tuple[str, str]]:
    """Pairs of columns, of the inner and of the outer table, that may tie the two."""
    if inner is outer:
        for key in inner.foreign_keys:
            if len(key.columns) == 1:
                yield key.columns[0], key.columns[0]
        return
    for child, parent, turned in ((inner, outer, False), (outer, inner, True)):
        for key in child.foreign_keys:
            if len(key.columns) == 1 and key.parent.lower() == parent.name.lower():
                pair = (key.columns[0], key.parent_columns[0])
                mine, theirs = pair[::-1] if turned else pair
                if mine.lower() not in shown:
                    yield mine, theirs


OPERATOR = Operator(
    "correlation",
    Family.SUBQUERIES,
    (
        Example(
            "SELECT name FROM player WHERE age > (SELECT avg(age) FROM player)",
            (
                "SELECT player.name FROM player WHERE player.age > (SELECT AVG(inside.age) FROM player AS inside "
                "WHERE inside.club_id = player.club_id)",
            ),
        ),
        Example(
            "SELECT name FROM club WHERE (SELECT count(*) FROM player WHERE player.club_id = club.id) > 3",
            ("SELECT name FROM club WHERE (SELECT COUNT(*) FROM player) > 3",),
        ),
        Example("SELECT name FROM player WHERE age > 20"),
    ),
    apply,
)
