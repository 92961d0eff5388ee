"""What sort terms are made of: output numbers, collations, and the reason why a query cannot be lifted."""

from __future__ import annotations

from sqlglot import exp

KEY_PREFIX = "__key"


class NotLiftable(Exception):  # noqa: N818 (a reason, not a fault)
    """The outermost ORDER BY or LIMIT cannot be taken off without a risk to the meaning; says why."""


def split_collation(term: exp.Expr) -> tuple[exp.Expr, str | None]:
    """The expression under outer parentheses and COLLATE, and the outermost collation's name."""
    name = None
    while isinstance(term, (exp.Paren, exp.Collate)):
        if isinstance(term, exp.Collate) and name is None:
            name = term.expression.name.lower()
        term = term.this
    return term, name


def ordinal_of(term: exp.Expr) -> int | None:
    if isinstance(term, exp.Literal) and not term.is_string and term.this.isdigit():
        return int(term.this)
    return None
