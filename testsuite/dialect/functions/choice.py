"""Functions that hand one of their arguments through (https://sqlite.org/lang_corefunc.html)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from testsuite.dialect.functions.builder import arity, refused
from testsuite.dialect.types import (
    Builder,
    Call,
    Expr,
    Refused,
    Type,
    as_bigint,
    as_double,
    as_truth,
    text_literal,
    unify,
)


def _binary(args: Sequence[Expr]) -> None:
    if any(arg.collation for arg in args):
        raise Refused("collation in a function")


def _coalesce(call: Call) -> Expr:
    given = [arg for arg in call.args if arg.type is not Type.NULL]
    if not given:
        return Expr("NULL", Type.NULL)
    kind, texts = unify(given, "COALESCE")
    return Expr(f"coalesce({', '.join(texts)})", kind, exact=all(arg.exact for arg in given))


def _nullif(call: Call) -> Expr:
    """NULLIF compares without any affinity: a text never equals a number."""
    _binary(call.args)
    value, other = (as_bigint(arg.plain()) for arg in call.args)
    result = Expr(value.sql, value.type, exact=value.exact)
    if Type.NULL in (value.type, other.type) or (value.type is Type.TEXT) != (other.type is Type.TEXT):
        return result
    left, right = value.sql, other.sql
    if value.type is not other.type:
        left, right = as_double(value).sql, as_double(other).sql
    sql = f"(CASE WHEN {left} = {right} THEN NULL ELSE {value.sql} END)"
    return Expr(sql, value.type, exact=value.exact)


def _iif(call: Call) -> Expr:
    condition, yes, no = call.args
    kind, (yes_text, no_text) = unify((yes, no), "CASE")
    sql = f"(CASE WHEN {as_truth(condition)} THEN {yes_text} ELSE {no_text} END)"
    return Expr(sql, kind, exact=yes.exact and no.exact)


def _extreme(name: str) -> Builder:
    """MIN and MAX of several arguments: NULL as soon as one is NULL."""

    def build(call: Call) -> Expr:
        _binary(call.args)
        if any(arg.type is Type.NULL for arg in call.args):
            return Expr("NULL", Type.NULL)
        kind, texts = unify(call.args, call.name.upper())
        missing = " OR ".join(f"{text} IS NULL" for text in texts)
        sql = f"(CASE WHEN {missing} THEN NULL ELSE {name}({', '.join(texts)}) END)"
        return Expr(sql, kind, exact=all(arg.exact for arg in call.args))

    return build


def _typeof(call: Call) -> Expr:
    (value,) = call.args
    if value.type is Type.NUMBER:
        raise Refused("typeof a NUMBER")
    if value.type is Type.NULL:
        return text_literal("null")
    name = {Type.REAL: "real", Type.TEXT: "text"}.get(value.type, "integer")
    return Expr(f"(CASE WHEN {value.sql} IS NULL THEN 'null' ELSE '{name}' END)", Type.TEXT)


def _same(call: Call) -> Expr:
    value = as_bigint(call.args[0])
    if value.affinity is not None or value.collation:
        # Whether it hands the affinity of a column on depends on the version.
        raise Refused("likelihood of a column")
    return value


CHOICE: Mapping[str, Builder] = {
    "coalesce": arity(2, None, _coalesce),
    "ifnull": arity(2, 2, _coalesce),
    "nullif": arity(2, 2, _nullif),
    "iif": arity(3, 3, _iif),
    "min": arity(2, None, _extreme("least")),
    "max": arity(2, None, _extreme("greatest")),
    "typeof": arity(1, 1, _typeof),
    "likely": arity(1, 1, _same),
    "unlikely": arity(1, 1, _same),
    "likelihood": arity(2, 2, _same),
    "changes": refused("connection state"),
    "total_changes": refused("connection state"),
    "last_insert_rowid": refused("connection state"),
}
