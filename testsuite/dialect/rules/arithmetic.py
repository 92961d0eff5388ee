"""Arithmetic and bit operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.types import NULL, Expr, Refused, Type, as_number, number_literal

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter

_SIGNS: dict[type[exp.Expr], str] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*"}
_BITS: dict[type[exp.Expr], str] = {exp.BitwiseAnd: "&", exp.BitwiseOr: "|"}


def _operands(em: Emitter, node: exp.Expr) -> tuple[Expr, Expr] | None:
    """Both operands as numbers; None where one is NULL."""
    a, b = as_number(em.expr(node.this)), as_number(em.expr(node.expression))
    return None if Type.NULL in (a.type, b.type) else (a, b)


def _result(a: Expr, b: Expr) -> Type:
    types = {a.type, b.type}
    if Type.REAL in types:
        return Type.REAL
    return Type.NUMBER if Type.NUMBER in types else Type.INTEGER


def arithmetic(em: Emitter, node: exp.Expr) -> Expr:
    """Sum, difference, product. An overflow is an error here, REAL in SQLite: that instance runs there."""
    pair = _operands(em, node)
    if pair is None:
        return NULL
    a, b = pair
    sign = _SIGNS[type(node)]
    if isinstance(a.value, int) and isinstance(b.value, int):
        value = {"+": a.value + b.value, "-": a.value - b.value, "*": a.value * b.value}[sign]
        if abs(value) < 2**63:
            return number_literal(value)
    return Expr(f"({_wide(a)} {sign} {b.sql})", _result(a, b))


def _wide(e: Expr) -> str:
    """Integer constants are 32 bits wide in DuckDB."""
    return f"CAST({e.sql} AS BIGINT)" if e.type is Type.INTEGER and e.constant else e.sql


def division(em: Emitter, node: exp.Expr) -> Expr:
    """Integers divide to an integer, towards zero; by zero gives NULL."""
    pair = _operands(em, node)
    if pair is None:
        return NULL
    a, b = pair
    kind = _result(a, b)
    if kind is Type.NUMBER:
        raise Refused("division of a number that may be INTEGER or REAL")
    if kind is Type.INTEGER:
        return Expr(f"({_wide(a)} // {b.sql})", kind)
    return Expr(f"(CAST({a.sql} AS DOUBLE) / {b.sql})", kind)


def modulo(em: Emitter, node: exp.Expr) -> Expr:
    """Both operands are cut to integers; the result is REAL where one of them was."""
    pair = _operands(em, node)
    if pair is None:
        return NULL
    a, b = pair
    kind = _result(a, b)
    if kind is Type.INTEGER:
        return Expr(f"({_wide(a)} % {b.sql})", kind)
    cut = [e.sql if e.type is Type.INTEGER else f"CAST(trunc({e.sql}) AS BIGINT)" for e in (a, b)]
    return Expr(f"CAST({cut[0]} % {cut[1]} AS DOUBLE)", kind)


def negative(em: Emitter, node: exp.Expr) -> Expr:
    """Unary minus."""
    e = as_number(em.expr(node.this))
    if e.type is Type.NULL:
        return NULL
    if e.value is not None and not isinstance(e.value, str):
        return number_literal(-e.value)
    return Expr(f"(- {e.sql})", e.type, exact=e.exact)


def bits(em: Emitter, node: exp.Expr) -> Expr:
    """& and | of integers."""
    pair = _operands(em, node)
    if pair is None:
        return NULL
    if any(e.type is not Type.INTEGER for e in pair):
        raise Refused("bits of a number that is not INTEGER")
    return Expr(f"({_wide(pair[0])} {_BITS[type(node)]} {_wide(pair[1])})", Type.INTEGER)


def complement(em: Emitter, node: exp.Expr) -> Expr:
    """~ of an integer."""
    e = as_number(em.expr(node.this))
    if e.type is Type.NULL:
        return NULL
    if e.type is not Type.INTEGER:
        raise Refused("bits of a number that is not INTEGER")
    return Expr(f"(~ {_wide(e)})", Type.INTEGER)


RULES = {
    **dict.fromkeys(_SIGNS, arithmetic),
    **dict.fromkeys(_BITS, bits),
    exp.Div: division,
    exp.Mod: modulo,
    exp.Neg: negative,
    exp.BitwiseNot: complement,
}

EXAMPLES = (
    "SELECT i + 1, i - r, i * 2, r * 2, -i, -(-i), 7 - i FROM nums",
    "SELECT i / 2, i / 2.0, r / 2, 7 / i, 7.0 / r, i / 0, -7 / 2, 7 / -2 FROM nums",
    "SELECT i % 3, -7 % 3, 7 % -3, r % 2, i % 0, 7.5 % 2 FROM nums",
    "SELECT w + 1, w * 2, -w FROM words",
    "SELECT '12abc' + 1, 'x' * 2, ' 3 ' + 0, '1.5' + 1",
    "SELECT (i > 1) + (r > 1) FROM nums",
    "SELECT i & 3, i | 8, ~i, ~1 FROM nums",
    "SELECT n + 1, n * 2 FROM dates",
    "SELECT NULL + 1, i + NULL FROM nums",
    "SELECT count(*) * 100 / 3 FROM nums",
)
