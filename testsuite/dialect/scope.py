"""Names: what a query can see, and how SQLite resolves a name (its resolve.c, lookupName).

A name is sought in the FROM items of the innermost query, then among that query's own result aliases (where SQLite
allows them: everywhere but in the result list itself), then the same in the enclosing queries. A double-quoted
name found nowhere is a string.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from testsuite.dialect.types import Expr, Refused


@dataclass(frozen=True, slots=True)
class OutColumn:
    """One column that a source or a query offers.

    ``name`` is None where SQLite would make a name from the expression's text; ``origin`` is the base column
    (table, column) in lower case where it is one.
    """

    name: str | None
    expr: Expr
    origin: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """A translated query: its text, its columns (``expr.sql`` is the bare output name) and its row bound."""

    sql: str
    columns: tuple[OutColumn, ...]
    one_row: bool = False
    simple_order: bool = False


@dataclass(slots=True, eq=False)
class Source:
    """One FROM item. ``hidden`` names (lower case) are merged into an earlier item by USING or NATURAL."""

    tag: str
    names: frozenset[str]
    columns: tuple[OutColumn, ...]
    hidden: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)

    def find(self, name: str) -> OutColumn | None:
        """The first column of that lower-case name."""
        for column in self.columns:
            if column.name is not None and column.name.lower() == name:
                return column
        return None

    @property
    def nameless(self) -> bool:
        """Whether a column's name is not known here, so that a failed look-up proves nothing."""
        return any(column.name is None for column in self.columns)


@dataclass(slots=True, eq=False)
class Cte:
    """A common table expression: its DuckDB name and columns."""

    tag: str
    columns: tuple[OutColumn, ...]
    used: bool = False


@dataclass(slots=True, eq=False)
class Scope:
    """What one SELECT sees.

    Attributes:
        parent: the enclosing query's scope.
        sources: FROM items, in order.
        merged: columns joined by USING in a RIGHT or FULL JOIN, by lower-case name.
        aliases: result aliases (lower case) and what they stand for; seen while ``aliases_visible``.
        ctes: common table expressions defined here.
        groups: text of each group key, in an aggregate query; None in a plain one.
        row_phase: whether expressions read single rows (WHERE, aggregate arguments), not groups.
        extreme: the argument and direction of the only MIN or MAX, which decides bare columns.
        windows: named windows.
    """

    parent: Scope | None = None
    sources: list[Source] = field(default_factory=list)
    merged: dict[str, Expr] = field(default_factory=dict)
    aliases: dict[str, exp.Expr] = field(default_factory=dict)
    aliases_visible: bool = False
    ctes: dict[str, Cte] = field(default_factory=dict)
    groups: dict[str, Expr] | None = None
    complex_groups: bool = False
    row_phase: bool = True
    extreme: tuple[str, str] | None = None
    windows: dict[str, exp.Expr] = field(default_factory=dict)

    def chain(self) -> Iterator[Scope]:
        """This scope and those around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def cte(self, name: str) -> Cte | None:
        """The common table expression of that lower-case name."""
        for scope in self.chain():
            if name in scope.ctes:
                return scope.ctes[name]
        return None

    def column(self, name: str, table: str | None) -> tuple[Expr, OutColumn | None, Source | None] | None:
        """A column of this scope's own sources; None where there is none.

        Raises:
            Refused: ``ambiguous column`` (SQLite rejects the query then).
        """
        if table is None and name in self.merged:
            return self.merged[name], None, None
        hits: list[tuple[Expr, OutColumn, Source]] = []
        for source in self.sources:
            if table is not None and table not in source.names:
                continue
            if table is None and name in source.hidden:
                continue
            column = source.find(name)
            if column is not None:
                hits.append((column.expr, column, source))
        if len(hits) > 1:
            raise Refused("ambiguous column")
        return hits[0] if hits else None
