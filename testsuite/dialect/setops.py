"""UNION, INTERSECT, EXCEPT. SQLite gives all the same precedence and groups them left to right."""

from __future__ import annotations

from sqlglot import exp

from testsuite.dialect.emitter import Emitter
from testsuite.dialect.ordering import sort_text
from testsuite.dialect.scope import OutColumn, Relation, Scope
from testsuite.dialect.types import NUMERIC_AFFINITIES, Expr, Refused, Type, as_double
from testsuite.schema.model import Affinity

_ARGS = frozenset(["this", "expression", "distinct", "with_", "order", "limit", "offset"])


def set_operation(em: Emitter, node: exp.SetOperation, scope: Scope, first: bool) -> Relation:
    """Translate a set operation with its ORDER BY and LIMIT."""
    from testsuite.dialect.queries import _limit, _order  # The parts of a query call each other.

    for key, value in node.args.items():
        if value and key not in _ARGS:
            raise Refused(f"set operation {key}")
    relation = combine(em, node, scope)
    limit = _limit(node, first)
    order = node.args.get("order")
    order_sql = ""
    if order is not None and (limit or first):
        keys = []
        for term in order.expressions:
            place = _place(node, relation, term.this)
            key = sort_text(relation.columns[place].expr)
            keys.append((key, bool(term.args.get("desc")), term.args.get("nulls_first")))
        order_sql = _order(keys)
    if first:
        em.open.append("scalar subquery of several rows")
        if order_sql and not limit:
            limit = " LIMIT 1"
    if limit:
        em.open.append("LIMIT in a subquery")
    if order_sql or limit:
        return Relation(f"SELECT * FROM ({relation.sql}) AS o{order_sql}{limit}", relation.columns)
    return relation


def combine(em: Emitter, node: exp.SetOperation, scope: Scope) -> Relation:
    """The rows of a set operation, without order and limit."""
    left = _side(em, node.this, scope)
    right = _side(em, node.expression, scope)
    all_rows = "" if node.args.get("distinct") else " ALL"
    if isinstance(node, exp.Union):
        word = "UNION" + all_rows
    elif isinstance(node, exp.Except) and not all_rows:
        word = "EXCEPT"
    elif isinstance(node, exp.Intersect) and not all_rows:
        word = "INTERSECT"
    else:
        raise Refused("set operation")
    if len(left.columns) != len(right.columns):
        raise Refused("set operation of different widths")
    columns = [join_columns(a, b, i) for i, (a, b) in enumerate(zip(left.columns, right.columns, strict=True))]
    sql = f"({convert(left, columns)}) {word} ({convert(right, columns)})"
    return Relation(sql, tuple(columns))


def _side(em: Emitter, node: exp.Expr, scope: Scope) -> Relation:
    from testsuite.dialect.queries import query

    if isinstance(node, exp.Subquery):
        return _side(em, node.this, scope)
    if isinstance(node, exp.SetOperation) and not node.args.get("with_"):
        if node.args.get("order") or node.args.get("limit"):
            raise Refused("ORDER BY inside a set operation")
        return combine(em, node, scope)
    return query(em, node, scope)


def join_columns(left: OutColumn, right: OutColumn, place: int) -> OutColumn:
    """The column that two branches make together.

    Raises:
        Refused: ``mixed-type set operation`` where text and numbers meet.
    """
    a, b = left.expr, right.expr
    types = {a.type, b.type} - {Type.NULL}
    if Type.TEXT in types and len(types) > 1:
        raise Refused("mixed-type set operation")
    if "NOCASE" in (a.collation, b.collation) or "RTRIM" in (a.collation, b.collation):
        raise Refused("COLLATE in a set operation")
    kind = Type.NULL if not types else types.pop() if len(types) == 1 else Type.NUMBER
    unsure = a.unsure or b.unsure or _class(a.affinity) != _class(b.affinity)
    e = Expr(f"c{place}", kind, a.affinity, unsure=unsure, exact=a.exact and b.exact)
    return OutColumn(left.name, e)


def _class(affinity: Affinity | None) -> str:
    return "numeric" if affinity in NUMERIC_AFFINITIES else str(affinity)


def convert(relation: Relation, columns: list[OutColumn]) -> str:
    """The relation's text with every column in the type of the given ones."""
    items = []
    changed = False
    for place, (own, target) in enumerate(zip(relation.columns, columns, strict=True)):
        text = own.expr.sql
        if own.expr.type is not target.expr.type:
            changed = True
            if target.expr.type is Type.NUMBER:
                text = as_double(own.expr).sql
            elif own.expr.type is Type.NULL:
                kind = {Type.INTEGER: "BIGINT", Type.REAL: "DOUBLE"}.get(target.expr.type, "VARCHAR")
                text = f"CAST(NULL AS {kind})"
            else:
                raise Refused("mixed-type set operation")
        items.append(f"{text} AS c{place}")
    return f"SELECT {', '.join(items)} FROM ({relation.sql}) AS u" if changed else relation.sql


def _place(node: exp.SetOperation, relation: Relation, term: exp.Expr) -> int:
    """The output column an ORDER BY term of a set operation means."""
    if isinstance(term, exp.Literal) and not term.is_string and term.this.isdigit():
        place = int(term.this) - 1
        if 0 <= place < len(relation.columns):
            return place
        raise Refused("ORDER BY number")
    if isinstance(term, exp.Column) and not term.table:
        names = [c.name.lower() if c.name is not None else None for c in relation.columns]
        if names.count(term.name.lower()) == 1:
            return names.index(term.name.lower())
    raise Refused("ORDER BY of a set operation")
