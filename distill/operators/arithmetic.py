"""Another arithmetic operator; integer against real division; operands exchanged."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, replaced

_OTHER: dict[type[exp.Expr], type[exp.Binary]] = {exp.Add: exp.Sub, exp.Sub: exp.Add, exp.Mul: exp.Div}


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """``+`` and ``-`` exchanged, ``*`` as ``/``, operands of ``-`` and ``/`` exchanged, ``/`` made real."""
    for node in tree.find_all(exp.Add, exp.Sub, exp.Mul, exp.Div):
        other = _OTHER.get(type(node))
        if other is not None:
            yield replaced(tree, node, other(this=node.this.copy(), expression=node.expression.copy()))
        if isinstance(node, (exp.Sub, exp.Div)):
            copy, found = edit(tree, node)
            left, right = found.this, found.expression
            found.set("this", right.copy())
            found.set("expression", left.copy())
            yield copy
        if isinstance(node, exp.Div):
            copy, found = edit(tree, node)
            found.set("this", exp.Mul(this=found.this.copy(), expression=exp.Literal.number("1.0")))
            yield copy


OPERATOR = Operator(
    "arithmetic",
    Family.FUNCTIONS,
    (
        Example("SELECT age + 1 FROM player", ("SELECT age - 1 FROM player",)),
        Example(
            "SELECT sum(age) / count(*) FROM player",
            ("SELECT SUM(age) * 1.0 / COUNT(*) FROM player", "SELECT COUNT(*) / SUM(age) FROM player"),
        ),
        Example("SELECT age FROM player"),
    ),
    apply,
)
