"""The filter of the outer query missing in, or wrongly copied into, a subquery on the same table."""

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
    selects,
    with_arg,
)
from distill.operators.scope import sources


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """A subquery's WHERE dropped or copied outwards; the outer conditions without subqueries copied inwards."""
    for select in selects(tree):
        outer = select.find_ancestor(exp.Select)
        if outer is None or not isinstance(select.parent, exp.Subquery) or select.find_ancestor(exp.From):
            continue
        if select.args.get("where"):
            yield with_arg(tree, select, "where", None)
        mine = [t.name for t in sources(select, context.schema).values() if t]
        theirs = [t.name for t in sources(outer, context.schema).values() if t]
        if mine != theirs or select.args.get("joins"):
            continue
        if outer.args.get("where"):
            kept = [c for c in conjuncts(outer.args["where"].this) if not c.find(exp.Query)]
            kept = [c for c in kept if not any(n.table for n in c.find_all(exp.Column))]
            if kept:
                copy, found = edit(tree, select)
                assert isinstance(found, exp.Select)
                for condition in kept:
                    add_condition(found, condition.copy())
                yield copy
        if select.args.get("where"):
            copy, found = edit(tree, outer)
            assert isinstance(found, exp.Select)
            add_condition(found, select.args["where"].this.copy())
            yield copy


OPERATOR = Operator(
    "subquery filter",
    Family.SUBQUERIES,
    (
        Example(
            "SELECT name FROM player WHERE height > 1.8 AND age > (SELECT avg(age) FROM player)",
            ("SELECT name FROM player WHERE height > 1.8 AND age > (SELECT AVG(age) FROM player WHERE height > 1.8)",),
        ),
        Example(
            "SELECT name FROM club WHERE id IN (SELECT club_id FROM coach WHERE age > 50)",
            ("SELECT name FROM club WHERE id IN (SELECT club_id FROM coach)",),
        ),
        Example("SELECT name FROM player WHERE height > 1.8"),
    ),
    apply,
)
