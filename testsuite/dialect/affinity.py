"""Comparisons as SQLite makes them: affinity of both sides, then numbers before text.

https://sqlite.org/datatype3.html, sections 4.1 and 4.2, and sqlite3CompareAffinity in its expr.c. Both operands are
brought to one DuckDB type in which every comparison gives SQLite's answer. Where a number meets a text that stays
text, the text becomes NaN: DuckDB sorts NaN above all numbers and equal to none, which is what SQLite does.
"""

from __future__ import annotations

from dataclasses import replace

from testsuite.dialect.types import (
    NUMERIC_AFFINITIES,
    Expr,
    Refused,
    Type,
    as_bigint,
    as_double,
    as_text,
    number_literal,
    numeric_value,
)
from testsuite.schema.model import Affinity

NAN = "CAST('nan' AS DOUBLE)"
EQUALITIES = frozenset(("=", "<>", "IS", "IS NOT"))


def applied(left: Affinity | None, right: Affinity | None) -> str | None:
    """The conversion both operands get: "numeric", "text" or None."""
    if left is not None and right is not None:
        return "numeric" if left in NUMERIC_AFFINITIES or right in NUMERIC_AFFINITIES else None
    one = left if left is not None else right
    if one in NUMERIC_AFFINITIES:
        return "numeric"
    return "text" if one is Affinity.TEXT else None


def operands(left: Expr, right: Expr, equality: bool) -> tuple[str, str]:
    """DuckDB text of both operands, directly comparable.

    Args:
        left, right: translated operands.
        equality: whether they are only tested for equality.

    Raises:
        Refused: no one type keeps SQLite's answer.
    """
    left, right = as_bigint(left), as_bigint(right)
    if Type.NULL in (left.type, right.type):
        return left.sql, right.sql
    conversion = applied(left.affinity, right.affinity)
    unsure = left.unsure or right.unsure
    if left.type is Type.TEXT and right.type is Type.TEXT:
        if unsure and (_numeric_text(left) or _numeric_text(right)):
            raise Refused("affinity not defined")
        if conversion == "numeric":
            return _numeric_texts(left, right, equality)
        return _collated(left, right)
    if left.type is not Type.TEXT and right.type is not Type.TEXT:
        return _numbers(left, right)
    if unsure:
        raise Refused("affinity not defined")
    if conversion == "text":
        return _collated(as_text(left), as_text(right))
    if left.type is Type.TEXT:
        return _numbers(_as_number(left, conversion), right)
    return _numbers(left, _as_number(right, conversion))


def compare(operator: str, left: Expr, right: Expr) -> Expr:
    """A comparison: = <> < <= > >= IS "IS NOT", as a BOOLEAN."""
    a, b = operands(left, right, operator in EQUALITIES)
    if operator == "IS":
        operator = "IS NOT DISTINCT FROM"
    elif operator == "IS NOT":
        operator = "IS DISTINCT FROM"
    return Expr(f"({a} {operator} {b})", Type.BOOLEAN)


def _numeric_text(e: Expr) -> bool:
    return isinstance(e.value, str) and numeric_value(e.value) is not None


def _as_number(e: Expr, conversion: str | None) -> Expr:
    """A text against a number, as DOUBLE or a constant; text that stays text is NaN."""
    if isinstance(e.value, str):
        number = numeric_value(e.value) if conversion == "numeric" else None
        return Expr(NAN, Type.REAL) if number is None else number_literal(number)
    # Text stored under numeric affinity never looks like a number, so it stays text.
    if conversion == "numeric" and e.affinity not in NUMERIC_AFFINITIES:
        return Expr(f"sq_number({e.sql})", Type.REAL)
    return Expr(f"sq_nan({e.sql})", Type.REAL)


def _numeric_texts(left: Expr, right: Expr, equality: bool) -> tuple[str, str]:
    """Two texts of which at least one has numeric affinity, hence never looks like a number."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one.value, str):
            number = numeric_value(one.value)
            if number is None:
                return _collated(left, right)
            pair = (number_literal(number), Expr(f"sq_nan({other.sql})", Type.REAL))
            return _numbers(*(pair if one is left else pair[::-1]))
    if equality or (left.affinity in NUMERIC_AFFINITIES and right.affinity in NUMERIC_AFFINITIES):
        return _collated(left, right)
    raise Refused("text compared under numeric affinity")


def _numbers(left: Expr, right: Expr) -> tuple[str, str]:
    if (left.type is Type.INTEGER) == (right.type is Type.INTEGER):
        return left.sql, right.sql
    # A constant within +-2**53 lies on the same side of a larger integer and of its nearest DOUBLE.
    for one, other in ((left, right), (right, left)):
        if one.sql == NAN or (one.value is not None and abs(float(one.value)) < 2**53):
            pair = (one.sql, f"CAST({other.sql} AS DOUBLE)" if other.type is Type.INTEGER else other.sql)
            return pair if one is left else pair[::-1]
    return as_double(left).sql, as_double(right).sql


def _collated(left: Expr, right: Expr) -> tuple[str, str]:
    """Both texts under the collation SQLite chooses (https://sqlite.org/datatype3.html, 7.1)."""
    if left.explicit_collation:
        name = left.collation
    elif right.explicit_collation:
        name = right.collation
    else:
        name = left.collation or right.collation
    if name == "NOCASE":
        return f"sq_lower({left.sql})", f"sq_lower({right.sql})"
    if name == "RTRIM":
        return f"rtrim({left.sql}, ' ')", f"rtrim({right.sql}, ' ')"
    return left.sql, right.sql


def without_affinity(e: Expr) -> Expr:
    """The operand without its affinity (list items of IN)."""
    return replace(e, affinity=None)
