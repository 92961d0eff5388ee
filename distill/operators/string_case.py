"""A string in another case."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, replaced


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each compared string in lower, upper and title case; where there are several, all of them at once too. LIKE
    folds ASCII case itself, so it is left alone.
    """
    texts = [str(node.this) for node in _compared(tree)]
    for node, text in zip(_compared(tree), texts, strict=True):
        for new in dict.fromkeys((text.lower(), text.title(), text.upper())):
            if new != text:
                yield replaced(tree, node, exp.Literal.string(new))
    for change in (str.lower, str.title) if len(texts) > 1 else ():
        if [change(text) for text in texts] != texts:
            copy = tree.copy()
            for node in _compared(copy):
                node.set("this", change(str(node.this)))
            yield copy


def _compared(tree: exp.Expr) -> list[exp.Literal]:
    literals = list(tree.find_all(exp.Literal))
    return [node for node in literals if node.is_string and isinstance(node.parent, (exp.EQ, exp.NEQ, exp.In))]


OPERATOR = Operator(
    "string case",
    Family.VALUES,
    (
        Example(
            "SELECT name FROM club WHERE city = 'Rome'",
            ("SELECT name FROM club WHERE city = 'rome'", "SELECT name FROM club WHERE city = 'ROME'"),
        ),
        Example(
            "SELECT name FROM club WHERE city = 'Rome' OR name IN ('Lazio')",
            ("SELECT name FROM club WHERE city = 'rome' OR name IN ('lazio')",),
        ),
        Example("SELECT name FROM club WHERE city LIKE 'Rome'"),
    ),
    apply,
)
