"""A filter in ON of a LEFT JOIN against WHERE."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import (
    Context,
    Example,
    Family,
    Operator,
    add_condition,
    conjuncts,
    edit,
    leaves,
    remove_condition,
    selects,
)
from distill.operators.scope import joins_columns


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each filter of ON moved to WHERE and back. For inner joins that changes nothing, so only outer joins."""
    for select in selects(tree):
        outer_joins = [j for j in select.args.get("joins") or [] if j.args.get("side") and j.args.get("on")]
        for join in outer_joins:
            for part in conjuncts(join.args["on"]):
                if len(list(leaves(join.args["on"]))) > 1 and not joins_columns(part):
                    copy, found = edit(tree, part)
                    above = found.find_ancestor(exp.Select)
                    assert above is not None
                    remove_condition(found)
                    add_condition(above, part.copy())
                    yield copy
            where = select.args.get("where")
            if where:
                for part in conjuncts(where.this):
                    copy, found = edit(tree, select)
                    assert isinstance(found, exp.Select)
                    index = select.args["joins"].index(join)
                    target = found.args["joins"][index]
                    on = target.args["on"]
                    for other in conjuncts(found.args["where"].this):
                        if other == part:
                            remove_condition(other)
                            break
                    # OR binds weaker than the AND it would stand in.
                    sides = [exp.Paren(this=side) if isinstance(side, exp.Or) else side for side in (on, part.copy())]
                    target.set("on", exp.And(this=sides[0], expression=sides[1]))
                    yield copy


OPERATOR = Operator(
    "on for where",
    Family.CONDITIONS,
    (
        Example(
            "SELECT c.name FROM club AS c LEFT JOIN player AS p ON c.id = p.club_id WHERE p.age > 20",
            ("SELECT c.name FROM club AS c LEFT JOIN player AS p ON c.id = p.club_id AND p.age > 20",),
        ),
        Example(
            "SELECT c.name FROM club AS c LEFT JOIN player AS p ON c.id = p.club_id AND p.age > 20",
            ("SELECT c.name FROM club AS c LEFT JOIN player AS p ON c.id = p.club_id WHERE p.age > 20",),
        ),
        Example("SELECT c.name FROM club AS c JOIN player AS p ON c.id = p.club_id WHERE p.age > 20"),
    ),
    apply,
)
