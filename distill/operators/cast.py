"""CAST removed, or to another type."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, replaced


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each CAST dropped; real as integer and integer as real; one put around an average."""
    for node in tree.find_all(exp.Cast):
        yield replaced(tree, node, node.this.copy())
        name = node.args["to"].sql("sqlite").upper()
        copy, found = edit(tree, node)
        found.set("to", exp.DataType.build("DOUBLE" if "INT" in name else "INT"))
        yield copy
    for average in tree.find_all(exp.Avg):
        if not isinstance(average.parent, exp.Cast):
            yield replaced(tree, average, exp.Cast(this=average.copy(), to=exp.DataType.build("INT")))


OPERATOR = Operator(
    "cast",
    Family.FUNCTIONS,
    (
        Example("SELECT CAST(age AS REAL) / 2 FROM player", ("SELECT age / 2 FROM player",)),
        Example("SELECT avg(age) FROM player", ("SELECT CAST(AVG(age) AS INTEGER) FROM player",)),
        Example("SELECT age FROM player"),
    ),
    apply,
)
