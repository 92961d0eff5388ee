"""RANK, DENSE_RANK and ROW_NUMBER; windows with a part missing or turned."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, replaced, with_arg

_RANKS = (exp.Rank, exp.DenseRank, exp.RowNumber)


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each ranking function by each other; PARTITION BY dropped; the window's direction turned."""
    for node in tree.find_all(exp.Window):
        if isinstance(node.this, _RANKS):
            for kind in _RANKS:
                if not isinstance(node.this, kind):
                    yield replaced(tree, node.this, kind())
        if node.args.get("partition_by"):
            yield with_arg(tree, node, "partition_by", None)
        order = node.args.get("order")
        if order:
            copy, found = edit(tree, order.expressions[0])
            descending = not found.args.get("desc")
            found.set("desc", descending or None)
            found.set("nulls_first", not descending)
            yield copy


OPERATOR = Operator(
    "rank",
    Family.FUNCTIONS,
    (
        Example(
            "SELECT name, rank() OVER (PARTITION BY club_id ORDER BY age) FROM player",
            (
                "SELECT name, ROW_NUMBER() OVER (PARTITION BY club_id ORDER BY age) FROM player",
                "SELECT name, RANK() OVER (ORDER BY age) FROM player",
                "SELECT name, RANK() OVER (PARTITION BY club_id ORDER BY age DESC) FROM player",
            ),
        ),
        Example("SELECT name FROM player"),
    ),
    apply,
)
