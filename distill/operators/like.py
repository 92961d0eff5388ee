"""LIKE patterns with other wildcards, LIKE against equality."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, replaced


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """LIKE: wildcard dropped, added or moved to the other end, ``=`` on the bare text. ``=``: LIKE with wildcards."""
    for node in tree.find_all(exp.Like, exp.EQ):
        literal = node.expression
        if not isinstance(literal, exp.Literal) or not literal.is_string or isinstance(node.this, exp.Literal):
            continue
        text = str(literal.this)
        if isinstance(node, exp.EQ):
            for pattern in (text, f"%{text}%"):
                yield replaced(tree, node, _like(node.this, pattern))
            continue
        if isinstance(node.parent, exp.Escape):
            continue
        core = text.strip("%")
        for pattern in (f"%{core}%", f"{core}%", f"%{core}", core):
            if pattern != text:
                yield replaced(tree, node, _like(node.this, pattern))
        equal = exp.EQ(this=node.this.copy(), expression=exp.Literal.string(core))
        yield replaced(tree, node, equal)


def _like(value: exp.Expr, pattern: str) -> exp.Like:
    return exp.Like(this=value.copy(), expression=exp.Literal.string(pattern))


OPERATOR = Operator(
    "like",
    Family.VALUES,
    (
        Example(
            "SELECT id FROM club WHERE name LIKE '%Ham%'",
            (
                "SELECT id FROM club WHERE name LIKE 'Ham%'",
                "SELECT id FROM club WHERE name LIKE '%Ham'",
                "SELECT id FROM club WHERE name LIKE 'Ham'",
                "SELECT id FROM club WHERE name = 'Ham'",
            ),
        ),
        Example("SELECT id FROM club WHERE name = 'Ham'", ("SELECT id FROM club WHERE name LIKE '%Ham%'",)),
        Example("SELECT id FROM club WHERE founded = 1900"),
    ),
    apply,
)
