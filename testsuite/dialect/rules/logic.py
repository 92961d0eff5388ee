"""AND, OR, NOT, IS NULL, IS TRUE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.affinity import compare
from testsuite.dialect.types import Expr, Type

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter


def both(em: Emitter, node: exp.Expr) -> Expr:
    """AND over truth values."""
    return Expr(f"({em.truth(node.this)} AND {em.truth(node.expression)})", Type.BOOLEAN)


def either(em: Emitter, node: exp.Expr) -> Expr:
    """OR over truth values."""
    return Expr(f"({em.truth(node.this)} OR {em.truth(node.expression)})", Type.BOOLEAN)


def negation(em: Emitter, node: exp.Expr) -> Expr:
    """NOT of a truth value."""
    return Expr(f"(NOT {em.truth(node.this)})", Type.BOOLEAN)


def is_(em: Emitter, node: exp.Expr) -> Expr:
    """IS NULL, IS TRUE and IS FALSE (truth tests), else equality that knows NULL."""
    right = node.expression
    if isinstance(right, exp.Null):
        return Expr(f"({em.expr(node.this).sql} IS NULL)", Type.BOOLEAN)
    if isinstance(right, exp.Boolean):
        wanted = "TRUE" if right.this else "FALSE"
        return Expr(f"({em.truth(node.this)} IS NOT DISTINCT FROM {wanted})", Type.BOOLEAN)
    return compare("IS", em.expr(node.this), em.expr(right))


RULES = {exp.And: both, exp.Or: either, exp.Not: negation, exp.Is: is_}

EXAMPLES = (
    "SELECT id FROM nums WHERE i AND r",
    "SELECT id FROM nums WHERE NOT i OR r > 1",
    "SELECT id, i IS NULL, i IS NOT NULL, i IS TRUE, r IS FALSE, i IS NOT TRUE FROM nums",
    "SELECT id FROM words WHERE w",
    "SELECT id, NOT w, w AND 1, w OR NULL FROM words",
    "SELECT id FROM nums WHERE NULL OR i = 1",
)
