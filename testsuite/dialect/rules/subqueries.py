"""Scalar subqueries and EXISTS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.types import Expr, Refused, Type

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter


def scalar(em: Emitter, node: exp.Expr) -> Expr:
    """The first row's value, NULL without rows. It keeps its column's affinity, but no collation.

    SQLite drops DISTINCT, since one row is all that is asked for, before it counts an OFFSET.
    """
    if any(value for key, value in node.args.items() if key != "this"):
        raise Refused("subquery in parentheses")
    if node.this.args.get("distinct") and node.this.args.get("offset"):
        raise Refused("DISTINCT and OFFSET in a scalar subquery")
    relation = em.relation(node.this, first=True)
    if len(relation.columns) != 1:
        raise Refused("row values")
    e = relation.columns[0].expr
    return Expr(f"({relation.sql})", e.type, e.affinity, unsure=e.unsure, exact=e.exact)


def exists(em: Emitter, node: exp.Expr) -> Expr:
    """EXISTS. SQLite drops DISTINCT there before it counts an OFFSET."""
    if node.this.args.get("offset") is not None:
        raise Refused("OFFSET in EXISTS")
    return Expr(f"EXISTS ({em.relation(node.this).sql})", Type.BOOLEAN)


RULES = {exp.Subquery: scalar, exp.Exists: exists, exp.Select: scalar}

EXAMPLES = (
    "SELECT id FROM nums WHERE i = (SELECT max(i) FROM nums)",
    "SELECT id, (SELECT count(*) FROM words AS b WHERE b.id = a.id) FROM nums AS a",
    "SELECT id FROM nums AS a WHERE EXISTS (SELECT 1 FROM words AS b WHERE b.id = a.i)",
    "SELECT id FROM nums AS a WHERE NOT EXISTS (SELECT * FROM words AS b WHERE b.w = a.i)",
    "SELECT (SELECT id FROM bare), (SELECT i FROM nums ORDER BY id DESC)",
    "SELECT id FROM words WHERE w > (SELECT avg(i) FROM nums)",
    "SELECT id FROM words WHERE w = (SELECT min(i) FROM nums WHERE i > 0)",
)
