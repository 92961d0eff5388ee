"""Set operations: another one, branches exchanged, one branch only."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, replaced


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each of UNION, UNION ALL, INTERSECT, EXCEPT by each other; EXCEPT turned round; either branch alone."""
    for node in tree.find_all(exp.SetOperation):
        for kind, distinct in ((exp.Union, True), (exp.Union, False), (exp.Intersect, True), (exp.Except, True)):
            if isinstance(node, kind) and bool(node.args.get("distinct")) == distinct:
                continue
            copy, found = edit(tree, node)
            args = {k: v for k, v in found.args.items() if k != "distinct"}
            new = kind(**args, distinct=distinct)
            yield new if node is tree else _put(copy, found, new)
        if isinstance(node, exp.Except):
            copy, found = edit(tree, node)
            left, right = found.this, found.expression
            found.set("this", right.copy())
            found.set("expression", left.copy())
            yield copy
        for branch in (node.this, node.expression):
            if not isinstance(branch, (exp.Select, exp.SetOperation)):
                continue
            alone = branch.copy()
            for key in ("order", "limit", "offset", "with_"):
                if node.args.get(key) and not alone.args.get(key):
                    alone.set(key, node.args[key].copy())
            yield replaced(tree, node, alone)


def _put(copy: exp.Expr, found: exp.Expr, new: exp.Expr) -> exp.Expr:
    found.replace(new)
    return copy


OPERATOR = Operator(
    "set operation",
    Family.SUBQUERIES,
    (
        Example(
            "SELECT name FROM player EXCEPT SELECT name FROM coach",
            (
                "SELECT name FROM player INTERSECT SELECT name FROM coach",
                "SELECT name FROM player UNION ALL SELECT name FROM coach",
                "SELECT name FROM coach EXCEPT SELECT name FROM player",
                "SELECT name FROM player",
                "SELECT name FROM coach",
            ),
        ),
        Example("SELECT name FROM player"),
    ),
    apply,
)
