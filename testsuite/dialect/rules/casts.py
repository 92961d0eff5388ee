"""CAST."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.types import NULL, Expr, Refused, Type, as_bigint, as_real, as_text, number_literal
from testsuite.schema.model import Affinity, affinity_of

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter


def cast(em: Emitter, node: exp.Expr) -> Expr:
    """CAST to the affinity of the type's name (https://sqlite.org/lang_expr.html, 13)."""
    if node.args.get("format") or node.args.get("default"):
        raise Refused("CAST option")
    affinity = affinity_of(node.args["to"].sql())
    e = as_bigint(em.expr(node.this))
    if e.type is Type.NULL:
        return replace(NULL, affinity=affinity)
    if affinity is Affinity.INTEGER:
        return replace(_integer(e), affinity=affinity)
    if affinity is Affinity.REAL:
        if e.type is Type.TEXT:
            return Expr(f"sqlite_to_real({e.sql})", Type.REAL, affinity)
        return replace(as_real(e), affinity=affinity)
    if affinity is Affinity.TEXT:
        return replace(as_text(e), affinity=affinity)
    if affinity is Affinity.NUMERIC:
        if e.type is Type.INTEGER:
            return replace(e.plain(), affinity=affinity)
        if e.type is Type.TEXT:
            return Expr(f"sqlite_numeric({e.sql})", Type.NUMBER, affinity)
        return Expr(e.sql, Type.NUMBER, affinity)
    raise Refused("CAST to BLOB")


def _integer(e: Expr) -> Expr:
    if e.type is Type.INTEGER:
        return e.plain()
    if isinstance(e.value, str):
        found = re.match(r"[ \t\n\v\f\r]*([+-]?[0-9]{1,18})(?![0-9])", e.value)
        if found:
            return number_literal(int(found.group(1)))
    if e.type is Type.TEXT:
        return Expr(f"sqlite_to_integer({e.sql})", Type.INTEGER)
    return Expr(f"CAST(trunc({e.sql}) AS BIGINT)", Type.INTEGER)


RULES = {exp.Cast: cast}

EXAMPLES = (
    "SELECT CAST(r AS INTEGER), CAST(r AS INT), CAST(i AS REAL), CAST(i AS TEXT), CAST(r AS NUMERIC) FROM nums",
    "SELECT CAST(w AS INTEGER), CAST(w AS REAL), CAST(w AS TEXT), CAST(w AS DECIMAL) FROM words",
    "SELECT CAST('12abc' AS INTEGER), CAST('' AS INTEGER), CAST(-3.9 AS INTEGER), CAST(3.9 AS INT)",
    "SELECT id FROM nums WHERE CAST(i AS TEXT) = 1",
    "SELECT id FROM words WHERE CAST(w AS INTEGER) = '1'",
    "SELECT CAST(i AS REAL) / 2 FROM nums",
    "SELECT CAST(count(*) AS REAL) / 3 FROM nums",
    "SELECT CAST(NULL AS INTEGER), CAST(i > 1 AS TEXT) FROM nums",
)
