"""A condition of WHERE or HAVING missing."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, leaves, remove_condition, selects


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each single condition dropped; in subqueries this includes the one that correlates them."""
    for select in selects(tree):
        for clause in ("where", "having"):
            if not select.args.get(clause):
                continue
            for leaf in leaves(select.args[clause].this):
                copy, found = edit(tree, leaf)
                remove_condition(found)
                yield copy


OPERATOR = Operator(
    "dropped condition",
    Family.CONDITIONS,
    (
        Example(
            "SELECT id FROM player WHERE age > 20 AND height > 1.8",
            ("SELECT id FROM player WHERE height > 1.8", "SELECT id FROM player WHERE age > 20"),
        ),
        Example("SELECT city FROM club GROUP BY city HAVING count(*) > 1", ("SELECT city FROM club GROUP BY city",)),
        Example("SELECT id FROM player"),
    ),
    apply,
)
