"""A condition on a joined table put on the key that leads to it, and the join left out."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import (
    COMPARISONS,
    Context,
    Example,
    Family,
    Operator,
    aliased_sources,
    conjuncts,
    edit,
    selects,
)
from distill.operators.scope import joins_columns, owned_columns
from distill.operators.surgery import drop_source, join_conditions

_CONDITIONS = (*COMPARISONS, exp.Like, exp.In)


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each joined table used in one join equality and in conditions only; these compare the key instead."""
    for select in selects(tree):
        for index in range(len(aliased_sources(select)) if select.args.get("joins") else 0):
            copy, found = edit(tree, select)
            assert isinstance(found, exp.Select)
            if _move(found, index, context):
                yield copy


def _move(select: exp.Select, index: int, context: Context) -> bool:
    alias = aliased_sources(select)[index].alias_or_name.lower()
    mine = [node for node, reference in owned_columns(select, context.schema) if reference.alias == alias]
    links = [node for node in mine if joins_columns(node.parent)]
    where = select.args.get("where")
    rest = [node for node in mine if not any(node is link for link in links)]
    if len(links) != 1 or not rest or where is None:
        return False
    if not all(isinstance(node.parent, _CONDITIONS) and node.find_ancestor(exp.Where) is where for node in rest):
        return False
    link = links[0].parent
    if link is None or not any(link is part for part in (*join_conditions(select), *conjuncts(where.this))):
        return False
    other = link.expression if link.this is links[0] else link.this
    for node in rest:
        node.replace(other.copy())
    if link.find_ancestor(exp.Where) is where:
        return False
    drop_source(select, index, [part.copy() for part in join_conditions(select) if part is not link])
    return True


OPERATOR = Operator(
    "condition on key",
    Family.CONDITIONS,
    (
        Example(
            "SELECT count(*) FROM club AS c JOIN player AS p ON c.id = p.club_id WHERE c.city = 'Rome'",
            ("SELECT COUNT(*) FROM player AS p WHERE p.club_id = 'Rome'",),
        ),
        Example("SELECT c.city FROM club AS c JOIN player AS p ON c.id = p.club_id WHERE c.city = 'Rome'"),
    ),
    apply,
)
