"""The walk over a query: current scope, fresh names, and which rule translates which node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from sqlglot import exp

from testsuite.dialect.rules import BY_NODE
from testsuite.dialect.scope import OutColumn, Relation, Scope, Source
from testsuite.dialect.types import Expr, Refused, Type, as_truth, text_literal
from testsuite.schema.model import Schema, Storage

QUERIES = (exp.Select, exp.SetOperation, exp.Values)


@dataclass(slots=True)
class Emitter:
    """State of one translation. Rules call ``expr``, ``truth`` and ``relation``."""

    schema: Schema
    storage: Mapping[tuple[str, str], Storage]
    now: datetime | None = None
    scope: Scope = field(default_factory=Scope)
    touched: set[tuple[str, str]] = field(default_factory=set)
    open: list[str] = field(default_factory=list)
    readers: list[Scope] = field(default_factory=list)
    counter: int = 0

    def fresh(self, letter: str) -> str:
        """A name not used before: it cannot collide with anything of the schema, as all are qualified."""
        self.counter += 1
        return f"{letter}{self.counter}"

    def expr(self, node: exp.Expr) -> Expr:
        """Translate a value.

        Raises:
            Refused: no rule is known to keep its meaning.
        """
        scope = self.scope
        if scope.groups is not None and scope.complex_groups and not scope.row_phase:
            key = self._group_key(node)
            if key is not None:
                return key
        return self._emit(node)

    def _emit(self, node: exp.Expr) -> Expr:
        rule = BY_NODE.get(type(node))
        if rule is None:
            if isinstance(node, exp.Func):
                rule = BY_NODE[exp.Anonymous]
            else:
                raise Refused(f"no rule for {type(node).__name__}")
        e = rule(self, node)
        if e.type is Type.TEXT and not isinstance(node, (exp.Collate, exp.Paren)) and _collates(node):
            # SQLite lends the collation of any operand, however deep, to the whole text expression.
            raise Refused("COLLATE inside an expression")
        return e

    def _group_key(self, node: exp.Expr) -> Expr | None:
        """The group key equal to a whole expression of a result list or HAVING, if it is one."""
        if isinstance(node, (exp.Column, exp.Literal, exp.AggFunc, *QUERIES)):
            return None
        assert self.scope.groups is not None
        touched, opened, readers = set(self.touched), list(self.open), list(self.readers)
        try:
            with self.rows():
                whole = self._emit(node)
        except Refused:
            return None
        finally:
            self.touched, self.open, self.readers = touched, opened, readers
        return self.scope.groups.get(whole.sql)

    def truth(self, node: exp.Expr) -> str:
        """DuckDB boolean text of a condition."""
        return as_truth(self.expr(node))

    @contextmanager
    def rows(self) -> Iterator[None]:
        """Read single rows, not groups, inside (aggregate arguments)."""
        scope, before = self.scope, self.scope.row_phase
        scope.row_phase = True
        try:
            yield
        finally:
            scope.row_phase = before

    @contextmanager
    def inside(self, scope: Scope) -> Iterator[None]:
        """Resolve names in another scope inside."""
        before = self.scope
        self.scope = scope
        try:
            yield
        finally:
            self.scope = before

    def relation(self, node: exp.Expr, first: bool = False) -> Relation:
        """Translate a subquery of the current scope. ``first`` where only its first row is wanted."""
        from testsuite.dialect.queries import query  # The walk and its parts call each other.

        return query(self, node, self.scope, first=first)

    def column(self, name: str, table: str | None, quoted: bool) -> Expr:
        """Resolve a column name as SQLite does.

        Raises:
            Refused: it cannot be resolved here, or a bare column is read from inside a subquery.
        """
        key, owner_name = name.lower(), table.lower() if table is not None else None
        nameless = False
        for scope in self.scope.chain():
            found = scope.column(key, owner_name)
            if found is not None:
                return self._found(scope, *found)
            nameless = nameless or any(source.nameless for source in scope.sources)
            if owner_name is None and scope.aliases_visible and key in scope.aliases:
                return self._alias(scope, key)
        if key in ("rowid", "oid", "_rowid_"):
            raise Refused("rowid")
        if owner_name is None and quoted and not nameless:
            return text_literal(name)
        raise Refused("unknown column")

    def _found(self, scope: Scope, e: Expr, column: OutColumn | None, source: Source | None) -> Expr:
        self.readers.append(scope)
        if column is not None and column.origin is not None:
            self.touched.add(column.origin)
        if scope.groups is None or scope.row_phase or e.sql in scope.groups:
            return e
        if scope is not self.scope:
            raise Refused("bare column in a subquery")
        self.open.append("bare column")
        if scope.extreme is None:
            sql = f"first({e.sql})"
        else:
            function, argument = scope.extreme
            sql = f"(CASE WHEN count({argument}) = 0 THEN first({e.sql}) ELSE {function}_null({e.sql}, {argument}) END)"
        return Expr(sql, e.type, e.affinity, collation=e.collation, unsure=e.unsure)

    def _alias(self, scope: Scope, key: str) -> Expr:
        node = scope.aliases[key]
        if scope is not self.scope and scope.groups is not None and not scope.row_phase:
            raise Refused("alias of an aggregate query in a subquery")
        # An alias does not see aliases: SQLite put the expression itself in its place.
        visible, scope.aliases_visible = scope.aliases_visible, False
        try:
            with self.inside(scope):
                return self.expr(node)
        finally:
            scope.aliases_visible = visible


def _collates(node: exp.Expr) -> bool:
    stack = list(node.iter_expressions())
    while stack:
        current = stack.pop()
        if isinstance(current, exp.Collate):
            return True
        if not isinstance(current, exp.Query):
            stack.extend(current.iter_expressions())
    return False
