"""Aggregate functions (https://sqlite.org/lang_aggfunc.html)."""

from __future__ import annotations

from collections.abc import Mapping

from testsuite.dialect.functions.builder import text_of
from testsuite.dialect.types import (
    AggregateBuilder,
    AggregateCall,
    Expr,
    Refused,
    Type,
    as_bigint,
    as_number,
    as_real,
)

_MOST = 2**63 - 1
_SMALL = 1_000_000


def _one(call: AggregateCall) -> Expr:
    if len(call.args) != 1:
        raise Refused(f"arguments of {call.name}")
    (value,) = call.args
    if call.distinct and value.collation:
        raise Refused("collation in DISTINCT")
    return as_bigint(value)


def _made(function: str, argument: str, call: AggregateCall) -> str:
    return f"{function}({'DISTINCT ' if call.distinct else ''}{argument}){call.suffix}"


def _count(call: AggregateCall) -> Expr:
    if not call.args:
        return Expr(f"count(*){call.suffix}", Type.INTEGER, exact=True)
    value = _one(call)
    argument = "CAST(NULL AS VARCHAR)" if value.type is Type.NULL else value.sql
    return Expr(_made("count", argument, call), Type.INTEGER, exact=True)


def _number(call: AggregateCall) -> Expr:
    """The argument of SUM, AVG and TOTAL. DISTINCT goes by the text, before it is read as a number."""
    value = _one(call)
    if call.distinct and value.type is Type.TEXT:
        raise Refused("sum of distinct texts")
    return value


def _sum(call: AggregateCall) -> Expr:
    value = as_number(_number(call))
    if value.type is Type.NULL:
        return Expr(_made("sum", "CAST(NULL AS DOUBLE)", call), Type.REAL)
    made = _made("sum", value.sql, call)
    if value.type is Type.INTEGER:
        if value.exact and (value.value is None or abs(int(value.value)) <= _SMALL):
            return Expr(f"CAST({made} AS BIGINT)", Type.INTEGER)
        # SQLite adds up in 64 bits and raises "integer overflow" even where only a sum on the way is too large, which
        # hangs on the order of rows. DuckDB adds up in 128 bits, so what might overflow is handed to SQLite.
        sizes = _made("sum", f"abs({value.sql})", call)
        most = _MOST // 2 if call.distinct else _MOST
        failure = "CAST(error('integer overflow') AS BIGINT)"
        return Expr(f"(CASE WHEN {sizes} > {most} THEN {failure} ELSE CAST({made} AS BIGINT) END)", Type.INTEGER)
    return Expr(made, value.type)


def _avg(call: AggregateCall) -> Expr:
    return Expr(_made("avg", as_real(_number(call)).sql, call), Type.REAL)


def _total(call: AggregateCall) -> Expr:
    return Expr(f"coalesce({_made('sum', as_real(_number(call)).sql, call)}, 0e0)", Type.REAL)


def _extreme(call: AggregateCall) -> Expr:
    value = _one(call)
    if value.collation:
        raise Refused("collation in MIN or MAX")
    if value.type is Type.NULL:
        return Expr(f"{call.name}(CAST(NULL AS VARCHAR)){call.suffix}", Type.TEXT)
    return Expr(f"{call.name}({value.sql}){call.suffix}", value.type, exact=value.exact)


def _group_concat(call: AggregateCall) -> Expr:
    """Texts in no order that SQL defines; see ``testsuite.query.choices``."""
    separator = ","
    if len(call.args) == 2 and not call.distinct:
        given = call.args[1]
        if not given.constant:
            raise Refused("separator that is no constant")
        separator = "" if given.value is None else str(given.value)
        if isinstance(given.value, float):
            raise Refused("separator that is no text")
        call = AggregateCall(call.name, call.args[:1], call.distinct, call.suffix)
    value = _one(call)
    if call.distinct and value.type in (Type.REAL, Type.NUMBER):
        raise Refused("distinct texts of REALs")
    quoted = "'" + separator.replace("'", "''") + "'"
    return Expr(_made("string_agg", f"{text_of(value).sql}, {quoted}", call), Type.TEXT)


AGGREGATES: Mapping[str, AggregateBuilder] = {
    "avg": _avg,
    "count": _count,
    "group_concat": _group_concat,
    "max": _extreme,
    "min": _extreme,
    "sum": _sum,
    "total": _total,
}
