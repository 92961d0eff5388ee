"""String functions dropped or exchanged."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, replaced

# The query reader keeps SQLite's own names of these as anonymous calls.
_DROPPED = ("SUBSTR", "SUBSTRING", "TRIM", "LTRIM", "RTRIM", "REPLACE")


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """UPPER and LOWER exchanged, each dropped together with TRIM, SUBSTR and LENGTH; operands of ``||`` exchanged."""
    for node in tree.find_all(exp.Upper, exp.Lower, exp.Length):
        yield replaced(tree, node, node.this.copy())
        if isinstance(node, (exp.Upper, exp.Lower)):
            other = exp.Lower if isinstance(node, exp.Upper) else exp.Upper
            yield replaced(tree, node, other(this=node.this.copy()))
    for call in tree.find_all(exp.Anonymous):
        if str(call.this).upper() in _DROPPED and call.expressions:
            yield replaced(tree, call, call.expressions[0].copy())
    for pipe in tree.find_all(exp.DPipe):
        copy, found = edit(tree, pipe)
        left, right = found.this, found.expression
        found.set("this", right.copy())
        found.set("expression", left.copy())
        yield copy


OPERATOR = Operator(
    "string function",
    Family.FUNCTIONS,
    (
        Example("SELECT upper(name) FROM club", ("SELECT name FROM club", "SELECT LOWER(name) FROM club")),
        Example("SELECT length(name) FROM club", ("SELECT name FROM club",)),
        Example("SELECT substr(name, 1, 2) FROM club", ("SELECT name FROM club",)),
        Example("SELECT name FROM club"),
    ),
    apply,
)
