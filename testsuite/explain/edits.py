"""One way in which a prediction's tree differs from its gold's, and how both are put together again."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

Key = tuple[str | int, ...]
"""Where an edit is, the same whichever other edits are made."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A smallest part of the gold that can stand in place of a part of the prediction.

    Attributes:
        key: where it is.
        place: the clause: select, from, where, having, group, order, limit or set.
        kind: what is done: see ``merge``.
        predicted: the part of the prediction; None where the gold has more.
        gold: the part of the gold; None where the prediction has more.
    """

    key: Key
    place: str
    kind: str
    predicted: exp.Expr | None
    gold: exp.Expr | None
    limits_differ: bool = False
    """Whether only one of the two queries it is in has a LIMIT."""


def text(node: exp.Expr | None) -> str:
    """What tells two canonical parts apart; empty for none."""
    return "" if node is None else node.sql(dialect="sqlite")


def is_null_test(node: exp.Expr | None) -> bool:
    """Whether a condition is IS NULL or IS NOT NULL."""
    while isinstance(node, (exp.Not, exp.Paren)):
        node = node.this
    return isinstance(node, exp.Is) and isinstance(node.expression, exp.Null)


def is_extreme(node: exp.Expr | None) -> bool:
    """Whether a condition compares with the least or greatest value that a subquery gives."""
    if not isinstance(node, exp.EQ):
        return False
    return any(
        isinstance(side, exp.Subquery)
        and isinstance(side.this, exp.Select)
        and len(side.this.expressions) == 1
        and isinstance(side.this.expressions[0].unalias(), (exp.Min, exp.Max))
        for side in (node.this, node.expression)
    )


def has_query(node: exp.Expr | None) -> bool:
    """Whether a part holds a query."""
    return node is not None and node.find(exp.Select) is not None
