"""Statically typed DuckDB expressions, and the conversions SQLite makes between types.

Every SQLite expression is translated to DuckDB text of ONE static type. SQLite types each value at run time, so an
expression that may give text on one row and a number on another has no static type and is refused.

Text is atomic: whatever stands in ``Expr.sql`` can be put beside any operator without further parentheses.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from testsuite.schema.model import Affinity, Storage


class Refused(Exception):  # noqa: N818 (an outcome, not a fault)
    """The meaning of a query is not known to be kept by translation. One short, stable reason."""


class Type(StrEnum):
    """What an expression physically is in DuckDB, and what SQLite would hold there.

    ``NUMBER`` is a DOUBLE of which it is not known whether SQLite holds INTEGER or REAL (a NUMERIC column with
    fractions, CASE of an integer and a real branch). It compares and adds up right, but must not be divided by
    another possible integer, nor turned into text. ``BOOLEAN`` is a DuckDB boolean, INTEGER 0 or 1 for SQLite.
    """

    NULL = "NULL"
    INTEGER = "INTEGER"
    REAL = "REAL"
    NUMBER = "NUMBER"
    TEXT = "TEXT"
    BOOLEAN = "BOOLEAN"

    @property
    def numeric(self) -> bool:
        """INTEGER, REAL, NUMBER or BOOLEAN."""
        return self in (Type.INTEGER, Type.REAL, Type.NUMBER, Type.BOOLEAN)


STORED: dict[Storage, Type] = {
    Storage.INTEGER: Type.INTEGER,
    Storage.REAL: Type.REAL,
    Storage.NUMBER: Type.NUMBER,
    Storage.TEXT: Type.TEXT,
}

NUMERIC_AFFINITIES = frozenset({Affinity.INTEGER, Affinity.REAL, Affinity.NUMERIC})


@dataclass(frozen=True, slots=True)
class Expr:
    """One translated expression.

    Attributes:
        sql: DuckDB text, atomic.
        type: its static type.
        affinity: SQLite's affinity of the expression (datatype3.html, 3.2); None for none at all.
        value: the value where it is a constant (NULL has type NULL and value None), else None.
        collation: NOCASE or RTRIM where SQLite would compare with it; None for BINARY.
        explicit_collation: whether COLLATE was written on it (it then wins over the other operand's).
        unsure: SQLite does not define the affinity (branches of a set operation differ).
        exact: an INTEGER known to lie within +-2**53 (counts, small constants): exact as DOUBLE.
    """

    sql: str
    type: Type
    affinity: Affinity | None = None
    value: int | float | str | None = None
    collation: str | None = None
    explicit_collation: bool = False
    unsure: bool = False
    exact: bool = False

    @property
    def constant(self) -> bool:
        """Whether the value is known now."""
        return self.value is not None or self.type is Type.NULL

    def plain(self) -> Expr:
        """The same value without affinity and collation, as after any operator."""
        return replace(self, affinity=None, collation=None, explicit_collation=False, unsure=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A scalar function call as a builder gets it.

    Attributes:
        name: SQLite's function name, lower case.
        args: translated arguments.
        now: the frozen instant (UTC) for 'now'; None where no clock was given (then refuse what needs it).
    """

    name: str
    args: tuple[Expr, ...]
    now: datetime | None = None


@dataclass(frozen=True, slots=True)
class AggregateCall:
    """An aggregate function call (also as a window function).

    Attributes:
        name: SQLite's function name, lower case. ``count(*)`` has no arguments.
        args: translated arguments; text of one row.
        distinct: whether DISTINCT stands inside.
        suffix: text to put right after the closing parenthesis of every aggregate made: FILTER and OVER.
    """

    name: str
    args: tuple[Expr, ...]
    distinct: bool = False
    suffix: str = ""


Builder = Callable[[Call], Expr]
AggregateBuilder = Callable[[AggregateCall], Expr]


def text_literal(value: str) -> Expr:
    """A text constant."""
    if "\x00" in value:
        raise Refused("NUL in text")
    if any("\ud800" <= ch <= "\udfff" for ch in value):
        raise Refused("text that is not UTF-8")
    return Expr("'" + value.replace("'", "''") + "'", Type.TEXT, value=value)


def number_literal(value: int | float) -> Expr:
    """A number constant; an integer outside 64 bits is REAL, as in SQLite."""
    if isinstance(value, int):
        if -(2**63) < value < 2**63:
            sql = str(value) if value >= 0 else f"({value})"
            return Expr(sql, Type.INTEGER, value=value, exact=abs(value) <= 2**53)
        value = float(value)
    if not math.isfinite(value):
        raise Refused("infinite constant")
    sql = repr(value)
    if "e" not in sql:
        sql += "e0"  # DuckDB reads 1.5 as DECIMAL and 1.5e0 as DOUBLE.
    return Expr(sql if value >= 0 and not sql.startswith("-") else f"({sql})", Type.REAL, value=value)


NULL = Expr("NULL", Type.NULL)

_NUMERIC = re.compile(r"[ \t\n\v\f\r]*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[ \t\n\v\f\r]*\Z")
_PREFIX = re.compile(r"[ \t\n\v\f\r]*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")


def numeric_value(text: str) -> int | float | None:
    """The number SQLite's numeric affinity makes of a text; None where it stays text (datatype3.html, 3)."""
    found = _NUMERIC.match(text)
    if not found:
        return None
    return _number(found.group(1))


def _number(digits: str) -> int | float:
    if digits.lstrip("+-").isdigit() and -(2**63) <= int(digits) < 2**63:
        return int(digits)
    value = float(digits)
    if not math.isfinite(value):
        raise Refused("infinite constant")
    return value


def prefix_value(text: str) -> int | float:
    """The number SQLite's arithmetic reads at the start of a text; 0 where there is none."""
    found = _PREFIX.match(text)
    return _number(found.group(1)) if found else 0


def as_bigint(e: Expr) -> Expr:
    """A BOOLEAN as the INTEGER that SQLite sees; anything else unchanged."""
    if e.type is Type.BOOLEAN:
        return replace(e, sql=f"CAST({e.sql} AS BIGINT)", type=Type.INTEGER, exact=True)
    return e


def as_text(e: Expr) -> Expr:
    """The text SQLite makes of a value; of a REAL by SQLite itself. A NUMBER is refused, unless constant."""
    if e.type in (Type.TEXT, Type.NULL):
        return e if e.type is Type.TEXT else replace(e, sql="CAST(NULL AS VARCHAR)")
    if isinstance(e.value, int):
        return text_literal(str(e.value))
    if e.type is Type.NUMBER:
        raise Refused("text of a NUMBER")
    if e.type is Type.REAL:
        return Expr(f"sqlite_to_text({e.sql})", Type.TEXT)
    return Expr(f"CAST({as_bigint(e).sql} AS VARCHAR)", Type.TEXT)


def as_double(e: Expr) -> Expr:
    """A numeric expression as DOUBLE (type NUMBER unless it is REAL), exact or an error at run time."""
    e = as_bigint(e)
    if e.type in (Type.REAL, Type.NUMBER):
        return e
    if e.type is Type.NULL:
        return replace(e, sql="CAST(NULL AS DOUBLE)")
    if e.type is Type.TEXT:
        raise Refused("number of a text")
    if e.exact:
        return replace(e, sql=f"CAST({e.sql} AS DOUBLE)", type=Type.NUMBER)
    return replace(e, sql=f"sq_double({e.sql})", type=Type.NUMBER)


def as_number(e: Expr) -> Expr:
    """An operand of arithmetic: text becomes the number at its start (NUMBER), as SQLite does."""
    if isinstance(e.value, str):
        return number_literal(prefix_value(e.value))
    if e.type is Type.TEXT:
        return Expr(f"sqlite_numeric({e.sql})", Type.NUMBER)
    return as_bigint(e)


def as_real(e: Expr) -> Expr:
    """The value as REAL (what CAST(x AS REAL), AVG and TOTAL see)."""
    if e.type is Type.NULL:
        return Expr("CAST(NULL AS DOUBLE)", Type.REAL)
    e = as_number(e)
    if e.value is not None:
        return number_literal(float(e.value))
    if e.type is Type.INTEGER:
        return Expr(f"CAST({e.sql} AS DOUBLE)", Type.REAL)
    return replace(e.plain(), type=Type.REAL)


def as_truth(e: Expr) -> str:
    """DuckDB boolean text of an expression's truth value (https://sqlite.org/lang_expr.html, boolean)."""
    if e.type is Type.BOOLEAN:
        return e.sql
    if e.type is Type.NULL:
        return "CAST(NULL AS BOOLEAN)"
    number = as_number(e)
    if number.value is not None:
        return "TRUE" if number.value != 0 else "FALSE"
    return f"({number.sql} <> 0)"


def unify(exprs: Sequence[Expr], what: str) -> tuple[Type, list[str]]:
    """One type for several branches, and the text of each branch in it.

    Raises:
        Refused: ``mixed-type <what>`` where text and numbers meet.
    """
    exprs = [as_bigint(e) for e in exprs]
    types = {e.type for e in exprs} - {Type.NULL}
    if not types:
        return Type.NULL, [e.sql for e in exprs]
    if Type.TEXT in types and len(types) > 1:
        raise Refused(f"mixed-type {what}")
    if len(types) == 1:
        return types.pop(), [e.sql for e in exprs]
    return Type.NUMBER, [as_double(e).sql for e in exprs]
