"""Which column a name means: sources of every SELECT, through aliases, derived tables and CTEs.

A light resolver for SQLite's rules that never fails: what cannot be known is None.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from testsuite.schema import Schema

Origin = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Output:
    """One column a query gives. ``name`` is lower case, None where SQLite makes one up from the text.

    ``origin`` is the (table, column) of the schema it hands through unchanged, else None.
    """

    name: str | None
    origin: Origin | None


@dataclass(slots=True)
class Source:
    """One FROM item. ``outputs`` is None where its columns are not known.

    ``table`` is the schema's table name, None for derived tables and CTEs. ``node`` is the Table or Subquery.
    """

    name: str
    outputs: tuple[Output, ...] | None
    table: str | None
    node: exp.Expr


@dataclass(slots=True)
class Scope:
    """The sources of one SELECT, and the scope around it for correlated names."""

    select: exp.Select
    sources: list[Source]
    parent: Scope | None
    merged: bool = False  # has NATURAL or USING: names stand for several columns
    ctes: Mapping[str, tuple[Output, ...] | None] = field(default_factory=dict)
    collated: bool = False  # some column of the schema has a collation of its own

    def lookup(self, column: exp.Column) -> tuple[Scope, Source, Output] | None:
        """Where a column comes from: innermost scope first; None where unknown or ambiguous."""
        name, table = column.name.lower(), column.table.lower()
        scope: Scope | None = self
        while scope is not None:
            found = []
            for source in scope.sources:
                if table and source.name != table:
                    continue
                if source.outputs is None:
                    return None
                hits = [output for output in source.outputs if output.name == name]
                if hits:
                    found.append((scope, source, hits[0]))
            if len(found) == 1 or (found and scope.merged):
                return found[0]
            if found:
                return None
            scope = scope.parent
        return None

    def origin(self, column: exp.Column) -> Origin | None:
        """The schema column a name stands for, None where it is none or unknown."""
        found = self.lookup(column)
        return found[2].origin if found else None

    def known(self) -> bool:
        """Whether the columns of all sources are known, here and in all scopes around."""
        if any(source.outputs is None for source in self.sources):
            return False
        return self.parent is None or self.parent.known()


class Scopes:
    """The scopes of all SELECTs of a tree, by node."""

    def __init__(self, tree: exp.Expr, schema: Schema | None) -> None:
        self.schema = schema
        self._collated = schema is not None and any(column.collation for _, column in schema.columns())
        self._scopes: dict[int, Scope] = {}
        self.outputs = self._query(tree, None, {})

    def __iter__(self) -> Iterator[Scope]:
        return iter(self._scopes.values())

    def of(self, select: exp.Expr) -> Scope:
        """The scope of a SELECT node of the tree; KeyError otherwise."""
        return self._scopes[id(select)]

    def around(self, node: exp.Expr) -> Scope | None:
        """The scope of the nearest SELECT around a node."""
        current: exp.Expr | None = node
        while current is not None:
            scope = self._scopes.get(id(current))
            if scope is not None:
                return scope
            current = current.parent
        return None

    def _query(
        self, tree: exp.Expr, parent: Scope | None, ctes: dict[str, tuple[Output, ...] | None]
    ) -> tuple[Output, ...] | None:
        with_ = tree.args.get("with_")
        if isinstance(with_, exp.With):
            ctes = dict(ctes)
            for cte in with_.expressions:
                names = [name.name.lower() for name in cte.args["alias"].args.get("columns") or ()]
                # A recursive CTE sees itself: by its column names, of unknown origin.
                ctes[cte.alias.lower()] = tuple(Output(name, None) for name in names) if names else None
                outputs = self._query(cte.this, parent, ctes)
                ctes[cte.alias.lower()] = _renamed(outputs, names)
        if isinstance(tree, exp.Subquery):
            return self._query(tree.this, parent, ctes)
        if isinstance(tree, exp.SetOperation):
            left = self._query(tree.this, parent, ctes)
            right = self._query(tree.expression, parent, ctes)
            for key in ("order", "limit", "offset"):
                self._nested(tree.args.get(key), parent, ctes)
            if left is None:
                return None
            same = right is not None and [o.origin for o in left] == [o.origin for o in right]
            return left if same else tuple(Output(output.name, None) for output in left)
        if isinstance(tree, exp.Select):
            return self._select(tree, parent, ctes)
        self._nested(tree, parent, ctes)
        return None

    def _select(
        self, select: exp.Select, parent: Scope | None, ctes: dict[str, tuple[Output, ...] | None]
    ) -> tuple[Output, ...] | None:
        scope = Scope(select, [], parent, ctes=ctes, collated=self._collated)
        self._scopes[id(select)] = scope
        from_ = select.args.get("from_")
        if from_ is not None:
            self._source(from_.this, scope, ctes)
        for join in select.args.get("joins") or ():
            scope.merged |= bool(join.args.get("using")) or join.method == "NATURAL"
            self._source(join.this, scope, ctes)
            self._nested(join.args.get("on"), scope, ctes)
        for key, value in select.args.items():
            if key in ("from_", "joins", "with_"):
                continue
            for node in value if isinstance(value, list) else [value]:
                self._nested(node, scope, ctes)
        return self._items(scope)

    def _source(self, node: exp.Expr, scope: Scope, ctes: dict[str, tuple[Output, ...] | None]) -> None:
        if isinstance(node, (exp.Subquery, exp.Paren)) and isinstance(node.this, (exp.Table, exp.Subquery, exp.Paren)):
            self._source(node.this, scope, ctes)
        elif isinstance(node, exp.Subquery):
            outputs = self._query(node.this, scope.parent, ctes)
            scope.sources.append(Source(node.alias.lower(), outputs, None, node))
        elif isinstance(node, exp.Table):
            name = node.name.lower()
            alias = (node.alias or node.name).lower()
            if name in ctes and not node.db:
                scope.sources.append(Source(alias, ctes[name], None, node))
            elif self.schema is not None and name in self.schema:
                table = self.schema.table(name)
                outputs = tuple(Output(c.name.lower(), (table.name.lower(), c.name.lower())) for c in table.columns)
                scope.sources.append(Source(alias, outputs, table.name.lower(), node))
            else:
                scope.sources.append(Source(alias, None, None, node))
        else:
            scope.sources.append(Source(node.alias_or_name.lower(), None, None, node))
            self._nested(node, scope, ctes)
        for join in node.args.get("joins") or ():
            scope.merged |= bool(join.args.get("using")) or join.method == "NATURAL"
            self._source(join.this, scope, ctes)
            self._nested(join.args.get("on"), scope, ctes)

    def _nested(self, node: object, scope: Scope | None, ctes: dict[str, tuple[Output, ...] | None]) -> None:
        """Visit the queries inside an expression."""
        if not isinstance(node, exp.Expr):
            return
        if isinstance(node, (exp.Select, exp.SetOperation)):
            self._query(node, scope, ctes)
            return
        for child in node.iter_expressions():
            self._nested(child, scope, ctes)

    def _items(self, scope: Scope) -> tuple[Output, ...] | None:
        found: list[Output] = []
        for item in scope.select.expressions:
            star = star_table(item)
            if star is not None:
                if scope.merged and not star:
                    return None
                for source in scope.sources:
                    if star and source.name != star:
                        continue
                    if source.outputs is None:
                        return None
                    found.extend(source.outputs)
                continue
            inner = unwrap(item.this if isinstance(item, exp.Alias) else item)
            origin = scope.origin(inner) if isinstance(inner, exp.Column) else None
            name = item.alias.lower() if isinstance(item, exp.Alias) else None
            if name is None and isinstance(inner, exp.Column):
                name = inner.name.lower()
            found.append(Output(name, origin))
        return tuple(found)


def star_table(item: exp.Expr) -> str | None:
    """ "" for ``*``, the qualifier in lower case for ``t.*``, None for any other select item."""
    if isinstance(item, exp.Star):
        return ""
    if isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
        return item.table.lower()
    return None


def unwrap(node: exp.Expr) -> exp.Expr:
    """The expression inside any parentheses."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def _renamed(outputs: tuple[Output, ...] | None, names: list[str]) -> tuple[Output, ...] | None:
    if not names:
        return outputs
    if outputs is None:
        return tuple(Output(name, None) for name in names)
    return tuple(Output(name, output.origin) for name, output in zip(names, outputs, strict=False))
