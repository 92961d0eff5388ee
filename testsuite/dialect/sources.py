"""The FROM clause: tables, subqueries and the chain of joins."""

from __future__ import annotations

from sqlglot import exp

from testsuite.dialect.affinity import compare
from testsuite.dialect.emitter import Emitter
from testsuite.dialect.scope import OutColumn, Scope, Source
from testsuite.dialect.types import STORED, Expr, Refused, unify
from testsuite.schema.model import quote

MARK = "\x01"
"""Stands on both sides of a base table's name in translated text; ``Translation.render`` replaces it."""

_TABLE_ARGS = frozenset(("this", "alias", "joins", "db"))
_JOIN_ARGS = frozenset(("this", "kind", "side", "method", "on", "using"))


def from_clause(em: Emitter, node: exp.Select, scope: Scope) -> tuple[str, list[str]]:
    """Text of FROM with all joins (empty without one), and conditions that belong into WHERE."""
    start = node.args.get("from_")
    joins = node.args.get("joins") or []
    if start is None:
        if joins:
            raise Refused("JOIN without FROM")
        return "", []
    conditions: list[str] = []
    pending: list[tuple[int, exp.Join, int]] = []
    parts = [_item(em, start.this, scope, conditions)]
    for join in joins:
        before = len(scope.sources)
        parts.append(_item(em, join.this, scope, conditions))
        pending.append((len(parts) - 1, join, before))
    # ON sees all sources: SQLite resolves it with the whole FROM clause.
    scope.aliases_visible = True
    _refuse_early_constants(em, _all_joins(start.this, joins), scope)
    text = parts[0]
    for place, join, before in pending:
        text += _join(em, scope, join, before, _end(pending, place, scope), parts[place], conditions)
    scope.aliases_visible = False
    return f" FROM {text}", conditions


def _all_joins(first: exp.Expr, joins: list[exp.Join]) -> list[exp.Join]:
    """The joins of one FROM clause with those inside parentheses, but not those of subqueries."""
    found = list(joins)
    items = [first, *(join.this for join in joins)]
    while items:
        item = items.pop()
        if isinstance(item, exp.Table):
            inner = item.args.get("joins") or []
            found += inner
            items += [join.this for join in inner]
        elif isinstance(item, exp.Paren) or (isinstance(item, exp.Subquery) and isinstance(item.this, exp.Table)):
            items.append(item.this)
    return found


def _refuse_early_constants(em: Emitter, joins: list[exp.Join], scope: Scope) -> None:
    """Refuse a term of an inner ON that names no source here, beside a RIGHT or FULL JOIN.

    SQLite 3.40 tests such a term once for the whole FROM clause, so a false one takes the padded rows away, too.
    """
    if not any(join.side.upper() in ("RIGHT", "FULL") for join in joins):
        return
    for join in joins:
        on = join.args.get("on")
        if on is None or join.side:
            continue
        for term in on.flatten() if isinstance(on, exp.And) else [on]:
            text = em.truth(term)
            if not any(f"{source.tag}." in text for source in scope.sources):
                raise Refused("constant ON term beside RIGHT or FULL JOIN")


def _end(pending: list[tuple[int, exp.Join, int]], place: int, scope: Scope) -> int:
    return pending[place][2] if place < len(pending) else len(scope.sources)


def _item(em: Emitter, node: exp.Expr, scope: Scope, conditions: list[str]) -> str:
    """Text of one FROM item; its source(s) are added to the scope."""
    if isinstance(node, exp.Table):
        return _table(em, node, scope, conditions)
    if isinstance(node, exp.Subquery):
        if isinstance(node.this, exp.Table):
            if node.alias:
                raise Refused("alias of joined tables")
            return _nested(em, node.this, scope, conditions)
        return _derived(em, node, scope)
    if isinstance(node, exp.Paren):
        return _item(em, node.this, scope, conditions)
    raise Refused(f"FROM {type(node).__name__}")


def _nested(em: Emitter, table: exp.Table, scope: Scope, conditions: list[str]) -> str:
    joins = table.args.get("joins") or []
    first = len(scope.sources)
    text = _table(em, table, scope, conditions, nested=True)
    for join in joins:
        before = len(scope.sources)
        part = _item(em, join.this, scope, conditions)
        inner: list[str] = []
        text += _join(em, scope, join, before, len(scope.sources), part, inner, first)
        if inner:
            raise Refused("ON refers to a later table")
    return f"({text})" if joins else text


