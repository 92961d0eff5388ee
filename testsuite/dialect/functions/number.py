"""Numeric functions (https://sqlite.org/lang_mathfunc.html; ROUND goes by the decimal text of the number)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from testsuite.dialect.functions.builder import arity, lent, native, refused
from testsuite.dialect.types import Builder, Call, Expr, Type, as_bigint, as_real


def _abs(call: Call) -> Expr:
    (value,) = call.args
    if value.type is Type.NULL:
        return value.plain()
    if value.type is Type.TEXT:
        value = as_real(value)
    value = as_bigint(value)
    return Expr(f"abs({value.sql})", value.type, exact=value.exact)


def _whole(call: Call) -> Expr:
    """CEIL, FLOOR, TRUNC: an INTEGER stays what it is."""
    (value,) = call.args
    if value.type in (Type.INTEGER, Type.BOOLEAN):
        return replace(as_bigint(value).plain(), value=None)
    name = "ceil" if call.name == "ceiling" else call.name
    return native(name, Type.REAL if value.type is Type.REAL else Type.NUMBER, value, number=True)


_REAL = lent(Type.REAL, number=True)

NUMBER: Mapping[str, Builder] = {
    "abs": arity(1, 1, _abs),
    "round": arity(1, 2, _REAL),
    "ceil": arity(1, 1, _whole),
    "ceiling": arity(1, 1, _whole),
    "floor": arity(1, 1, _whole),
    "trunc": arity(1, 1, _whole),
    "sign": arity(1, 1, lent(Type.INTEGER, number=True)),
    "mod": arity(2, 2, _REAL),
    "pow": arity(2, 2, _REAL),
    "power": arity(2, 2, lent(Type.REAL, number=True, name="pow")),
    "log": arity(1, 2, _REAL),
    "atan2": arity(2, 2, _REAL),
    **{
        name: arity(1, 1, _REAL)
        for name in (
            *("sqrt", "exp", "ln", "log10", "log2", "radians", "degrees", "sin", "cos", "tan"),
            *("asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
        )
    },
    # A native function without arguments would not know how many rows to answer.
    "pi": arity(0, 0, lambda call: Expr("3.141592653589793e0", Type.REAL, value=3.141592653589793)),
    "random": refused("random"),
}
