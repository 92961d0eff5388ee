"""What is simpler than what: the order that values and contents are shrunk along."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from testsuite.schema import Column, Storage
from testsuite.shrink.bounds import Bounds, Content
from testsuite.suite.stack import Value

Measure = tuple[int, int, int, int]


# Typed, for 1 and 1.0 are one key otherwise. The same few values are asked about over and over.
@lru_cache(maxsize=1 << 16, typed=True)
def value_cost(value: Value) -> int:
    """How much a reader must take in: 0 is the simplest. NULL, which surprises, costs more than short values."""
    if value is None:
        return 40
    if isinstance(value, int):
        # 1 before 0: zero behaves unlike other numbers.
        return 6 if value == 0 else min(abs(value) - 1, 9) + 3 * len(str(abs(value))) - 3 + (8 if value < 0 else 0)
    if isinstance(value, float):
        return (4 if value < 0 else 0) + 2 * len(repr(abs(value)))
    if isinstance(value, bytes):
        return 60 + len(value)
    plain = sum(2 if "a" <= letter <= "z" or letter in "01" else 3 if letter.isalnum() else 5 for letter in value)
    first = ord(value[0]) - ord("a") if value and "a" <= value[0] <= "z" else 0
    return 12 if not value else 2 * plain + min(first, 9) - 4


def measure(content: Content) -> Measure:
    """Rows, NULLs, distinct values per column in all, cost of all cells: what shrinking makes less, in this order."""
    rows = nulls = distinct = cost = 0
    for table in content.values():
        rows += len(table)
        for column in zip(*table, strict=True):
            distinct += len(set(column))
            for value in column:
                nulls += value is None
                cost += value_cost(value)
    return rows, nulls, distinct, cost


def _moment(column: Column, seen: Sequence[Value]) -> tuple[Value, ...] | None:
    """Plain dates or times for a column that is declared so, or holds nothing else."""
    texts = [value for value in seen if isinstance(value, str)]
    word = column.declared_type.upper()
    dated = texts and all(len(t) >= 10 and t[4:5] == "-" and t[7:8] == "-" and t[:4].isdigit() for t in texts)
    timed = texts and all(len(t) > 10 for t in texts)
    if dated or (not texts and ("DATE" in word or "TIMESTAMP" in word)):
        tail = " 00:00:00" if timed else ""
        return tuple(f"2000-01-0{day}{tail}" for day in (1, 2, 3))
    if "DATE" in word or "TIME" in word:
        return ()
    return None


def simple_values(bounds: Bounds, t: int, c: int, seen: Sequence[Value]) -> tuple[Value, ...]:
    """The simplest values that a column can hold, simplest first.

    Args:
        bounds: the schema and what its columns hold.
        t: position of the table.
        c: position of the column.
        seen: what the column holds now; dates stay dates.
    """
    column, kind = bounds.schema.tables[t].columns[c], bounds.storages[t][c]
    if kind is Storage.REAL:
        return (1.0, 2.0, 3.0, 0.0, 0.5)
    if kind is not Storage.TEXT:
        return (1, 2, 3, 4, 0)
    moment = _moment(column, seen)
    if moment is not None:
        return moment
    return ("a", "b", "c", "d")


def key_values(bounds: Bounds, t: int, c: int, seen: Sequence[Value]) -> tuple[Value, ...]:
    """As many different values as ``seen`` has cells, as simple as can be: 1, 2, 3 .. or a, b, c ..

    Args: as for ``simple_values``. Columns of dates, which are rarely keys, keep what they hold.
    """
    kind, count = bounds.storages[t][c], len(seen)
    if kind is Storage.REAL:
        return tuple(float(n) for n in range(1, count + 1))
    if kind is not Storage.TEXT:
        return tuple(range(1, count + 1))
    if _moment(bounds.schema.tables[t].columns[c], seen) is not None:
        return tuple(seen)
    return tuple(_word(n) for n in range(count))


def _word(number: int) -> str:
    """a .. z, aa, ab .. by number from 0."""
    word = ""
    while number >= 0:
        word = chr(ord("a") + number % 26) + word
        number = number // 26 - 1
    return word
