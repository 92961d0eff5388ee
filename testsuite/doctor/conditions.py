"""Conditions that rows of a SELECT must meet, and the sort terms of a query, with their scopes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from testsuite.query.determined import conjuncts
from testsuite.query.same import leaves
from testsuite.query.scope import Scope, Scopes, star_table, unwrap
from testsuite.query.terms import ordinal_of
from testsuite.query.windows import resolved

_STRICT = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.Between, exp.In)


@dataclass(frozen=True, slots=True)
class SortTerm:
    """One term of an ORDER BY, as an expression over the sources of ``scope``.

    ``limited`` says whether the query it sorts has a LIMIT.
    """

    key: exp.Expr
    scope: Scope
    descending: bool
    nulls_first: bool
    limited: bool


def sort_terms(tree: exp.Query, scopes: Scopes) -> Iterator[SortTerm]:
    """All sort terms of a query, of its subqueries and windows; terms that can't be placed are left out."""
    for order in tree.find_all(exp.Order):
        query = order.parent
        limited = query is not None and query.args.get("limit") is not None
        for term in order.expressions:
            if not isinstance(term, exp.Ordered):
                continue
            placed = _placed(unwrap(term.this), query, order, scopes)
            if placed is None:
                continue
            key, scope = placed
            down = bool(term.args.get("desc"))
            nulls = term.args.get("nulls_first")
            yield SortTerm(key, scope, down, not down if nulls is None else bool(nulls), limited)


def _placed(term: exp.Expr, query: exp.Expr | None, order: exp.Expr, scopes: Scopes) -> tuple[exp.Expr, Scope] | None:
    if isinstance(term, exp.Collate):
        term = unwrap(term.this)
    if isinstance(query, exp.Select):
        return unwrap(resolved(term, query)), scopes.of(query)
    if isinstance(query, exp.SetOperation):
        first = leaves(query)[0]
        if not isinstance(first, exp.Select):
            return None
        items = first.expressions
        if any(star_table(item) is not None for item in items):
            return None
        place = ordinal_of(term)
        if place is None:
            names = [item.alias_or_name.lower() for item in items]
            if not isinstance(term, exp.Column) or term.name.lower() not in names:
                return None
            place = names.index(term.name.lower()) + 1
        return (unwrap(items[place - 1].unalias()), scopes.of(first)) if 0 < place <= len(items) else None
    scope = scopes.around(order)
    return None if scope is None else (term, scope)


def never_null(column: exp.Column, scope: Scope) -> bool:
    """Whether WHERE or the ON of an inner join leaves no row in which the column is NULL."""
    wanted = scope.lookup(column)
    if wanted is None:
        return False
    where = scope.select.args.get("where")
    joins = scope.select.args.get("joins") or []
    conditions = list(conjuncts(where.this if where is not None else None))
    if not any(join.side for join in joins):
        conditions += [part for join in joins for part in conjuncts(join.args.get("on"))]
    for condition in conditions:
        for operand in _strict_operands(condition):
            found = scope.lookup(operand)
            if found is not None and found[1] is wanted[1] and found[2] == wanted[2]:
                return True
    return False


def _strict_operands(condition: exp.Expr) -> list[exp.Column]:
    """Columns that can't be NULL where the condition holds."""
    if isinstance(condition, exp.Not):
        inner = unwrap(condition.this)
        if (isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null)) or isinstance(inner, _STRICT):
            operands = [inner.this]
        else:
            return []
    elif isinstance(condition, exp.Is) and isinstance(condition.expression, exp.Not):
        operands = [condition.this] if isinstance(condition.expression.this, exp.Null) else []
    elif isinstance(condition, _STRICT):
        operands = [condition.this, condition.args.get("expression")]
    else:
        return []
    found = [unwrap(operand) for operand in operands if isinstance(operand, exp.Expr)]
    return [operand for operand in found if isinstance(operand, exp.Column)]
