"""LIMIT dropped, one off, or added."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, integer, with_arg


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each LIMIT and OFFSET dropped and one off; LIMIT 1 added to an outermost ORDER BY without one."""
    for node in tree.find_all(exp.Limit, exp.Offset):
        assert node.parent is not None and node.arg_key is not None
        if isinstance(node, exp.Limit) or not node.parent.args.get("limit"):
            copy, holder = edit(tree, node.parent)
            holder.set("limit", None)
            holder.set("offset", None)
            yield copy
        else:
            yield with_arg(tree, node.parent, "offset", None)
        count = node.expression
        if isinstance(count, exp.Literal) and str(count.this).isdigit():
            value = int(count.this)
            for new in (value + 1, value - 1):
                if new >= (1 if isinstance(node, exp.Limit) else 0):
                    copy, found = edit(tree, node)
                    found.set("expression", integer(new))
                    yield copy
    if isinstance(tree, exp.Select) and tree.args.get("order") and not tree.args.get("limit"):
        yield with_arg(tree, tree, "limit", exp.Limit(expression=integer(1)))


OPERATOR = Operator(
    "limit",
    Family.CLAUSES,
    (
        Example(
            "SELECT id FROM player ORDER BY age LIMIT 3",
            (
                "SELECT id FROM player ORDER BY age",
                "SELECT id FROM player ORDER BY age LIMIT 4",
                "SELECT id FROM player ORDER BY age LIMIT 2",
            ),
        ),
        Example("SELECT id FROM player ORDER BY age", ("SELECT id FROM player ORDER BY age LIMIT 1",)),
        Example("SELECT id FROM player"),
    ),
    apply,
)
