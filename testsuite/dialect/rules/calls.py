"""Scalar function calls: SQLite's name and arguments go to the builders of ``functions``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.functions import AGGREGATES, SCALARS
from testsuite.dialect.rules.aggregates import aggregate
from testsuite.dialect.types import Call, Expr, Refused
from testsuite.query.calls import call_of

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter


def call(em: Emitter, node: exp.Expr) -> Expr:
    """A scalar function; ``Refused("function <name>")`` for one that has no builder."""
    found = call_of(node)
    if found is None:
        raise Refused(f"function {type(node).__name__.lower()}")
    name, args = found
    if name in AGGREGATES and name not in SCALARS:
        return aggregate(em, node)
    builder = SCALARS.get(name)
    if builder is None:
        raise Refused(f"function {name}")
    return builder(Call(name, tuple(em.expr(arg) for arg in args), em.now))


RULES = {exp.Anonymous: call}

EXAMPLES = ("SELECT abs(i), lower(w), length(w) FROM nums JOIN words USING (id)",)
