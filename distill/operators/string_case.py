"""A string in another case."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, replaced


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each compared string in lower, upper and title case. LIKE folds ASCII case itself, so it is left alone."""
    for node in tree.find_all(exp.Literal):
        if not node.is_string or not isinstance(node.parent, (exp.EQ, exp.NEQ, exp.In)):
            continue
        text = str(node.this)
        for new in dict.fromkeys((text.lower(), text.title(), text.upper())):
            if new != text:
                yield replaced(tree, node, exp.Literal.string(new))


OPERATOR = Operator(
    "string case",
    Family.VALUES,
    (
        Example(
            "SELECT name FROM club WHERE city = 'Rome'",
            ("SELECT name FROM club WHERE city = 'rome'", "SELECT name FROM club WHERE city = 'ROME'"),
        ),
        Example("SELECT name FROM club WHERE city LIKE 'Rome'"),
    ),
    apply,
)
