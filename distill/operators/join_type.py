"""INNER JOIN against LEFT JOIN."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, selects


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each join with a condition: INNER as LEFT, LEFT as INNER; a two-table join also from the other side."""
    for select in selects(tree):
        joins = select.args.get("joins") or []
        for join in joins:
            if not join.args.get("on") and not join.args.get("using"):
                continue
            side = (join.args.get("side") or "").upper()
            copy, found = edit(tree, join)
            found.set("side", None if side else "LEFT")
            found.set("kind", None)
            yield copy
            if not side and len(joins) == 1 and not any(i.is_star for i in select.expressions):
                copy, found = edit(tree, join)
                outer = found.parent
                assert outer is not None
                left, right = outer.args["from_"].this, found.this
                outer.args["from_"].set("this", right.copy())
                found.set("this", left.copy())
                found.set("side", "LEFT")
                found.set("kind", None)
                yield copy


OPERATOR = Operator(
    "join type",
    Family.TABLES,
    (
        Example(
            "SELECT c.name FROM club AS c JOIN player AS p ON c.id = p.club_id",
            (
                "SELECT c.name FROM club AS c LEFT JOIN player AS p ON c.id = p.club_id",
                "SELECT c.name FROM player AS p LEFT JOIN club AS c ON c.id = p.club_id",
            ),
        ),
        Example(
            "SELECT c.name FROM club AS c LEFT JOIN player AS p ON c.id = p.club_id",
            ("SELECT c.name FROM club AS c JOIN player AS p ON c.id = p.club_id",),
        ),
        Example("SELECT name FROM club"),
    ),
    apply,
)
