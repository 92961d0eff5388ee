"""SQLite's functions as DuckDB expressions, one family per file.

    SCALARS      name -> builder of a scalar call (also MIN and MAX of several arguments)
    AGGREGATES   name -> builder of an aggregate call, with or without OVER
    WINDOWS      name -> builder of a function that needs OVER

``testsuite.query.calls.call_of`` reads name and arguments of a scalar call from a tree. A builder raises ``Refused``
for what it cannot keep. Sessions register ``native.natives()`` first: most scalar functions call SQLite itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from testsuite.dialect.functions.aggregate import AGGREGATES
from testsuite.dialect.functions.choice import CHOICE
from testsuite.dialect.functions.date import DATE
from testsuite.dialect.functions.number import NUMBER
from testsuite.dialect.functions.text import TEXT
from testsuite.dialect.functions.window import WINDOWS
from testsuite.dialect.types import AggregateCall, Builder, Call, Expr, Refused

FAMILIES: tuple[Mapping[str, Builder], ...] = (CHOICE, DATE, NUMBER, TEXT)
SCALARS: Mapping[str, Builder] = {name: build for family in FAMILIES for name, build in family.items()}


def scalar(call: Call) -> Expr:
    """A scalar call. Refused where the function is unknown or its meaning cannot be kept."""
    build = SCALARS.get(call.name)
    if build is None:
        raise Refused("unknown function")
    return build(call)


def aggregate(call: AggregateCall) -> Expr:
    """An aggregate or window call. Refused where the function is unknown or its meaning cannot be kept."""
    build = AGGREGATES.get(call.name) or WINDOWS.get(call.name)
    if build is None:
        raise Refused("unknown function")
    return build(call)


__all__ = ["AGGREGATES", "FAMILIES", "SCALARS", "WINDOWS", "aggregate", "scalar"]
