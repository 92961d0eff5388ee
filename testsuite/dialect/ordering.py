"""ORDER BY text outside of result lists (windows)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.types import Expr, Refused, Type, as_bigint

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter


def sort_text(e: Expr) -> str:
    """A sort key's text, with its collation applied."""
    if e.type is Type.TEXT and e.collation is not None:
        return f"sq_lower({e.sql})" if e.collation == "NOCASE" else f"rtrim({e.sql}, ' ')"
    return e.sql


def term(text: str, down: bool, nulls_first: bool | None) -> str:
    """One ORDER BY term. SQLite takes NULL for the smallest value."""
    first = (not down) if nulls_first is None else nulls_first
    return f"{text} {'DESC' if down else 'ASC'} NULLS {'FIRST' if first else 'LAST'}"


def order_terms(em: Emitter, order: exp.Expr) -> str:
    """The terms of an ORDER BY whose numbers are no column numbers; constants drop out."""
    parts = []
    for ordered in order.expressions:
        if not isinstance(ordered, exp.Ordered):
            raise Refused("ORDER BY term")
        e = as_bigint(em.expr(ordered.this))
        if not e.constant:
            parts.append(term(sort_text(e), bool(ordered.args.get("desc")), ordered.args.get("nulls_first")))
    return ", ".join(parts)