def _table(em: Emitter, node: exp.Table, scope: Scope, conditions: list[str], nested: bool = False) -> str:
    for key, value in node.args.items():
        if value and key not in _TABLE_ARGS:
            raise Refused(f"table {key}")
    if node.args.get("joins") and not nested:
        return _nested(em, node, scope, conditions)
    if not isinstance(node.this, exp.Identifier):
        raise Refused("table function")
    database = node.args.get("db")
    if database is not None and database.name.lower() != "main":
        raise Refused("other database")
    alias = node.args.get("alias")
    if alias is not None and alias.args.get("columns"):
        raise Refused("column list of an alias")
    name = node.name
    names = frozenset({(node.alias or name).lower()})
    tag = em.fresh("s")
    cte = scope.cte(name.lower()) if database is None else None
    if cte is not None:
        cte.used = True
        columns = tuple(_seen(tag, column) for column in cte.columns)
        scope.sources.append(Source(tag, names, columns))
        return f"{cte.tag} AS {tag}"
    if name not in em.schema:
        raise Refused("unknown table")
    table = em.schema.table(name)
    base = []
    for column in table.columns:
        origin = (table.name.lower(), column.name.lower())
        e = Expr(f"{tag}.{quote(column.name)}", STORED[em.storage[origin]], column.affinity)
        base.append(OutColumn(column.name, e, origin))
    scope.sources.append(Source(tag, names, tuple(base)))
    return f"{MARK}{table.name}{MARK} AS {tag}"


def _derived(em: Emitter, node: exp.Subquery, scope: Scope) -> str:
    from testsuite.dialect.queries import query  # The parts of a query call each other.

    for key, value in node.args.items():
        if value and key not in ("this", "alias"):
            raise Refused(f"subquery {key}")
    alias = node.args.get("alias")
    if alias is not None and alias.args.get("columns"):
        raise Refused("column list of an alias")
    # A subquery in FROM sees the enclosing queries and this query's WITH, not its neighbours.
    outside = Scope(parent=scope.parent, ctes=scope.ctes)
    relation = query(em, node.this, outside)
    tag = em.fresh("s")
    names = frozenset({node.alias.lower()}) if node.alias else frozenset[str]()
    scope.sources.append(Source(tag, names, tuple(_seen(tag, c) for c in relation.columns)))
    return f"({relation.sql}) AS {tag}"


def _seen(tag: str, column: OutColumn) -> OutColumn:
    e = column.expr
    seen = Expr(f"{tag}.{e.sql}", e.type, e.affinity, collation=e.collation, unsure=e.unsure, exact=e.exact)
    return OutColumn(column.name, seen, column.origin)


def _join(
    em: Emitter,
    scope: Scope,
    join: exp.Join,
    before: int,
    after: int,
    text: str,
    conditions: list[str],
    first: int = 0,
) -> str:
    """Text of one join. ``before`` and ``after`` bound the joined item's own sources in the scope."""
    for key, value in join.args.items():
        if value and key not in _JOIN_ARGS:
            raise Refused(f"join {key}")
    side, kind, method = join.side.upper(), join.kind.upper(), (join.method or "").upper()
    if kind not in ("", "INNER", "CROSS", "OUTER") or method not in ("", "NATURAL"):
        raise Refused("join kind")
    if side not in ("", "LEFT", "RIGHT", "FULL"):
        raise Refused("join side")
    if kind == "OUTER" and not side:
        raise Refused("join kind")
    left, right = scope.sources[first:before], scope.sources[before:after]
    using = join.args.get("using")
    parts: list[str] = []
    if method == "NATURAL":
        parts = _merge(em, scope, left, right, _common(left, right), side)
    elif using:
        parts = _merge(em, scope, left, right, [name.name.lower() for name in using], side)
    on = join.args.get("on")
    if on is not None:
        condition = em.truth(on)
        if any(f"{later.tag}." in condition for later in scope.sources[after:]):
            if side:
                raise Refused("ON refers to a later table")
            conditions.append(condition)
        else:
            parts.append(condition)
    if not side:
        return f" JOIN {text} ON {' AND '.join(parts)}" if parts else f" CROSS JOIN {text}"
    return f" {side} JOIN {text} ON {' AND '.join(parts) if parts else 'TRUE'}"


def _common(left: list[Source], right: list[Source]) -> list[str]:
    if any(source.nameless for source in (*left, *right)):
        raise Refused("NATURAL JOIN of unnamed columns")
    seen = {c.name.lower() for s in left for c in s.columns if c.name is not None}
    return [c.name.lower() for s in right for c in s.columns if c.name is not None and c.name.lower() in seen]


def _merge(
    em: Emitter, scope: Scope, left: list[Source], right: list[Source], names: list[str], side: str
) -> list[str]:
    """Equalities of USING or NATURAL; the right-hand columns are hidden from unqualified names."""
    parts = []
    for name in names:
        source = next((s for s in left if s.find(name) is not None and name not in s.hidden), None)
        other = next((s for s in right if s.find(name) is not None), None)
        if source is None or other is None:
            raise Refused("USING column")
        if sum(s.find(name) is not None and name not in s.hidden for s in left) > 1:
            raise Refused("ambiguous column")
        one, two = source.find(name), other.find(name)
        assert one is not None and two is not None
        em.touched.update(c.origin for c in (one, two) if c.origin is not None)
        value = scope.merged.get(name, one.expr)
        parts.append(compare("=", value, two.expr).sql)
        other.hidden.add(name)
        source.shared.add(name)
        if side in ("RIGHT", "FULL"):
            kind, (a, b) = unify([value, two.expr], "USING")
            scope.merged[name] = Expr(f"coalesce({a}, {b})", kind, one.expr.affinity, unsure=True)
    return parts
