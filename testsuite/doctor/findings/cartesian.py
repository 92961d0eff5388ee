"""FROM items that no condition connects: every row of one meets every row of the other."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from testsuite.doctor.findings.base import Finding, Found, Subject
from testsuite.doctor.records import Severity
from testsuite.query.scope import Scope, Scopes, Source, unwrap
from testsuite.query.variation import is_aggregate

Edge = frozenset[int]


def _find(subject: Subject) -> Iterator[Found]:
    if subject.scopes is None:
        return
    for scope in subject.scopes:
        # A source of one row multiplies nothing.
        sources = [source for source in scope.sources if not _single_row(source)]
        if len(sources) < 2 or scope.merged:
            continue
        groups = _groups({id(s) for s in sources}, _edges_of(scope, subject.scopes))
        parts = [[s.name for s in sources if id(s) in group] for group in groups]
        parts = [part for part in parts if part]
        if len(parts) > 1:
            names = " | ".join(", ".join(name or "(subquery)" for name in part) for part in parts)
            yield Severity.WARNING, f"no condition connects {names}"


def _single_row(source: Source) -> bool:
    inner = source.node
    while isinstance(inner, (exp.Subquery, exp.Paren)):
        inner = inner.this
    if not isinstance(inner, exp.Select):
        return False
    limit = inner.args.get("limit")
    if limit is not None and str(limit.expression.this) in ("0", "1"):
        return True
    return inner.args.get("from_") is None or (inner.args.get("group") is None and is_aggregate(inner))


def _edges_of(scope: Scope, scopes: Scopes) -> set[Edge]:
    """Pairs of sources that some condition of the SELECT connects; sources around it may stand between."""
    conditions = []
    where = scope.select.args.get("where")
    if where is not None:
        conditions.append(where.this)
    for join in scope.select.find_all(exp.Join):
        if scopes.around(join) is scope and join.args.get("on") is not None:
            conditions.append(join.args["on"])
    edges: set[Edge] = set()
    for condition in conditions:
        edges |= _edges(condition, scope, scopes)
    return edges


def _edges(condition: exp.Expr, scope: Scope, scopes: Scopes) -> set[Edge]:
    condition = unwrap(condition)
    if isinstance(condition, exp.And):
        return _edges(condition.this, scope, scopes) | _edges(condition.expression, scope, scopes)
    if isinstance(condition, exp.Or):
        # Either branch may be the one that holds: only what both connect is connected.
        left = _closed(_edges(condition.this, scope, scopes))
        return left & _closed(_edges(condition.expression, scope, scopes))
    touched: set[int] = set()
    for column in condition.find_all(exp.Column):
        around = scopes.around(column)
        found = around.lookup(column) if around is not None else None
        if found is None:
            # Not known whose it is (or a text in double quotes): a condition of doubt connects.
            if not (column.this.quoted and not column.table):
                touched |= {id(source) for source in scope.sources}
            continue
        touched.add(id(found[1]))
    return {frozenset((a, b)) for a in touched for b in touched if a != b}


def _closed(edges: set[Edge]) -> set[Edge]:
    nodes = {node for edge in edges for node in edge}
    return {frozenset((a, b)) for group in _groups(nodes, edges) for a in group for b in group if a != b}


def _groups(nodes: set[int], edges: set[Edge]) -> list[set[int]]:
    """Nodes that edges connect, in order of first mention; edges may go through others."""
    groups = [{node} for node in nodes | {n for edge in edges for n in edge}]
    for edge in edges:
        joined = [group for group in groups if group & edge]
        groups = [group for group in groups if not group & edge]
        groups.append(set().union(*joined))
    return groups


CARTESIAN = Finding("cartesian", "a join without a condition multiplies rows", _find)
