"""Queries: SELECT, set operations, WITH, and what comes out of them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from testsuite.dialect.ctes import define_ctes
from testsuite.dialect.emitter import Emitter
from testsuite.dialect.grouping import group_by, is_aggregate, sole_extreme
from testsuite.dialect.ordering import sort_text
from testsuite.dialect.ordering import term as order_term
from testsuite.dialect.scope import OutColumn, Relation, Scope
from testsuite.dialect.setops import set_operation
from testsuite.dialect.sources import from_clause
from testsuite.dialect.types import Expr, Refused, Type, as_bigint

_SELECT_ARGS = frozenset(
    [
        "with_",
        "from_",
        "joins",
        "where",
        "group",
        "having",
        "expressions",
        "distinct",
        "order",
        "limit",
        "offset",
        "windows",
    ]
)


def query(em: Emitter, node: exp.Expr, parent: Scope, first: bool = False) -> Relation:
    """Translate a query whose outer names are those of ``parent``.

    Args:
        em: the walk.
        node: SELECT, set operation, or one of them in parentheses.
        parent: scope outside.
        first: only the first row is wanted, so ORDER BY counts even without LIMIT.
    """
    if isinstance(node, exp.Subquery):
        if any(node.args.get(key) for key in ("alias", "joins", "pivots", "with_", "order", "limit")):
            raise Refused("parenthesised query")
        return query(em, node.this, parent, first)
    scope = Scope(parent=parent)
    prefix = define_ctes(em, node, scope)
    if isinstance(node, exp.SetOperation):
        relation = set_operation(em, node, scope, first)
    elif isinstance(node, exp.Select):
        with em.inside(scope):
            relation = _select(em, node, scope, first)
    else:
        raise Refused(f"query of {type(node).__name__}")
    if prefix:
        return Relation(prefix + relation.sql, relation.columns, relation.one_row)
    return relation


def _select(em: Emitter, node: exp.Select, scope: Scope, first: bool) -> Relation:
    for key, value in node.args.items():
        if value and key not in _SELECT_ARGS:
            raise Refused(f"clause {key}")
    distinct = node.args.get("distinct")
    if distinct is not None and distinct.args.get("on"):
        raise Refused("DISTINCT ON")
    for item in node.expressions:
        if isinstance(item, exp.Alias):
            scope.aliases.setdefault(item.alias.lower(), item.this)
    for window in node.args.get("windows") or ():
        scope.windows[window.name.lower()] = window
    from_sql, conditions = from_clause(em, node, scope)
    scope.aliases_visible = True
    where = node.args.get("where")
    if where is not None:
        conditions.append(em.truth(where.this))
    group_sql = ""
    order = node.args.get("order")
    limit = _limit(node, first)
    aggregate = is_aggregate(node)
    if aggregate:
        group_sql = group_by(em, node, scope)
        scope.extreme = sole_extreme(em, node, scope)
        scope.row_phase = False
    having = node.args.get("having")
    having_sql = ""
    if having is not None:
        if not aggregate:
            raise Refused("HAVING without aggregate")
        having_sql = f" HAVING {em.truth(having.this)}"
    scope.aliases_visible = False
    columns = [as_output(c) for c in _outputs(em, node, scope)]
    scope.aliases_visible = True
    if distinct is not None and any(column.expr.collation for column in columns):
        raise Refused("DISTINCT with a collation")
    body = f"{from_sql}{_where(conditions)}{group_sql}{having_sql}"
    order_sql = ""
    if order is not None and (limit or first):
        keys = [_key(em, node, scope, columns, term, bool(distinct)) for term in order.expressions]
        order_sql = _order(keys)
    items = ", ".join(f"{c.expr.sql} AS c{i}" for i, c in enumerate(columns))
    out = tuple(bare(c, i) for i, c in enumerate(columns))
    if distinct is not None and order_sql:
        sql = f"SELECT * FROM (SELECT DISTINCT {items}{body}) AS d{order_sql}"
    else:
        sql = f"SELECT {'DISTINCT ' if distinct is not None else ''}{items}{body}{order_sql}"
    one_row = (aggregate and node.args.get("group") is None) or not scope.sources
    if first and not one_row:
        em.open.append("scalar subquery of several rows")
        if order_sql and not limit:
            limit = " LIMIT 1"
    if limit:
        em.open.append("LIMIT in a subquery")
    return Relation(sql + limit, out, one_row)


def _where(conditions: list[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


def as_output(column: OutColumn) -> OutColumn:
    """A column as a query gives it out: never a boolean, integers always BIGINT."""
    e = column.expr
    if e.type is Type.BOOLEAN:
        e = as_bigint(e)
    elif e.type is Type.INTEGER and column.origin is None:
        e = Expr(f"CAST({e.sql} AS BIGINT)", e.type, e.affinity, e.value, unsure=e.unsure, exact=e.exact)
    elif e.type is Type.NULL:
        e = Expr("CAST(NULL AS VARCHAR)", Type.NULL)
    return OutColumn(column.name, e, column.origin)


def bare(column: OutColumn, place: int) -> OutColumn:
    """The column as seen from outside its query, under its output name."""
    e = column.expr
    seen = Expr(f"c{place}", e.type, e.affinity, collation=e.collation, unsure=e.unsure, exact=e.exact)
    return OutColumn(column.name, seen, column.origin)


def _outputs(em: Emitter, node: exp.Select, scope: Scope) -> Iterator[OutColumn]:
    for item in node.expressions:
        inner = item.this if isinstance(item, exp.Alias) else item
        if isinstance(inner, exp.Star) or (isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star)):
            if inner.args.get("except_") or inner.args.get("replace") or inner is not item:
                raise Refused("star with exceptions")
            yield from _star(em, scope, inner.table.lower() if isinstance(inner, exp.Column) else None)
            continue
        e = em.expr(inner)
        origin = _origin(scope, inner) if isinstance(inner, exp.Column) else None
        if isinstance(item, exp.Alias):
            name: str | None = str(item.alias)
            if item.alias.startswith("__key"):
                e = Expr(sort_text(e), e.type)
        elif isinstance(inner, exp.Column):
            name = inner.name
        else:
            name = None
        yield OutColumn(name, e, origin)


def _origin(scope: Scope, column: exp.Column) -> tuple[str, str] | None:
    """The base column that a result column is, if it is one of this query's own sources."""
    if scope.groups is not None:
        return None
    found = scope.column(column.name.lower(), column.table.lower() or None)
    return found[1].origin if found is not None and found[1] is not None else None


