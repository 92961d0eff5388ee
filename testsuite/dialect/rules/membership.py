"""IN over lists and subqueries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.affinity import operands, without_affinity
from testsuite.dialect.types import Expr, Refused, Type

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter


def membership(em: Emitter, node: exp.Expr) -> Expr:
    """x IN (list or subquery). List items lend no affinity; a subquery's column does (datatype3.html, 4.2)."""
    for key, value in node.args.items():
        if value and key not in ("this", "expressions", "query"):
            raise Refused(f"IN {key}")
    if isinstance(node.this, exp.Tuple):
        raise Refused("row values")
    left = em.expr(node.this)
    subquery = node.args.get("query")
    if subquery is not None:
        return _subquery(em, left, subquery)
    if not node.expressions:
        return Expr("FALSE", Type.BOOLEAN)
    if len(node.expressions) == 1 and isinstance(node.expressions[0], (exp.Select, exp.SetOperation)):
        return _subquery(em, left, node.expressions[0])
    if any(isinstance(item, exp.Tuple) for item in node.expressions):
        raise Refused("row values")
    pairs = [operands(left, without_affinity(em.expr(item)), True) for item in node.expressions]
    groups: dict[str, list[str]] = {}
    for a, b in pairs:
        groups.setdefault(a, []).append(b)
    parts = [f"({a} IN ({', '.join(bs)}))" for a, bs in groups.items()]
    return Expr(parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})", Type.BOOLEAN)


def _subquery(em: Emitter, left: Expr, node: exp.Expr) -> Expr:
    relation = em.relation(node)
    if len(relation.columns) != 1:
        raise Refused("IN with several columns")
    own = relation.columns[0].expr
    a, b = operands(left, own, True)
    if b == own.sql:
        return Expr(f"({a} IN ({relation.sql}))", Type.BOOLEAN)
    return Expr(f"({a} IN (SELECT {b} FROM ({relation.sql}) AS m))", Type.BOOLEAN)


RULES = {exp.In: membership}

EXAMPLES = (
    "SELECT id FROM nums WHERE i IN (1, '2', 3.0, 'x')",
    "SELECT id FROM nums WHERE i NOT IN (1, 2)",
    "SELECT id FROM nums WHERE i NOT IN (1, NULL)",
    "SELECT id FROM words WHERE w IN (1, 'abc')",
    "SELECT id FROM nums WHERE i IN ()",
    "SELECT id FROM nums WHERE i IN (SELECT w FROM words)",
    "SELECT id FROM words WHERE w IN (SELECT i FROM nums)",
    "SELECT id FROM words WHERE w NOT IN (SELECT i FROM nums)",
    "SELECT id FROM nums WHERE i NOT IN (SELECT w FROM words WHERE w IS NOT NULL)",
    "SELECT id FROM nums WHERE i NOT IN (SELECT r FROM nums)",
    "SELECT id FROM nums WHERE i IN (SELECT id FROM bare)",
    "SELECT id FROM nums AS a WHERE i IN (SELECT b.i FROM nums AS b WHERE b.id <> a.id)",
    "SELECT id FROM nums WHERE i + 0 IN ('1', 2)",
)
