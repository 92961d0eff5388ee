"""Date functions over text, Julian days or seconds (https://sqlite.org/lang_datefunc.html).

The clock must have been frozen (``testsuite.query.clock.freeze``): what still reads it is refused.
"""

from __future__ import annotations

from collections.abc import Mapping

from testsuite.dialect.functions.builder import arity, native
from testsuite.dialect.types import Builder, Call, Expr, Refused, Type


def _date(result: Type, before: int = 0) -> Builder:
    """A date function with ``before`` arguments in front of its time value."""

    def build(call: Call) -> Expr:
        if len(call.args) <= before:
            raise Refused("clock")
        time = call.args[before]
        if isinstance(time.value, str) and time.value.strip().lower() == "now":
            raise Refused("clock")
        for modifier in (*call.args[:before], *call.args[before + 1 :]):
            if modifier.type not in (Type.TEXT, Type.NULL):
                raise Refused("date modifier that is no text")
            if isinstance(modifier.value, str) and modifier.value.strip().lower() in ("localtime", "utc"):
                raise Refused("time zone")
        return native(call.name, result, *call.args, number=True)

    return arity(0, None, build)


DATE: Mapping[str, Builder] = {
    "date": _date(Type.TEXT),
    "time": _date(Type.TEXT),
    "datetime": _date(Type.TEXT),
    "strftime": _date(Type.TEXT, before=1),
    "julianday": _date(Type.REAL),
    "unixepoch": _date(Type.INTEGER),
}
