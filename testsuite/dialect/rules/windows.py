"""Window functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.ordering import order_terms
from testsuite.dialect.rules.aggregates import build
from testsuite.dialect.types import Expr, Refused, as_bigint

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter

# Their answers depend on the order of rows that tie.
_OPEN = (exp.RowNumber, exp.Ntile, exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue)


def window(em: Emitter, node: exp.Expr) -> Expr:
    """func(...) OVER (...)."""
    for key, value in node.args.items():
        if value and key not in ("this", "partition_by", "order", "spec", "alias", "over"):
            raise Refused(f"window {key}")
    called, suffix = node.this, ""
    if isinstance(called, exp.Filter):
        suffix = f" FILTER (WHERE {em.truth(called.expression.this)})"
        called = called.this
    over = suffix + " OVER " + _definition(em, node)
    if isinstance(called, _OPEN):
        em.open.append("window order")
    return build(em, called, over, rows=False)


def _definition(em: Emitter, node: exp.Expr) -> str:
    alias = node.args.get("alias")
    if alias is not None:
        named = em.scope.windows.get(alias.name.lower())
        if named is None or any(node.args.get(key) for key in ("partition_by", "order", "spec")):
            raise Refused("named window")
        if named.args.get("alias") is not None:
            raise Refused("named window")
        node = named
    parts = []
    partition = node.args.get("partition_by") or []
    if partition:
        keys = [as_bigint(em.expr(term)) for term in partition]
        if any(key.collation for key in keys):
            raise Refused("window with a collation")
        parts.append("PARTITION BY " + ", ".join(key.sql for key in keys))
    order = node.args.get("order")
    if order is not None:
        text = order_terms(em, order)
        if text:
            parts.append("ORDER BY " + text)
        elif node.args.get("spec") is not None:
            raise Refused("window ordered by a constant")
    spec = node.args.get("spec")
    if spec is not None:
        parts.append(_frame(spec))
    return f"({' '.join(parts)})"


def _frame(spec: exp.Expr) -> str:
    if spec.args.get("exclude"):
        raise Refused("window EXCLUDE")
    kind = str(spec.args.get("kind") or "RANGE").upper()
    start = _bound(spec, "start", kind)
    end = _bound(spec, "end", kind) if spec.args.get("end") else "CURRENT ROW"
    return f"{kind} BETWEEN {start} AND {end}"


def _bound(spec: exp.Expr, key: str, kind: str) -> str:
    value, side = spec.args.get(key), spec.args.get(f"{key}_side")
    if isinstance(value, str):
        word = value.upper()
        if word == "CURRENT ROW":
            return word
        if word == "UNBOUNDED" and side:
            return f"{word} {str(side).upper()}"
    if isinstance(value, exp.Literal) and not value.is_string and value.this.isdigit() and kind == "ROWS" and side:
        return f"{value.this} {str(side).upper()}"
    raise Refused("window frame")


RULES = {exp.Window: window}

EXAMPLES = (
    "SELECT id, row_number() OVER (ORDER BY id), rank() OVER (ORDER BY i DESC), count(*) OVER () FROM nums",
    "SELECT id, sum(i) OVER (PARTITION BY r ORDER BY id), avg(r) OVER (ORDER BY id) FROM nums",
    "SELECT id, lag(i) OVER (ORDER BY id), lead(i, 2, 0) OVER (ORDER BY id) FROM nums",
    "SELECT id, sum(i) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM nums",
    "SELECT i, sum(count(*)) OVER (ORDER BY i) FROM nums GROUP BY i",
    "SELECT id, first_value(i) OVER w, last_value(i) OVER w FROM nums WINDOW w AS (ORDER BY id)",
    "SELECT id, dense_rank() OVER (ORDER BY i), ntile(2) OVER (ORDER BY id) FROM nums",
)
