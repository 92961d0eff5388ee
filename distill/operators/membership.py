"""IN against ``=``, and lists with an element missing."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, replaced


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """``x IN (SELECT ...)`` as ``x = (SELECT ...)`` and back; NOT IN as ``<>``; each list element dropped."""
    for node in tree.find_all(exp.In):
        query = node.args.get("query")
        if query is not None:
            negated = isinstance(node.parent, exp.Not)
            kind = exp.NEQ if negated else exp.EQ
            new = kind(this=node.this.copy(), expression=query.copy())
            outer = node.parent if negated and node.parent is not None else node
            yield replaced(tree, outer, new)
        elif len(node.expressions) > 1:
            for index in range(len(node.expressions)):
                copy, found = edit(tree, node)
                found.expressions[index].pop()
                yield copy
    for equal in tree.find_all(exp.EQ, exp.NEQ):
        if isinstance(equal.expression, exp.Subquery):
            inside: exp.Expr = exp.In(this=equal.this.copy(), query=equal.expression.copy())
            yield replaced(tree, equal, inside if isinstance(equal, exp.EQ) else exp.Not(this=inside))


OPERATOR = Operator(
    "in",
    Family.SUBQUERIES,
    (
        Example(
            "SELECT name FROM club WHERE id IN (SELECT club_id FROM coach)",
            ("SELECT name FROM club WHERE id = (SELECT club_id FROM coach)",),
        ),
        Example(
            "SELECT name FROM club WHERE NOT id IN (SELECT club_id FROM coach)",
            ("SELECT name FROM club WHERE id <> (SELECT club_id FROM coach)",),
        ),
        Example(
            "SELECT name FROM club WHERE city IN ('Rome', 'Oslo')",
            ("SELECT name FROM club WHERE city IN ('Rome')",),
        ),
        Example("SELECT name FROM club WHERE city = 'Rome'"),
    ),
    apply,
)
