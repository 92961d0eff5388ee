"""Aggregate functions over groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.functions import AGGREGATES, WINDOWS
from testsuite.dialect.types import AggregateCall, Expr, Refused

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter

_NAMES: dict[type[exp.Expr], str] = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Min: "min",
    exp.Max: "max",
    exp.GroupConcat: "group_concat",
}
_WINDOW_NAMES: dict[type[exp.Expr], str] = {
    exp.RowNumber: "row_number",
    exp.Rank: "rank",
    exp.DenseRank: "dense_rank",
    exp.PercentRank: "percent_rank",
    exp.CumeDist: "cume_dist",
    exp.Ntile: "ntile",
    exp.Lag: "lag",
    exp.Lead: "lead",
    exp.FirstValue: "first_value",
    exp.LastValue: "last_value",
    exp.NthValue: "nth_value",
}


def aggregate(em: Emitter, node: exp.Expr) -> Expr:
    """An aggregate without FILTER and OVER."""
    return build(em, node, "")


def build(em: Emitter, node: exp.Expr, suffix: str, rows: bool = True) -> Expr:
    """An aggregate call.

    Args:
        em: the walk.
        node: the call.
        suffix: FILTER and OVER text.
        rows: whether arguments read rows (False for a window function over groups).

    Raises:
        Refused: no builder, or an aggregate that SQLite would compute in an enclosing query.
    """
    name = (
        _NAMES.get(type(node))
        or _WINDOW_NAMES.get(type(node))
        or (str(node.this).lower() if isinstance(node, exp.Anonymous) else "")
    )
    builder = AGGREGATES.get(name) or (None if rows else WINDOWS.get(name))
    if builder is None:
        raise Refused(f"aggregate {name or type(node).__name__}")
    nodes, distinct = arguments(node)
    before = len(em.readers)
    if rows:
        if em.scope.groups is None or em.scope.row_phase:
            raise Refused("misplaced aggregate")
        with em.rows():
            args = tuple(em.expr(arg) for arg in nodes)
    else:
        args = tuple(em.expr(arg) for arg in nodes)
    readers = em.readers[before:]
    if readers and all(reader is not em.scope for reader in readers):
        raise Refused("aggregate of an outer query")
    if any(arg.collation for arg in args) and (distinct or name in ("min", "max")):
        raise Refused("aggregate with a collation")
    return builder(AggregateCall(name, args, distinct, suffix))


def arguments(node: exp.Expr) -> tuple[list[exp.Expr], bool]:
    """The arguments of an aggregate call (none for count(*)), and whether DISTINCT stands before them."""
    first = node.args.get("this") if not isinstance(node, exp.Anonymous) else None
    nodes = [first] if isinstance(first, exp.Expr) else []
    extra = node.args.get("expressions")
    nodes += list(extra) if isinstance(extra, list) else []
    if not isinstance(node, exp.GroupConcat):
        nodes += [node.args[key] for key in ("offset", "default") if node.args.get(key) is not None]
    separator = node.args.get("separator")
    distinct = False
    if nodes and isinstance(nodes[0], exp.Distinct):
        distinct = True
        nodes = [*nodes[0].expressions, *nodes[1:]]
    if separator is not None:
        nodes.append(separator)
    if any(isinstance(n, exp.Order) for n in nodes):
        raise Refused("ORDER BY in an aggregate")
    if nodes and isinstance(nodes[0], exp.Star):
        if not isinstance(node, exp.Count) or distinct:
            raise Refused("aggregate of a star")
        nodes = []
    return nodes, distinct


def filtered(em: Emitter, node: exp.Expr) -> Expr:
    """agg(...) FILTER (WHERE ...)."""
    with em.rows():
        condition = em.truth(node.expression.this)
    return build(em, node.this, f" FILTER (WHERE {condition})")


RULES = {**dict.fromkeys(_NAMES, aggregate), exp.Filter: filtered}

EXAMPLES = (
    "SELECT count(*), count(i), count(DISTINCT i), count(w) FROM nums JOIN words USING (id)",
    "SELECT sum(i), avg(i), min(i), max(i), sum(r), avg(r), min(r), max(r) FROM nums",
    "SELECT sum(i), avg(i), min(i), count(*) FROM bare",
    "SELECT sum(w), avg(w), min(w), max(w) FROM words",
    "SELECT i, count(*) FROM nums GROUP BY i HAVING count(*) > 1",
    "SELECT i + 1, count(*) FROM nums GROUP BY i + 1",
    "SELECT count(*) FROM nums GROUP BY 'x'",
    "SELECT count(*) FROM bare GROUP BY 'x'",
    "SELECT i % 2, sum(r) FROM nums GROUP BY 1",
    "SELECT sum(i > 1), avg(i > 1), max(i > 1) FROM nums",
    "SELECT count(*) FILTER (WHERE i > 1), sum(i) FILTER (WHERE r > 1) FROM nums",
    "SELECT max(i) FROM nums HAVING count(*) > 1",
    "SELECT count(*) FROM nums HAVING max(i) > 1000",
    "SELECT id, count(*) FROM nums GROUP BY id",
    "SELECT id, i, count(*) FROM nums GROUP BY id, i",
    "SELECT sum(DISTINCT i), sum(n), avg(n) FROM nums JOIN dates USING (id)",
)
