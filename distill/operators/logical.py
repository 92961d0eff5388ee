"""AND for OR, OR for AND."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, replaced


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each connective by the other one, and OR below AND with its parentheses lost."""
    for node in tree.find_all(exp.And, exp.Or):
        sides = [exp.Paren(this=s.copy()) if isinstance(s, (exp.And, exp.Or)) else s.copy() for s in node.flatten()]
        if len(sides) != 2:
            sides = [_wrapped(node.this), _wrapped(node.expression)]
        other = exp.Or if isinstance(node, exp.And) else exp.And
        new: exp.Expr = other(this=sides[0], expression=sides[1])
        if isinstance(node.parent, (exp.And, exp.Not)):
            new = exp.Paren(this=new)
        yield replaced(tree, node, new)
    for paren in tree.find_all(exp.Paren):
        if not isinstance(paren.this, exp.Or) or not isinstance(paren.parent, exp.And):
            continue
        copy, found = edit(tree, paren)
        parent = found.parent
        assert parent is not None
        inner = found.this
        if parent.this is found:
            tail = exp.And(this=inner.expression, expression=parent.expression)
            parent.replace(exp.Or(this=inner.this, expression=tail))
        else:
            head = exp.And(this=parent.this, expression=inner.this)
            parent.replace(exp.Or(this=head, expression=inner.expression))
        yield copy


def _wrapped(node: exp.Expr) -> exp.Expr:
    return exp.Paren(this=node.copy()) if isinstance(node, (exp.And, exp.Or)) else node.copy()


OPERATOR = Operator(
    "and or",
    Family.CONDITIONS,
    (
        Example(
            "SELECT id FROM player WHERE age > 20 AND height > 1.8",
            ("SELECT id FROM player WHERE age > 20 OR height > 1.8",),
        ),
        Example(
            "SELECT id FROM player WHERE age > 20 AND (height > 1.8 OR name = 'A')",
            ("SELECT id FROM player WHERE age > 20 AND height > 1.8 OR name = 'A'",),
        ),
        Example("SELECT id FROM player WHERE age > 20"),
    ),
    apply,
)
