"""Constants of a query as numbers."""

from __future__ import annotations

from sqlglot import exp


def number(node: object) -> float | None:
    """The value of a plain number, negated or not; None for everything else, also for numbers SQLite alone reads."""
    sign = 1.0
    if isinstance(node, exp.Neg):
        sign, node = -1.0, node.this
    if not isinstance(node, exp.Literal) or node.is_string:
        return None
    try:
        return sign * float(str(node.this))
    except ValueError:
        return None