def _star(em: Emitter, scope: Scope, table: str | None) -> Iterator[OutColumn]:
    chosen = [s for s in scope.sources if table is None or table in s.names]
    if not chosen:
        raise Refused("star without a source")
    if table is not None and len(chosen) > 1:
        raise Refused("ambiguous column")
    for source in chosen:
        for column in source.columns:
            key = column.name.lower() if column.name is not None else None
            if table is None and key is not None and key in source.hidden:
                continue
            e = column.expr
            if table is None and key is not None and key in source.shared and key in scope.merged:
                yield OutColumn(column.name, em._found(scope, scope.merged[key], None, None))
                continue
            yield OutColumn(
                column.name,
                em._found(scope, e, column, source),
                column.origin if scope.groups is None else None,
            )


def _limit(node: exp.Expr, first: bool = False) -> str:
    """Text of LIMIT and OFFSET; negative ones mean none (https://sqlite.org/lang_select.html#limitoffset).

    ``first`` cuts to one row: DuckDB takes any row of a scalar subquery that gives several.
    """
    text = ""
    limit, offset = node.args.get("limit"), node.args.get("offset")
    if limit is not None:
        count = _integer(limit.expression)
        if count >= 0:
            text = f" LIMIT {min(count, 1) if first else count}"
    if offset is not None:
        count = _integer(offset.expression)
        if count > 0:
            text = (text or (" LIMIT 1" if first else "")) + f" OFFSET {count}"
    return text


def _integer(node: exp.Expr | None) -> int:
    if isinstance(node, exp.Paren):
        return _integer(node.this)
    if isinstance(node, exp.Neg):
        return -_integer(node.this)
    if isinstance(node, exp.Literal) and not node.is_string and node.this.isdigit() and len(node.this) < 19:
        return int(node.this)
    raise Refused("LIMIT is not a constant")


def _key(
    em: Emitter, node: exp.Select, scope: Scope, columns: list[OutColumn], term: exp.Expr, outputs_only: bool
) -> tuple[str, bool, bool | None]:
    """Text, direction and NULL order of one ORDER BY term; text "" where it is constant."""
    if not isinstance(term, exp.Ordered):
        raise Refused("ORDER BY term")
    down, nulls = bool(term.args.get("desc")), term.args.get("nulls_first")
    place = _place(node, columns, term.this)
    if place is not None:
        column = columns[place]
        if outputs_only:
            return sort_text(bare(column, place).expr), down, nulls
        return ("" if column.expr.constant else sort_text(column.expr)), down, nulls
    e = em.expr(term.this)
    if outputs_only:
        for place, column in enumerate(columns):
            if column.expr.sql == as_output(OutColumn(None, e, column.origin)).expr.sql:
                return sort_text(bare(column, place).expr), down, nulls
        raise Refused("sort key hidden by DISTINCT")
    return ("" if e.constant else sort_text(as_bigint(e))), down, nulls


def _place(node: exp.Select, columns: list[OutColumn], term: exp.Expr) -> int | None:
    """The output column an ORDER BY term names by number or alias."""
    if isinstance(term, exp.Literal) and not term.is_string and term.this.isdigit():
        place = int(term.this) - 1
        if not 0 <= place < len(columns):
            raise Refused("ORDER BY number")
        return place
    if isinstance(term, exp.Column) and not term.table:
        if any(isinstance(i, exp.Star) or i.is_star for i in node.expressions):
            if any(isinstance(i, exp.Alias) and i.alias.lower() == term.name.lower() for i in node.expressions):
                raise Refused("ORDER BY alias beside a star")
            return None
        for place, item in enumerate(node.expressions):
            if isinstance(item, exp.Alias) and item.alias.lower() == term.name.lower():
                return place
    return None


def _order(keys: list[tuple[str, bool, bool | None]]) -> str:
    parts = [order_term(text, down, nulls) for text, down, nulls in keys if text]
    return f" ORDER BY {', '.join(parts)}" if parts else ""
