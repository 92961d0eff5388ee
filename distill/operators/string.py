"""Another string: a constant seen elsewhere with the column, or one character changed."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, replaced
from distill.operators.scope import resolve

_MOST_CONSTANTS = 3


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each string compared by ``=``, ``<>`` or IN: other constants of its column, last character dropped or changed."""
    for node in tree.find_all(exp.Literal):
        parent = node.parent
        if not node.is_string or not isinstance(parent, (exp.EQ, exp.NEQ, exp.In)):
            continue
        text = str(node.this)
        other = parent.this if parent.this is not node else parent.expression
        found: list[str] = []
        if isinstance(other, exp.Column):
            reference = resolve(other, context.schema)
            constants = context.constants.get(reference.key, ()) if reference else ()
            found += [str(c.this) for c in constants if c.is_string and c.this != text][:_MOST_CONSTANTS]
        if len(text) > 1:
            found.append(text[:-1])
        if text:
            found.append(text[:-1] + ("x" if text[-1] != "x" else "y"))
        for new in found:
            yield replaced(tree, node, exp.Literal.string(new))


OPERATOR = Operator(
    "string",
    Family.VALUES,
    (
        Example(
            "SELECT name FROM club WHERE city = 'Rome'",
            (
                "SELECT name FROM club WHERE city = 'Paris'",
                "SELECT name FROM club WHERE city = 'Rom'",
                "SELECT name FROM club WHERE city = 'Romx'",
            ),
        ),
        Example("SELECT name FROM club WHERE city LIKE '%Rome%'"),
        Example("SELECT name FROM club WHERE founded = 1900"),
    ),
    apply,
)
