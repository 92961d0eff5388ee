"""Concatenation and collation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.types import NULL, Expr, Refused, Type, as_text

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter


def concatenation(em: Emitter, node: exp.Expr) -> Expr:
    """a || b over the texts of both."""
    a, b = em.expr(node.this), em.expr(node.expression)
    if Type.NULL in (a.type, b.type):
        return NULL
    return Expr(f"({as_text(a).sql} || {as_text(b).sql})", Type.TEXT)


def collate(em: Emitter, node: exp.Expr) -> Expr:
    """COLLATE marks the operand; comparisons and sorting apply it."""
    name = node.expression.name.upper()
    if name not in ("NOCASE", "RTRIM", "BINARY"):
        raise Refused("collation")
    e = em.expr(node.this)
    return replace(e, collation=None if name == "BINARY" else name, explicit_collation=True)


RULES = {exp.DPipe: concatenation, exp.Collate: collate}

EXAMPLES = (
    "SELECT w || '-' || id FROM words",
    "SELECT w || NULL, 1 || 2 FROM words",
    "SELECT id FROM words WHERE w COLLATE NOCASE = 'ABC'",
    "SELECT id FROM words WHERE w COLLATE RTRIM = 'abc'",
    "SELECT id FROM words WHERE w COLLATE NOCASE > 'B'",
)
