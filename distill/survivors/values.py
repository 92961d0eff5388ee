"""The values that a search puts into a column: what two queries mention, what nearly matches it, and a few of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from distill.fuzz.cells import canonical, coerced, filled, written
from distill.fuzz.families import Scalar
from distill.fuzz.generate import asked
from distill.fuzz.reading import read_golds
from distill.survivors.frame import Frame
from testsuite.query.parse import Unparsed, parse
from testsuite.schema import Column, Storage
from testsuite.suite import Value

Place = tuple[int, int]
_TEXTS = ("a", "b", "A", "2", "10", "9", "5.0", "", "0001-01-01", "9000-06-15", "Zz")
_INTEGERS = (1, 2, 3, 0, -1, -2, -3, 10, 7)
_REALS: tuple[Scalar, ...] = (1.5, 0.5, 2.0, -0.5, -1.5, 0.0, 0.1, 10.0, 3.0)
_FEW: Mapping[Storage, tuple[Scalar, ...]] = {Storage.TEXT: _TEXTS, Storage.INTEGER: _INTEGERS}
_SHIPPED = 6


@dataclass(frozen=True)
class Domain:
    """Values of one column as it holds them, the best first: those that meet what is asked, those that nearly do,
    and others.
    """

    asked: tuple[Value, ...]
    near: tuple[Value, ...]
    others: tuple[Value, ...]


@dataclass(frozen=True)
class Wanted:
    """What two queries ask of a schema.

    Attributes:
        domains: values per (table, column).
        equal: pairs of columns that the queries join.
        tables: numbers of the tables that the queries mention.
        columns: places whose column's name occurs in the queries.
        counts: whole numbers of conditions on counts, at most ``MOST_ROWS``.
    """

    domains: Mapping[Place, Domain]
    equal: tuple[tuple[Place, Place], ...]
    tables: frozenset[int]
    columns: frozenset[Place]
    counts: tuple[int, ...]


# More rows than this in one group make an instance nobody can read.
MOST_ROWS = 400


def read_pair(frame: Frame, queries: Sequence[str]) -> Wanted:
    """What the queries ask; a query that cannot be read asks for nothing."""
    schema = frame.schema
    conditions, equal = asked(schema, read_golds(schema, list(queries)))
    trees = []
    for sql in queries:
        try:
            trees.append(parse(sql))
        except (Unparsed, SqlglotError):
            continue
    literals = [node for tree in trees for node in tree.find_all(exp.Literal)]
    names = {node.name.lower() for tree in trees for node in tree.find_all(exp.Column)}
    names |= {str(node.this).lower() for tree in trees for node in tree.find_all(exp.Identifier)}
    mentioned = {node.name.lower() for tree in trees for node in tree.find_all(exp.Table)}
    starred = any(True for tree in trees for _ in tree.find_all(exp.Star))
    words = [str(node.this) for node in literals if node.is_string]
    numbers = [number for node in literals if not node.is_string if (number := _number(str(node.this))) is not None]
    domains: dict[Place, Domain] = {}
    columns: set[Place] = set()
    for t, table in enumerate(schema.tables):
        for c, column in enumerate(table.columns):
            storage = frame.storage[table.name.lower(), column.name.lower()]
            constants: list[Scalar] = []
            near: list[Scalar] = []
            for condition in conditions.get((t, c), []):
                for constant in condition.constants:
                    constants += coerced(constant, column, storage)
                for pattern in condition.patterns:
                    matching, missing = filled(pattern)
                    constants += matching
                    near += missing
            if column.name.lower() in names or (starred and table.name.lower() in mentioned):
                columns.add((t, c))
            near += [v for constant in dict.fromkeys(constants) for v in _variants(constant)]
            others: list[Scalar] = [v for n in numbers for v in coerced(n, column, storage)]
            others += [v for n in list(others) for v in _variants(n)]
            others += [v for w in words if storage is Storage.TEXT for v in coerced(w, column, storage)]
            seen = dict.fromkeys(row[c] for row in frame.shipped.get(table.name, ())[:200])
            shipped = [v for cell in seen if (v := canonical(cell, False)) is not None]
            base = _FEW.get(storage, _REALS)
            domains[t, c] = Domain(
                _written(constants, column, storage),
                _written(near, column, storage),
                _written([*base[:3], *shipped[:_SHIPPED], *base[3:], *others], column, storage),
            )
    tables = frozenset(t for t, table in enumerate(schema.tables) if table.name.lower() in mentioned)
    return Wanted(domains, tuple(equal), tables, frozenset(columns), _counts(trees))


def _number(text: str) -> Scalar | None:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return None


def _variants(value: Scalar) -> list[Scalar]:
    """Values that a slightly different condition would tell from this one."""
    if isinstance(value, str):
        found: list[Scalar] = [value.swapcase(), value.lower(), value.upper(), value + "x", "x" + value]
        found += ["1" + value + "0", value + ".0", value + " ", value[:-1], value[1:]]
        number = _number(value)
        if isinstance(number, int):
            found += [str(number + 1), str(number - 1), str(number * 10)]
        return found
    if isinstance(value, int):
        return [value + 1, value - 1, -value, value * 10, 10 ** len(str(abs(value))) + value, value * 2, value // 2]
    return [value + 0.5, value - 0.5, value * 2, -value, value + 0.001, value - 0.001]


def _written(values: Iterable[Scalar], column: Column, storage: Storage) -> tuple[Value, ...]:
    cells = [written(_held(v, storage), column, storage) for v in values]
    return tuple(dict.fromkeys(cell for cell in cells if cell is not None))


def _held(value: Scalar, storage: Storage) -> Scalar:
    if isinstance(value, float) and storage is not Storage.REAL and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def _counts(trees: Sequence[exp.Expr]) -> tuple[int, ...]:
    found: dict[int, None] = {}
    for tree in trees:
        for having in tree.find_all(exp.Having):
            for node in having.find_all(exp.Literal):
                number = _number(str(node.this))
                if isinstance(number, int) and 1 < number <= MOST_ROWS:
                    found[number] = None
        for limit in tree.find_all(exp.Limit):
            number = _number(str(limit.expression))
            if isinstance(number, int) and 1 < number <= MOST_ROWS:
                found[number] = None
    return tuple(found)
