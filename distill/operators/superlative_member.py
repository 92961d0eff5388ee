"""The one that is first in a subquery against all that reach the extreme: ``= (.. LIMIT 1)`` against IN."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators import superlative, superlative_group
from distill.operators.base import Context, Example, Family, Operator, replaced


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """``x = (SELECT c .. ORDER BY m DESC LIMIT 1)`` as ``x IN`` of all rows, or groups, whose ``m`` is the greatest;
    ``<>`` as NOT IN; ``x IN (SELECT c .. WHERE m = (SELECT MAX(m) ..))`` as ``x =`` the first of the sorted rows.

    ``superlative`` changes the subquery and leaves the ``=``, which then sees the first of the rows only.
    """
    for node in tree.find_all(exp.EQ, exp.NEQ):
        inner = node.expression.this if isinstance(node.expression, exp.Subquery) else None
        if not isinstance(inner, exp.Select):
            continue
        alone = inner.copy()
        for query in (*superlative.all_extreme(alone), *superlative_group.apply(alone, context)):
            inside: exp.Expr = exp.In(this=node.this.copy(), query=exp.Subquery(this=query))
            yield replaced(tree, node, inside if isinstance(node, exp.EQ) else exp.Not(this=inside))
    for member in tree.find_all(exp.In):
        holder = member.args.get("query")
        inner = holder.this if isinstance(holder, exp.Subquery) else None
        if not isinstance(inner, exp.Select):
            continue
        outer = member.parent if isinstance(member.parent, exp.Not) else member
        kind = exp.EQ if outer is member else exp.NEQ
        alone = inner.copy()
        for first in superlative.first_rows(alone):
            yield replaced(tree, outer, kind(this=member.this.copy(), expression=exp.Subquery(this=first)))


OPERATOR = Operator(
    "superlative member",
    Family.SUBQUERIES,
    (
        Example(
            "SELECT name FROM club WHERE id = (SELECT club_id FROM player ORDER BY age DESC LIMIT 1)",
            (
                "SELECT name FROM club WHERE id IN (SELECT club_id FROM player WHERE age = "
                "(SELECT MAX(age) FROM player))",
            ),
        ),
        Example(
            "SELECT name FROM club WHERE id <> (SELECT club_id FROM player GROUP BY club_id ORDER BY count(*) LIMIT 1)",
            (
                "SELECT name FROM club WHERE NOT id IN (SELECT club_id FROM player GROUP BY club_id HAVING COUNT(*) = "
                "(SELECT MIN(extreme) FROM (SELECT COUNT(*) AS extreme FROM player GROUP BY club_id) AS counted))",
            ),
        ),
        Example(
            "SELECT name FROM club WHERE id IN (SELECT club_id FROM player WHERE age = (SELECT max(age) FROM player))",
            ("SELECT name FROM club WHERE id = (SELECT club_id FROM player ORDER BY age DESC LIMIT 1)",),
        ),
        Example("SELECT name FROM club WHERE id = (SELECT max(club_id) FROM player)"),
    ),
    apply,
)
