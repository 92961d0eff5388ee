"""Translation rules, one family of SQLite syntax per file.

A rule module has ``RULES``: the sqlglot nodes it translates with the function that does it, and ``EXAMPLES``: queries
over the tables of ``examples.py``, replayed on SQLite and DuckDB by the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.rules import (
    aggregates,
    arithmetic,
    calls,
    casts,
    columns,
    comparison,
    conditional,
    like,
    literals,
    logic,
    membership,
    subqueries,
    text,
    windows,
)
from testsuite.dialect.types import Expr

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter

Rule = Callable[["Emitter", exp.Expr], Expr]

FAMILIES = (
    literals,
    columns,
    logic,
    comparison,
    membership,
    arithmetic,
    text,
    like,
    casts,
    conditional,
    subqueries,
    calls,
    aggregates,
    windows,
)

BY_NODE: Mapping[type[exp.Expr], Rule] = {node: rule for family in FAMILIES for node, rule in family.RULES.items()}
