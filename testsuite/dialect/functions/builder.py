"""What every family of functions shares: argument counts, typed results, calls of native functions."""

from __future__ import annotations

from collections.abc import Callable

from testsuite.dialect.types import Builder, Call, Expr, Refused, Type, as_bigint


def native(name: str, result: Type, *args: Expr, number: bool = False) -> Expr:
    """A call of SQLite's own function (see ``native.py``).

    Args:
        name: SQLite's name of the function.
        result: the static type of what it returns.
        args: arguments; they reach SQLite with the type they have here.
        number: whether it makes no difference to the function if a number comes as INTEGER or as REAL.

    Raises:
        Refused: ``text of a NUMBER`` where that difference is not known and matters.
    """
    texts = []
    for arg in args:
        if arg.type is Type.NUMBER and not number:
            raise Refused("text of a NUMBER")
        if arg.type is Type.NULL:
            texts.append("CAST(NULL AS VARCHAR)")
        elif arg.type in (Type.INTEGER, Type.BOOLEAN):
            texts.append(f"CAST({arg.sql} AS BIGINT)")
        else:
            texts.append(as_bigint(arg).sql)
    return Expr(f"sqlite_{name}({', '.join(texts)})", result)


def text_of(e: Expr) -> Expr:
    """The text SQLite makes of any value but a NUMBER."""
    if e.type is Type.TEXT:
        return e.plain()
    return native("to_text", Type.TEXT, e)


def arity(least: int, most: int | None, build: Builder) -> Builder:
    """The builder, refusing another number of arguments (SQLite refuses it first)."""

    def checked(call: Call) -> Expr:
        if len(call.args) < least or (most is not None and len(call.args) > most):
            raise Refused(f"arguments of {call.name}")
        return build(call)

    return checked


def lent(result: Type, number: bool = False, name: str | None = None) -> Builder:
    """A builder that hands the call to SQLite unchanged."""

    def build(call: Call) -> Expr:
        return native(name or call.name, result, *call.args, number=number)

    return build


def refused(reason: str) -> Callable[[Call], Expr]:
    """A builder that always refuses."""

    def build(call: Call) -> Expr:
        raise Refused(reason)

    return build
