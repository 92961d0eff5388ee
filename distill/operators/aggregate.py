"""Another aggregate function."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, replaced
from distill.operators.scope import resolve
from testsuite.schema.model import Affinity

_NUMERIC = (exp.Max, exp.Min, exp.Sum, exp.Avg)


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """MIN, MAX, SUM and AVG for each other (text columns: MIN and MAX only), COUNT of a column for SUM."""
    for node in tree.find_all(*_NUMERIC, exp.Count):
        argument = node.this
        if node.expressions or isinstance(argument, (exp.Star, exp.Distinct)) or argument is None:
            continue
        reference = resolve(argument, context.schema) if isinstance(argument, exp.Column) else None
        text = reference is not None and reference.column.affinity is Affinity.TEXT
        others: list[type[exp.Func]]
        if isinstance(node, exp.Count):
            others = [] if text else [exp.Sum, exp.Max]
        elif text and isinstance(node, (exp.Min, exp.Max)):
            others = [kind for kind in (exp.Max, exp.Min) if kind is not type(node)]
        else:
            others = [kind for kind in _NUMERIC if kind is not type(node)]
            if isinstance(node, (exp.Sum, exp.Avg)):
                others.append(exp.Count)
        for other in others:
            yield replaced(tree, node, other(this=argument.copy()))


OPERATOR = Operator(
    "aggregate",
    Family.FUNCTIONS,
    (
        Example(
            "SELECT max(age) FROM player",
            ("SELECT MIN(age) FROM player", "SELECT SUM(age) FROM player", "SELECT AVG(age) FROM player"),
        ),
        Example("SELECT max(name) FROM player", ("SELECT MIN(name) FROM player",)),
        Example("SELECT count(*) FROM player"),
    ),
    apply,
)
