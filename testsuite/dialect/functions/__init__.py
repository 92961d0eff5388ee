"""SQLite's functions as DuckDB expressions, one family per file.

A builder gets a ``Call`` (name, translated arguments) and returns one ``Expr`` or raises ``Refused``. Names are
SQLite's, lower case. ``MACROS`` are CREATE MACRO statements a session runs before any query.
"""

from __future__ import annotations

from collections.abc import Mapping

from testsuite.dialect.types import AggregateBuilder, Builder

FUNCTIONS: Mapping[str, Builder] = {}
AGGREGATES: Mapping[str, AggregateBuilder] = {}
MACROS: tuple[str, ...] = ()
