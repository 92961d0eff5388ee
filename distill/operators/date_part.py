"""Another part of a date."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, replaced

_OTHERS = {"%Y": ("%m", "%d"), "%m": ("%Y", "%d"), "%d": ("%m", "%w"), "%w": ("%d",), "%H": ("%M",)}


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each one-part format of strftime by another part."""
    for node in tree.find_all(exp.Literal):
        if node.is_string and isinstance(node.parent, exp.Anonymous):
            for other in _OTHERS.get(str(node.this), ()):
                yield replaced(tree, node, exp.Literal.string(other))


OPERATOR = Operator(
    "date part",
    Family.FUNCTIONS,
    (
        Example(
            "SELECT strftime('%Y', born) FROM player",
            ("SELECT STRFTIME('%m', born) FROM player", "SELECT STRFTIME('%d', born) FROM player"),
        ),
        Example("SELECT born FROM player"),
    ),
    apply,
)
