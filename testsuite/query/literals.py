"""What a query compares with what: constants with their columns, joined columns, columns used.

For planting values in instances, so it is allowed to know less than all: what cannot be resolved is left out or has
no column.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from testsuite.query.scope import Scopes, star_table, unwrap
from testsuite.schema import Schema

_COMPARISONS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.Is: "is",
    exp.NullSafeEQ: "is",
    exp.NullSafeNEQ: "is not",
    exp.Like: "like",
    exp.Glob: "glob",
}
_FLIPPED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}
Pair = tuple[tuple[str, str], tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Constant:
    """One constant of a query.

    Attributes:
        table, column: the schema column it is compared with (lower case), also where a function, a cast or
            arithmetic stands around the column; both None where it is compared with none or it is not known.
        value: as SQLite reads the literal.
        operator: "=", "<>", "<", "<=", ">", ">=" (the column on the left), "is", "is not", "like", "glob",
            "in", "between"; "count", "sum", "avg", "min" or "max" where an aggregate is compared (with the
            column inside, if any); "limit", "offset"; "" for any other place.
    """

    table: str | None
    column: str | None
    value: int | float | str
    operator: str


def constants(tree: exp.Query, schema: Schema) -> tuple[Constant, ...]:
    """The distinct constants of a query, in the order of the tree. NULL, and numbers of output columns in ORDER BY
    and GROUP BY, are left out. A name in double quotes that no source has as a column is a string."""
    scopes = Scopes(tree, schema)
    found: dict[Constant, None] = {}
    for node in tree.walk(bfs=False):
        value = _value(node, scopes)
        if value is None:
            continue
        place: exp.Expr = node
        while isinstance(place.parent, (exp.Paren, exp.Neg)):
            place = place.parent
        top = place.parent
        if isinstance(top, (exp.Ordered, exp.Group)) and isinstance(value, int):
            continue
        if isinstance(top, (exp.Escape, exp.DataTypeParam)):
            continue
        found[_placed(place, value, scopes)] = None
    return tuple(found)


def joined_columns(tree: exp.Query, schema: Schema) -> tuple[Pair, ...]:
    """Pairs of schema columns that the query equates (ON, WHERE, HAVING, USING, NATURAL, IN a subquery)."""
    scopes = Scopes(tree, schema)
    found: dict[Pair, None] = {}

    def add(left: tuple[str, str] | None, right: tuple[str, str] | None) -> None:
        if left is not None and right is not None:
            found[(left, right)] = None

    for node in tree.find_all(exp.EQ, exp.Is, exp.NullSafeEQ):
        add(_origin(node.this, scopes), _origin(node.expression, scopes))
    for inside in tree.find_all(exp.In):
        query = inside.args.get("query")
        if query is not None:
            add(_origin(inside.this, scopes), _first_output(query, scopes))
    for scope in scopes:
        if not scope.merged:
            continue
        seen: dict[str, tuple[str, str]] = {}
        for source in scope.sources:
            for output in source.outputs or ():
                if output.name is None or output.origin is None:
                    continue
                if output.name in seen:
                    if output.name in _shared(scope.select):
                        add(seen[output.name], output.origin)
                else:
                    seen[output.name] = output.origin
    return tuple(found)


def used_columns(tree: exp.Query, schema: Schema) -> frozenset[tuple[str, str]]:
    """The schema columns a query mentions, (table, column) in lower case; a star mentions all it stands for."""
    scopes = Scopes(tree, schema)
    found: set[tuple[str, str]] = set()
    for column in tree.find_all(exp.Column):
        if star_table(column) is None:
            origin = _origin(column, scopes)
            if origin is not None:
                found.add(origin)
    for scope in scopes:
        for item in scope.select.expressions:
            star = star_table(item)
            if star is None:
                continue
            for source in scope.sources:
                if not star or source.name == star:
                    found.update(o.origin for o in source.outputs or () if o.origin is not None)
        if scope.merged:
            names = _shared(scope.select)
            for source in scope.sources:
                found.update(o.origin for o in source.outputs or () if o.origin and o.name in names)
    return frozenset(found)


def _shared(select: exp.Select) -> set[str] | _Everything:
    """Names that USING lists; all names for NATURAL."""
    names: set[str] = set()
    for join in select.find_all(exp.Join):
        if join.method == "NATURAL":
            return _Everything()
        names.update(name.name.lower() for name in join.args.get("using") or ())
    return names


class _Everything:
    """A set that holds all."""

    def __contains__(self, item: object) -> bool:
        return True


def _value(node: exp.Expr, scopes: Scopes) -> int | float | str | None:
    if isinstance(node, exp.Literal):
        if node.is_string:
            return str(node.this)
        sign = -1 if isinstance(node.parent, exp.Neg) else 1
        return sign * _number(str(node.this))
    if isinstance(node, exp.Column) and not node.table and star_table(node) is None and node.this.args.get("quoted"):
        scope = scopes.around(node)
        if scope is None or (scope.known() and scope.lookup(node) is None and not _is_alias(node, scope.select)):
            return str(node.name)
    return None


def _number(text: str) -> int | float:
    try:
        value = int(text)
    except ValueError:
        return float(text)
    return value if -(2**63) <= value < 2**63 else float(text)


def _is_alias(column: exp.Column, select: exp.Select) -> bool:
    return any(isinstance(item, exp.Alias) and item.alias.lower() == column.name.lower() for item in select.expressions)


def _placed(node: exp.Expr, value: int | float | str, scopes: Scopes) -> Constant:
    """The constant with what it is compared with: the nearest comparison around it."""
    current, parent = node, node.parent
    while parent is not None and not isinstance(parent, (exp.Query, exp.Connector, exp.Not, exp.Case)):
        if isinstance(parent, exp.Limit):
            return Constant(None, None, value, "limit")
        if isinstance(parent, exp.Offset):
            return Constant(None, None, value, "offset")
        other, operator = _compared(parent, current)
        if operator:
            return _constant(other, value, operator, scopes)
        current, parent = parent, parent.parent
    return Constant(None, None, value, "")


def _compared(parent: exp.Expr, side: exp.Expr) -> tuple[exp.Expr | None, str]:
    """What stands on the other side of a comparison, and the operator seen from there."""
    operator = _COMPARISONS.get(type(parent))
    if operator is not None:
        if side is parent.this:
            return parent.expression, _FLIPPED.get(operator, operator)
        return parent.this, operator
    if isinstance(parent, exp.In):
        return (None if side is parent.this else parent.this), "in"
    if isinstance(parent, exp.Between):
        return (parent.args["low"] if side is parent.this else parent.this), "between"
    if isinstance(parent, exp.If) and side is parent.this and isinstance(parent.parent, exp.Case):
        case = parent.parent
        return (case.this, "=") if case.this is not None else (None, "")
    return None, ""


def _constant(other: exp.Expr | None, value: int | float | str, operator: str, scopes: Scopes) -> Constant:
    if other is None:
        return Constant(None, None, value, operator)
    inner = unwrap(other)
    if isinstance(inner, exp.Query):
        origin = _first_output(inner, scopes)
        inner_select = inner.find(exp.Select)
        if inner_select is not None and inner_select.expressions:
            first = unwrap(inner_select.expressions[0].unalias())
            if isinstance(first, exp.AggFunc):
                inner = first
            else:
                table, column = origin or (None, None)
                return Constant(table, column, value, operator)
    alias = _alias_target(inner, scopes)
    if alias is not None:
        inner = alias
    aggregate = inner.find(exp.AggFunc)
    if aggregate is not None:
        operator = aggregate.sql_name().lower() if not isinstance(aggregate, exp.Count) else "count"
        inner = aggregate
    columns = [_origin(column, scopes) for column in inner.find_all(exp.Column)]
    known = [origin for origin in columns if origin is not None]
    table, column = known[0] if len(known) == len(columns) == 1 else (None, None)
    return Constant(table, column, value, operator)


def _alias_target(node: exp.Expr, scopes: Scopes) -> exp.Expr | None:
    """The expression behind an output alias or a derived table's column, for HAVING n > 3 and the like."""
    if not isinstance(node, exp.Column):
        return None
    scope = scopes.around(node)
    if scope is None:
        return None
    found = scope.lookup(node)
    if found is None:
        for item in scope.select.expressions:
            if not node.table and isinstance(item, exp.Alias) and item.alias.lower() == node.name.lower():
                target: exp.Expr = item.this
                return target
        return None
    source = found[1]
    if found[2].origin is None and isinstance(source.node, exp.Subquery):
        select = source.node.find(exp.Select)
        for item in select.expressions if select is not None else ():
            if isinstance(item, exp.Alias) and item.alias.lower() == node.name.lower():
                inner: exp.Expr = item.this
                return inner
    return None


def _origin(node: exp.Expr | None, scopes: Scopes) -> tuple[str, str] | None:
    if node is None:
        return None
    node = unwrap(node)
    if isinstance(node, exp.Query) and not isinstance(node, exp.Table):
        return _first_output(node, scopes)
    if not isinstance(node, exp.Column):
        return None
    scope = scopes.around(node)
    return scope.origin(node) if scope is not None else None


def _first_output(query: exp.Expr, scopes: Scopes) -> tuple[str, str] | None:
    """The schema column that the first output of a subquery hands through."""
    for select in _selects(query):
        if len(select.expressions) == 1:
            item = unwrap(select.expressions[0].unalias())
            if isinstance(item, (exp.Min, exp.Max)):
                item = unwrap(item.this)
            if isinstance(item, exp.Column):
                return scopes.of(select).origin(item)
        return None
    return None


def _selects(query: exp.Expr) -> Iterator[exp.Select]:
    if isinstance(query, exp.Select):
        yield query
    elif isinstance(query, (exp.Subquery, exp.SetOperation)):
        yield from _selects(query.this)
