"""Functions that only stand before OVER (https://sqlite.org/windowfunctions.html, 5)."""

from __future__ import annotations

from collections.abc import Mapping

from testsuite.dialect.types import AggregateBuilder, AggregateCall, Expr, Refused, Type, as_bigint, unify


def _rank(result: Type) -> AggregateBuilder:
    def build(call: AggregateCall) -> Expr:
        if call.args or call.distinct:
            raise Refused(f"arguments of {call.name}")
        return Expr(f"{call.name}(){call.suffix}", result, exact=result is Type.INTEGER)

    return build


def _count(e: Expr, least: int, what: str) -> str:
    if not isinstance(e.value, int) or e.value < least or e.value > 2**31:
        raise Refused(f"{what} that is no constant")
    return str(e.value)


def _ntile(call: AggregateCall) -> Expr:
    if len(call.args) != 1:
        raise Refused("arguments of ntile")
    return Expr(f"ntile({_count(call.args[0], 1, 'ntile')}){call.suffix}", Type.INTEGER, exact=True)


def _shift(call: AggregateCall) -> Expr:
    """LAG and LEAD."""
    if not 1 <= len(call.args) <= 3:
        raise Refused(f"arguments of {call.name}")
    value = as_bigint(call.args[0])
    offset = _count(call.args[1], 0, "offset") if len(call.args) > 1 else "1"
    if len(call.args) < 3:
        return _through(value, f"{call.name}({_typed(value)}, {offset}){call.suffix}")
    kind, (text, default) = unify((value, call.args[2]), call.name.upper())
    if kind is Type.NULL:
        text, default = "CAST(NULL AS VARCHAR)", "CAST(NULL AS VARCHAR)"
        kind = Type.TEXT
    return Expr(f"{call.name}({text}, {offset}, {default}){call.suffix}", kind)


def _typed(value: Expr) -> str:
    return "CAST(NULL AS VARCHAR)" if value.type is Type.NULL else value.sql


def _through(value: Expr, sql: str) -> Expr:
    return Expr(sql, Type.TEXT if value.type is Type.NULL else value.type, exact=value.exact)


def _edge(call: AggregateCall) -> Expr:
    """FIRST_VALUE and LAST_VALUE."""
    if len(call.args) != 1:
        raise Refused(f"arguments of {call.name}")
    value = as_bigint(call.args[0])
    return _through(value, f"{call.name}({_typed(value)}){call.suffix}")


def _nth(call: AggregateCall) -> Expr:
    if len(call.args) != 2:
        raise Refused("arguments of nth_value")
    value = as_bigint(call.args[0])
    return _through(value, f"nth_value({_typed(value)}, {_count(call.args[1], 1, 'nth_value')}){call.suffix}")


WINDOWS: Mapping[str, AggregateBuilder] = {
    "row_number": _rank(Type.INTEGER),
    "rank": _rank(Type.INTEGER),
    "dense_rank": _rank(Type.INTEGER),
    "percent_rank": _rank(Type.REAL),
    "cume_dist": _rank(Type.REAL),
    "ntile": _ntile,
    "lag": _shift,
    "lead": _shift,
    "first_value": _edge,
    "last_value": _edge,
    "nth_value": _nth,
}
