"""CASE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.affinity import compare
from testsuite.dialect.types import NULL, Expr, as_truth, unify

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter


def case(em: Emitter, node: exp.Expr) -> Expr:
    """CASE with and without a base; every branch must be of one kind."""
    base = node.this
    left = em.expr(base) if base is not None else None
    tests, values = [], []
    for branch in node.args["ifs"]:
        test = em.expr(branch.this)
        tests.append(as_truth(test) if left is None else compare("=", left, test).sql)
        values.append(em.expr(branch.args["true"]))
    default = node.args.get("default")
    values.append(em.expr(default) if default is not None else NULL)
    kind, texts = unify(values, "CASE")
    whens = "".join(f" WHEN {t} THEN {v}" for t, v in zip(tests, texts, strict=False))
    return Expr(f"(CASE{whens} ELSE {texts[-1]} END)", kind)


RULES = {exp.Case: case}

EXAMPLES = (
    "SELECT CASE WHEN i > 1 THEN 'big' WHEN i IS NULL THEN 'none' ELSE 'small' END FROM nums",
    "SELECT CASE i WHEN 1 THEN 10 WHEN '2' THEN 20 END FROM nums",
    "SELECT CASE w WHEN 1 THEN 'one' ELSE w END FROM words",
    "SELECT CASE WHEN i THEN i ELSE r END FROM nums",
    "SELECT sum(CASE WHEN i > 1 THEN 1 ELSE 0 END) FROM nums",
    "SELECT CASE WHEN w THEN 1 ELSE 0 END FROM words",
)
