"""Constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.types import NULL, Expr, Refused, number_literal, text_literal

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter


def literal(em: Emitter, node: exp.Expr) -> Expr:
    """A number or text. Numbers are INTEGER where written as digits that fit 64 bits, else REAL."""
    written = str(node.this)
    if node.args["is_string"]:
        return text_literal(written)
    try:
        return number_literal(int(written) if written.isdigit() else float(written))
    except ValueError:
        raise Refused("number literal") from None


def boolean(em: Emitter, node: exp.Expr) -> Expr:
    """TRUE and FALSE are 1 and 0 (https://sqlite.org/lang_expr.html, boolean)."""
    return number_literal(int(bool(node.this)))


def null(em: Emitter, node: exp.Expr) -> Expr:
    """NULL."""
    return NULL


def paren(em: Emitter, node: exp.Expr) -> Expr:
    """Parentheses keep affinity and collation, as in SQLite."""
    return em.expr(node.this)


RULES = {exp.Literal: literal, exp.Boolean: boolean, exp.Null: null, exp.Paren: paren}

EXAMPLES = (
    "SELECT 1, -1, 2.5, 'it''s', NULL, TRUE, FALSE, 1e3, 9223372036854775807, 0x10",
    "SELECT 9223372036854775808, .5, 3000000000",
    "SELECT id FROM nums WHERE (i) = (1)",
)
