"""The three normalisations before exact set match. Each has its own reach; none goes into a query in FROM."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from testsuite.official.structure import (
    ColumnUnit,
    Condition,
    Conditions,
    Item,
    Order,
    Query,
    Value,
    ValueUnit,
)


def normalise(query: Query, key_columns: Mapping[str, str]) -> Query:
    """`query` without values, without DISTINCT, and with one column standing for each group of joined keys.

    key_columns: see `OfficialTables.key_columns`. A column is replaced only where its table is a FROM table of the
    outermost query, in the branches of set operations too.
    """
    tables = frozenset(unit for unit in query.units if isinstance(unit, str))
    keys = {column: target for column, target in key_columns.items() if column.partition(".")[0] in tables}
    return _map_columns(
        drop_values(query), lambda unit: ColumnUnit(unit.aggregate, keys.get(unit.column, unit.column), False)
    )


def drop_values(query: Query) -> Query:
    """Without values of conditions, in nested queries and set-operation branches too; a nested query stays."""
    return replace(
        query,
        joins=_drop(query.joins),
        where=_drop(query.where),
        having=_drop(query.having),
        intersect=None if query.intersect is None else drop_values(query.intersect),
        union=None if query.union is None else drop_values(query.union),
        except_=None if query.except_ is None else drop_values(query.except_),
    )


def _drop(conditions: Conditions) -> Conditions:
    return tuple(
        replace(entry, value=_kept(entry.value), second=_kept(entry.second)) if isinstance(entry, Condition) else entry
        for entry in conditions
    )


def _kept(value: Value) -> Value:
    return drop_values(value) if isinstance(value, Query) else None


def _map_columns(query: Query, change: Callable[[ColumnUnit], ColumnUnit]) -> Query:
    """Every column unit changed in the query and its branches, not in nested queries; DISTINCT of the list dropped."""

    def of_unit(unit: ValueUnit) -> ValueUnit:
        return ValueUnit(unit.operator, change(unit.left), None if unit.right is None else change(unit.right))

    def of_conditions(conditions: Conditions) -> Conditions:
        return tuple(
            replace(entry, unit=of_unit(entry.unit)) if isinstance(entry, Condition) else entry for entry in conditions
        )

    def of_branch(branch: Query | None) -> Query | None:
        return None if branch is None else _map_columns(branch, change)

    order = query.order
    return replace(
        query,
        distinct=False,
        items=tuple(Item(item.aggregate, of_unit(item.unit)) for item in query.items),
        joins=of_conditions(query.joins),
        where=of_conditions(query.where),
        groups=tuple(change(unit) for unit in query.groups),
        having=of_conditions(query.having),
        order=None if order is None else Order(order.direction, tuple(of_unit(unit) for unit in order.items)),
        intersect=of_branch(query.intersect),
        union=of_branch(query.union),
        except_=of_branch(query.except_),
    )
