"""Comparisons and BETWEEN."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.affinity import compare
from testsuite.dialect.types import Expr, Refused, Type

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter

_OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "IS",
    exp.NullSafeNEQ: "IS NOT",
}


def comparison(em: Emitter, node: exp.Expr) -> Expr:
    """One comparison; row values only for equality of two written rows."""
    operator = _OPERATORS[type(node)]
    left, right = node.this, node.expression
    if isinstance(right, exp.Boolean) and operator in ("IS", "IS NOT"):
        wanted = "TRUE" if right.this else "FALSE"
        word = "IS NOT DISTINCT FROM" if operator == "IS" else "IS DISTINCT FROM"
        return Expr(f"({em.truth(left)} {word} {wanted})", Type.BOOLEAN)
    if isinstance(left, exp.Tuple) or isinstance(right, exp.Tuple):
        return _rows(em, left, right, operator)
    return compare(operator, em.expr(left), em.expr(right))


def _rows(em: Emitter, left: exp.Expr, right: exp.Expr, operator: str) -> Expr:
    if not (isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple)) or operator not in ("=", "<>"):
        raise Refused("row values")
    if len(left.expressions) != len(right.expressions):
        raise Refused("row values")
    pairs = zip(left.expressions, right.expressions, strict=True)
    parts = [compare(operator, em.expr(a), em.expr(b)).sql for a, b in pairs]
    return Expr(f"({(' AND ' if operator == '=' else ' OR ').join(parts)})", Type.BOOLEAN)


def between(em: Emitter, node: exp.Expr) -> Expr:
    """x BETWEEN a AND b is x >= a AND x <= b, each with its own affinity."""
    if node.args.get("symmetric"):
        raise Refused("BETWEEN SYMMETRIC")
    value = em.expr(node.this)
    low = compare(">=", value, em.expr(node.args["low"]))
    high = compare("<=", value, em.expr(node.args["high"]))
    return Expr(f"({low.sql} AND {high.sql})", Type.BOOLEAN)


RULES = {**dict.fromkeys(_OPERATORS, comparison), exp.Between: between}

EXAMPLES = (
    "SELECT id FROM words WHERE w = 1",
    "SELECT id FROM words WHERE w > 0",
    "SELECT id FROM words WHERE w < 5.5",
    "SELECT id FROM nums WHERE i = '1'",
    "SELECT id FROM nums WHERE i = ' 2 '",
    "SELECT id FROM nums WHERE i > 'abc'",
    "SELECT id FROM nums WHERE i < 'abc'",
    "SELECT id FROM nums WHERE NOT i = 'x'",
    "SELECT id FROM nums WHERE i + 1 = '2'",
    "SELECT id FROM nums WHERE i + 1 < '2'",
    "SELECT id FROM nums WHERE r = 1 AND i <> 1.0",
    "SELECT a.id, b.id FROM nums AS a JOIN words AS b ON a.i = b.w",
    "SELECT a.id, b.id FROM nums AS a JOIN words AS b ON a.i < b.w",
    "SELECT id FROM dates WHERE d > '2019-01-01'",
    "SELECT id FROM dates WHERE d > 2019",
    "SELECT id FROM dates WHERE d > '2019'",
    "SELECT id FROM words WHERE w BETWEEN 1 AND 3",
    "SELECT id FROM nums WHERE i NOT BETWEEN '0' AND 2.5",
    "SELECT id, i IS 1, i IS NOT 1, i IS r, w IS 'Abc' FROM nums JOIN words USING (id)",
    "SELECT i = 1, i = NULL, r <> i FROM nums",
    "SELECT id FROM nums WHERE (i, r) = (1, 1.5)",
    "SELECT id FROM words WHERE w = 'abc' COLLATE NOCASE",
    "SELECT id FROM nums WHERE r > i",
)
