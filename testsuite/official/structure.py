"""What the published parser makes of a query, as frozen records.

Three things are kept as the script has them, since its figures depend on their exact form: conditions and the
words `and` / `or` stand in one flat tuple (`conditions[::2]` is meant to be the conditions, `[1::2]` the words, and
with a word missing they are not); an item's aggregate stands apart from the aggregate inside its columns; LIMIT has
no number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

NO_AGGREGATE = "none"
AGGREGATES = ("max", "min", "count", "sum", "avg")
OPERATORS = ("-", "+", "*", "/")
COMPARISONS = ("not", "between", "=", ">", "<", ">=", "<=", "!=", "in", "like", "is", "exists")
CONNECTIVES = ("and", "or")
SET_OPERATIONS = ("intersect", "union", "except")
CLAUSES = frozenset(("select", "from", "where", "group", "order", "limit", *SET_OPERATIONS))
JOINING = frozenset(("join", "on", "as"))


@dataclass(frozen=True, slots=True)
class ColumnUnit:
    """A column (`table.column` or `*`), perhaps aggregated, perhaps with DISTINCT before it."""

    aggregate: str
    column: str
    distinct: bool


@dataclass(frozen=True, slots=True)
class ValueUnit:
    """One column unit, or two joined by an arithmetic operator."""

    operator: str | None
    left: ColumnUnit
    right: ColumnUnit | None

    def columns(self) -> tuple[ColumnUnit, ...]:
        return (self.left,) if self.right is None else (self.left, self.right)


@dataclass(frozen=True, slots=True)
class Item:
    """An item of the select list: the aggregate written before it, and the rest."""

    aggregate: str
    unit: ValueUnit


Value: TypeAlias = "Query | ColumnUnit | str | float | None"


@dataclass(frozen=True, slots=True)
class Condition:
    """`unit [not] comparison value [and second]`."""

    negated: bool
    comparison: str
    unit: ValueUnit
    value: Value
    second: Value

    def nested(self) -> tuple[Query, ...]:
        return tuple(value for value in (self.value, self.second) if isinstance(value, Query))


Conditions: TypeAlias = "tuple[Condition | str, ...]"
Unit: TypeAlias = "str | Query"
"""A unit of FROM: the name of a table, or a query."""


@dataclass(frozen=True, slots=True)
class Order:
    """ORDER BY: one direction for all items, the last one written."""

    direction: Literal["asc", "desc"]
    items: tuple[ValueUnit, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query; the default is the empty query, which stands for a prediction that is not parsed."""

    distinct: bool = False
    items: tuple[Item, ...] = ()
    units: tuple[Unit, ...] = ()
    joins: Conditions = ()
    where: Conditions = ()
    groups: tuple[ColumnUnit, ...] = ()
    having: Conditions = ()
    order: Order | None = None
    limit: bool = False
    intersect: Query | None = None
    union: Query | None = None
    except_: Query | None = None

    def branches(self) -> tuple[Query, ...]:
        """Branches of set operations (at most one: they nest to the right)."""
        return tuple(branch for branch in (self.intersect, self.except_, self.union) if branch is not None)

    def conditions(self) -> Iterator[Condition | str]:
        """What stands where conditions should, in ON, WHERE and HAVING."""
        for clause in (self.joins, self.where, self.having):
            yield from clause[::2]

    def connectives(self) -> Iterator[Condition | str]:
        """What stands where `and` and `or` should, in ON, WHERE and HAVING."""
        for clause in (self.joins, self.where, self.having):
            yield from clause[1::2]


EMPTY = Query()
