"""Functional dependencies inside one SELECT: which columns are fixed once some are.

Rests on the schema's primary keys and unique NOT NULL columns, on equalities of inner joins and WHERE, and on
constants. Sound, not complete: what is not shown to be determined counts as open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from testsuite.query.scope import Scope, Source, unwrap
from testsuite.schema import Affinity, Schema, Table

_NUMERIC = (Affinity.INTEGER, Affinity.REAL, Affinity.NUMERIC)
# A column of a SELECT's sources: (source name, column name), lower case.
Place = tuple[str, str]


def place_of(column: exp.Column, scope: Scope) -> Place | None:
    """The source and column a name means in this very scope; None elsewhere or unknown."""
    found = scope.lookup(column)
    if found is None or found[0] is not scope or not found[1].name:
        return None
    return (found[1].name, column.name.lower())


def closure(given: Iterable[Place], scope: Scope, schema: Schema) -> frozenset[Place]:
    """All columns of the sources that have one value (up to equality) once the given ones have."""
    fixed = set(given)
    if scope.merged or len({source.name for source in scope.sources}) < len(scope.sources):
        return frozenset(fixed)
    equal = list(_equalities(scope, schema))
    fixed.update(_constants(scope))
    while True:
        size = len(fixed)
        for left, right in equal:
            if left in fixed:
                fixed.add(right)
        for source in scope.sources:
            table = _table(source, schema)
            if table is None:
                continue
            if any(all((source.name, name) in fixed for name in key) for key in _keys(table)):
                fixed.update((source.name, column.name.lower()) for column in table.columns)
        if len(fixed) == size:
            return frozenset(fixed)


def one_row(given: Iterable[Place], scope: Scope, schema: Schema) -> bool:
    """Whether at most one row of the sources (after WHERE) has given values in these columns."""
    if not scope.sources:
        return True
    fixed = closure(given, scope, schema)
    for source in scope.sources:
        table = _table(source, schema)
        if table is None:
            return False
        if not any(all((source.name, name) in fixed for name in key) for key in _keys(table)):
            return False
    return True


def _table(source: Source, schema: Schema) -> Table | None:
    return schema.table(source.table) if source.table is not None and source.table in schema else None


def _keys(table: Table) -> list[tuple[str, ...]]:
    keys = [tuple(name.lower() for name in table.primary_key)] if table.primary_key else []
    for unique in table.uniques:
        if unique and all(table.column(name).not_null for name in unique):
            keys.append(tuple(name.lower() for name in unique))
    return keys


def conjuncts(node: exp.Expr | None) -> Iterator[exp.Expr]:
    """The parts of a condition that all must hold."""
    if node is None:
        return
    node = unwrap(node)
    if isinstance(node, exp.And):
        yield from conjuncts(node.this)
        yield from conjuncts(node.expression)
    else:
        yield node


def _inner_conditions(scope: Scope) -> Iterator[exp.Expr]:
    """Conditions that every row of the result meets."""
    where = scope.select.args.get("where")
    if where is not None:
        yield from conjuncts(where.this)
    joins = scope.select.args.get("joins") or []
    if all(not join.side for join in joins):
        for join in joins:
            yield from conjuncts(join.args.get("on"))


def _equalities(scope: Scope, schema: Schema) -> Iterator[tuple[Place, Place]]:
    """Pairs of which the first determines the second."""
    for condition in _inner_conditions(scope):
        yield from _pairs(condition, scope, schema)
    for join in scope.select.args.get("joins") or ():
        # A left join on one equality: the right side follows from the left one, be it a match or NULL.
        if join.side == "LEFT" and join.args.get("on") is not None:
            right = join.this.alias_or_name.lower()
            yield from (
                pair for pair in _pairs(unwrap(join.args["on"]), scope, schema) if pair[1][0] == right != pair[0][0]
            )


def _pairs(condition: exp.Expr, scope: Scope, schema: Schema) -> Iterator[tuple[Place, Place]]:
    if not isinstance(condition, exp.EQ):
        return
    left, right = unwrap(condition.this), unwrap(condition.expression)
    if not isinstance(left, exp.Column) or not isinstance(right, exp.Column):
        return
    for one, two in ((left, right), (right, left)):
        places, origins = (place_of(one, scope), place_of(two, scope)), (scope.origin(one), scope.origin(two))
        if places[0] is None or places[1] is None or origins[0] is None or origins[1] is None:
            continue
        first, second = (schema.table(table).column(name).affinity for table, name in (origins[0], origins[1]))
        # TEXT '1' and '01' both equal INTEGER 1, so a number does not determine the text that equals it;
        # but a text equals one number only.
        if second in _NUMERIC or first is second:
            yield places[0], places[1]


def _constants(scope: Scope) -> Iterator[Place]:
    """Columns that the conditions tie to a value from outside this SELECT."""
    for condition in _inner_conditions(scope):
        if not isinstance(condition, exp.EQ):
            continue
        for side, other in (
            (unwrap(condition.this), unwrap(condition.expression)),
            (unwrap(condition.expression), unwrap(condition.this)),
        ):
            if not isinstance(side, exp.Column):
                continue
            place = place_of(side, scope)
            if place is None or place_is_inside(other, scope):
                continue
            yield place


def place_is_inside(node: exp.Expr, scope: Scope) -> bool:
    """Whether an expression depends on this scope's own rows, or may (subqueries count as depending)."""
    if node.find(exp.Query) is not None or not isinstance(node, (exp.Literal, exp.Column, exp.Neg)):
        return True
    for column in node.find_all(exp.Column):
        found = scope.lookup(column)
        if found is None:
            # Unknown, or a string in double quotes.
            if not (column.this.args.get("quoted") and not column.table and scope.known()):
                return True
        elif found[0] is scope:
            return True
    return False
