"""HAVING dropped, or its conditions in WHERE; WHERE in HAVING."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import (
    Context,
    Example,
    Family,
    Operator,
    add_condition,
    aggregates,
    conjuncts,
    edit,
    selects,
    with_arg,
)


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each HAVING dropped; an aggregate compared there compared in WHERE without the aggregate; WHERE as HAVING."""
    for select in selects(tree):
        having, where = select.args.get("having"), select.args.get("where")
        if having:
            yield with_arg(tree, select, "having", None)
            parts = conjuncts(having.this)
            moved = [part.copy() for part in parts]
            for part in moved:
                for node in aggregates(part):
                    inner = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
                    if inner is None or isinstance(inner, exp.Star):
                        break
                    node.replace(inner.copy())
                else:
                    continue
                break
            else:
                copy, found = edit(tree, select)
                assert isinstance(found, exp.Select)
                found.set("having", None)
                for part in moved:
                    add_condition(found, part)
                yield copy
        if where and select.args.get("group"):
            copy, found = edit(tree, select)
            assert isinstance(found, exp.Select)
            condition = found.args["where"].this
            found.set("where", None)
            add_condition(found, condition, "having")
            yield copy


OPERATOR = Operator(
    "having",
    Family.CLAUSES,
    (
        Example(
            "SELECT club_id FROM player GROUP BY club_id HAVING avg(age) > 20",
            (
                "SELECT club_id FROM player GROUP BY club_id",
                "SELECT club_id FROM player WHERE age > 20 GROUP BY club_id",
            ),
        ),
        Example(
            "SELECT club_id FROM player WHERE age > 20 GROUP BY club_id",
            ("SELECT club_id FROM player GROUP BY club_id HAVING age > 20",),
        ),
        Example("SELECT id FROM player WHERE age > 20"),
    ),
    apply,
)
