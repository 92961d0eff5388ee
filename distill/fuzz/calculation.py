"""The values of calculations without columns: ``0.1 + 0.2`` is a constant that its digits do not show."""

from __future__ import annotations

import sqlite3

from sqlglot import exp

_CALCULATIONS = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Cast, exp.DPipe)
_PARTS = (*_CALCULATIONS, exp.Literal, exp.Paren, exp.Neg, exp.DataType, exp.DataTypeParam)


def calculated(node: exp.Expr) -> list[int | float | str]:
    """The value of each largest calculation below ``node`` that has literals only, as SQLite computes it."""
    found: list[int | float | str] = []
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, _CALCULATIONS) and all(isinstance(part, _PARTS) for part in here.walk()):
            value = _value(here)
            if value is not None:
                found.append(value)
        else:
            stack.extend(here.iter_expressions())
    return found


def _value(node: exp.Expr) -> int | float | str | None:
    connection = sqlite3.connect(":memory:")
    try:
        value = connection.execute("SELECT " + node.sql(dialect="sqlite")).fetchone()[0]
    except sqlite3.Error:
        return None
    finally:
        connection.close()
    return value if isinstance(value, int | float | str) else None
