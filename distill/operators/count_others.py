"""COUNT(*) against the number of different values of a column that the query does not look at otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, column, replaced
from distill.operators.scope import owned_columns, sources

_MOST = 4


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """``COUNT(*)`` as ``COUNT(DISTINCT c)`` of columns that the SELECT does not name, a few of each table in turn.

    Keys come first, which models take where rows repeat them; ``count`` takes the columns that are named. A key that
    can't repeat says the same as ``COUNT(*)`` and is left out.
    """
    for node in tree.find_all(exp.Count):
        select = node.find_ancestor(exp.Select)
        if select is None or not isinstance(node.this, exp.Star):
            continue
        found = sources(select, context.schema)
        named = {(reference.alias, reference.column.name) for _, reference in owned_columns(select, context.schema)}
        queues = []
        for alias, table in found.items():
            if table is None:
                continue
            keys = {name.lower() for name in table.primary_key}
            alone = len(found) == 1 and len(keys) == 1
            names = [c.name for c in table.columns if (alias, c.name) not in named]
            names = [name for name in names if not (alone and name.lower() in keys)]
            queues.append([(alias, name) for name in sorted(names, key=lambda name: name.lower() not in keys)])
        dealt = [queue[turn] for turn in range(_MOST) for queue in queues if turn < len(queue)]
        for alias, name in dealt[:_MOST]:
            place = column(alias if len(found) > 1 else None, name)
            yield replaced(tree, node, exp.Count(this=exp.Distinct(expressions=[place])))


OPERATOR = Operator(
    "count others",
    Family.FUNCTIONS,
    (
        Example(
            "SELECT count(*) FROM player WHERE age > 20",
            (
                "SELECT COUNT(DISTINCT name) FROM player WHERE age > 20",
                "SELECT COUNT(DISTINCT height) FROM player WHERE age > 20",
            ),
        ),
        Example(
            "SELECT count(*) FROM club AS c JOIN player AS p ON c.id = p.club_id WHERE c.city = 'Rome'",
            (
                "SELECT COUNT(DISTINCT c.name) FROM club AS c JOIN player AS p ON c.id = p.club_id "
                "WHERE c.city = 'Rome'",
                "SELECT COUNT(DISTINCT p.id) FROM club AS c JOIN player AS p ON c.id = p.club_id WHERE c.city = 'Rome'",
            ),
        ),
        Example("SELECT count(age) FROM player"),
    ),
    apply,
)
