"""SQLite's own functions, callable from DuckDB: exact by construction.

Most scalar functions of SQLite have details that no DuckDB expression reproduces (rounding of the decimal text,
date modifiers, the text of a REAL, number prefixes of a text). They are therefore handed to SQLite itself, one
call per distinct argument list, behind a vectorised function of DuckDB. A session registers them once:

    for native in natives():
        connection.create_function(native.name, native, None, native.result.duckdb, type="arrow",
                                   null_handling="special")

The arguments keep their types on the way (BIGINT is INTEGER, DOUBLE is REAL, VARCHAR is TEXT), so callers must cast
every argument; see ``call`` in ``builder.py``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import pyarrow as pa

Scalar = int | float | str | None
_MISSING = object()
_MEMO_LIMIT = 200_000
_EXACT = 2**53


class Result(StrEnum):
    """What a native function returns. ``NUMBER`` is an INTEGER or a REAL, handed over as DOUBLE."""

    INTEGER = "INTEGER"
    REAL = "REAL"
    NUMBER = "NUMBER"
    TEXT = "TEXT"

    @property
    def duckdb(self) -> str:
        """The DuckDB type of the result."""
        return {"INTEGER": "BIGINT", "REAL": "DOUBLE", "NUMBER": "DOUBLE", "TEXT": "VARCHAR"}[self.value]

    @property
    def arrow(self) -> pa.DataType:
        """The Arrow type of the result."""
        return {
            "INTEGER": pa.int64(),
            "REAL": pa.float64(),
            "NUMBER": pa.float64(),
            "TEXT": pa.string(),
        }[self.value]


class NativeFailure(Exception):  # noqa: N818 (not a fault of the caller)
    """SQLite refused a call, or its answer cannot be handed over without loss; the instance goes to SQLite."""


@dataclass(frozen=True, slots=True)
class Spec:
    """One native function.

    Attributes:
        name: its name in DuckDB.
        result: what it returns.
        sql: the SQLite expression over ``?1, ?2 ...``, or ``{}`` standing for all arguments.
        clock: whether a text argument 'now' would make it depend on the real time.
    """

    name: str
    result: Result
    sql: str
    clock: bool = False


def _of(name: str, result: Result, clock: bool = False) -> Spec:
    return Spec(f"sqlite_{name}", result, f"{name}({{}})", clock)


_I, _R, _N, _T = Result.INTEGER, Result.REAL, Result.NUMBER, Result.TEXT

SPECS: tuple[Spec, ...] = (
    # Conversions. `numeric` is what arithmetic and SUM make of a text; `affinity` what numeric affinity makes of
    # it in a comparison: NULL where it stays a text.
    Spec("sqlite_to_text", _T, "CAST(?1 AS TEXT)"),
    Spec("sqlite_to_integer", _I, "CAST(?1 AS INTEGER)"),
    Spec("sqlite_to_real", _R, "CAST(?1 AS REAL)"),
    Spec("sqlite_numeric", _N, "+(?1 + 0)"),
    Spec("sqlite_affinity", _N, "CASE WHEN ?1 = CAST(?1 AS NUMERIC) THEN CAST(?1 AS NUMERIC) END"),
    Spec("sqlite_truth", _I, "NOT NOT ?1"),
    # Text.
    *(_of(n, _T) for n in ("lower", "upper", "trim", "ltrim", "rtrim", "replace", "substr", "hex", "char", "quote")),
    *(_of(n, _T) for n in ("printf", "soundex")),
    *(_of(n, _I) for n in ("length", "instr", "unicode", "like", "glob", "sign")),
    # Numbers.
    *(
        _of(n, _R)
        for n in (
            *("round", "sqrt", "exp", "ln", "log", "log10", "log2", "pow", "mod", "radians", "degrees"),
            *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh"),
            "atanh",
        )
    ),
    *(_of(n, _N) for n in ("ceil", "floor", "trunc")),
    # Dates.
    *(_of(n, _T, True) for n in ("strftime", "date", "time", "datetime")),
    _of("julianday", _R, True),
    _of("unixepoch", _I, True),
)


@dataclass(frozen=True, slots=True)
class Native:
    """A native function as DuckDB calls it: Arrow columns in, one Arrow column out."""

    spec: Spec
    connection: sqlite3.Connection
    memos: dict[tuple[str, ...], dict[tuple[Scalar, ...], Scalar]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def result(self) -> Result:
        return self.spec.result

    def __call__(self, *columns: pa.Array) -> pa.Array:
        """The function of every row. NativeFailure where SQLite raises or the answer breaks the result type."""
        lists = [_values(column) for column in columns]
        # 1, 1.0 and True are one key to a dict, but not one argument to SQLite.
        memo = self.memos.setdefault(tuple(str(column.type) for column in columns), {})
        if len(memo) > _MEMO_LIMIT:
            memo.clear()
        out: list[Scalar] = []
        for key in zip(*lists, strict=True):
            value = memo.get(key, _MISSING)
            if value is _MISSING:
                value = self.one(key)
                # 0.0 and -0.0 are one key as well, and SQLite prints them differently.
                if not any(type(cell) is float and cell == 0.0 for cell in key):
                    memo[key] = value
            out.append(value)  # type: ignore[arg-type]
        return pa.array(out, type=self.spec.result.arrow)

    def one(self, arguments: Sequence[Scalar]) -> Scalar:
        """The function of one argument list."""
        if self.spec.clock and any(isinstance(a, str) and a.strip().lower() == "now" for a in arguments):
            raise NativeFailure("a stored 'now' depends on the real time")
        marks = ", ".join(f"?{i + 1}" for i in range(len(arguments)))
        try:
            (value,) = self.connection.execute(f"SELECT {self.spec.sql.replace('{}', marks)}", arguments).fetchone()
        except (sqlite3.Error, OverflowError) as error:
            raise NativeFailure(f"{self.spec.name}: {error}") from error
        return _checked(self.spec, value)


def _values(column: pa.Array) -> list[Scalar]:
    values: list[Scalar] = column.to_pylist()
    if pa.types.is_floating(column.type) or pa.types.is_integer(column.type) or pa.types.is_null(column.type):
        return values
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return values
    raise NativeFailure(f"argument of type {column.type}")


def _checked(spec: Spec, value: object) -> Scalar:
    if value is None:
        return None
    if spec.result is Result.INTEGER and isinstance(value, int):
        return value
    if spec.result is Result.TEXT and isinstance(value, str) and "\x00" not in value:
        return value
    if spec.result is Result.REAL and isinstance(value, float):
        return value
    if spec.result is Result.NUMBER and isinstance(value, int | float):
        if isinstance(value, int) and abs(value) > _EXACT:
            raise NativeFailure(f"{spec.name}: integer beyond 2**53")
        return float(value)
    raise NativeFailure(f"{spec.name}: answer of type {type(value).__name__}")


def natives(connect: Callable[[], sqlite3.Connection] | None = None) -> tuple[Native, ...]:
    """All native functions, sharing one private SQLite connection.

    Args:
        connect: opens that connection; an empty in-memory one where None.
    """
    connection = connect() if connect else sqlite3.connect(":memory:", check_same_thread=False)
    return tuple(Native(spec, connection) for spec in SPECS)
