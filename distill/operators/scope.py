"""Which table a column of a query belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from distill.operators.base import aliased_sources
from testsuite.schema.model import Column, Schema, Table


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a column of a query comes from. ``alias`` is as written in the SELECT that owns the source."""

    select: exp.Select
    alias: str
    table: Table
    column: Column

    @property
    def key(self) -> tuple[str, str]:
        """(table, column) in lower case."""
        return self.table.name.lower(), self.column.name.lower()


def sources(select: exp.Select, schema: Schema) -> dict[str, Table | None]:
    """Alias (lower case) of every FROM and JOIN source, in order, with its table; None for anything derived."""
    found: dict[str, Table | None] = {}
    for source in aliased_sources(select):
        name = source.alias_or_name
        table = None
        if isinstance(source, exp.Table) and source.name in schema and not _is_cte(source):
            table = schema.table(source.name)
        found[name.lower()] = table
    return found


def _is_cte(source: exp.Table) -> bool:
    node: exp.Expr | None = source
    while node is not None:
        with_ = node.args.get("with_")
        if with_ and any(cte.alias.lower() == source.name.lower() for cte in with_.expressions):
            return True
        node = node.parent
    return False


def resolve(node: exp.Column, schema: Schema) -> Reference | None:
    """The base-table column a node refers to; None where it is an alias, derived, ambiguous or unknown."""
    if not isinstance(node.this, exp.Identifier):
        return None
    name, qualifier = node.name.lower(), node.table.lower()
    query = node.find_ancestor(exp.Query)
    if not qualifier and isinstance(query, exp.Select) and _names_an_item(node, query):
        return None
    while query is not None:
        if isinstance(query, exp.Select):
            tables = sources(query, schema)
            if qualifier:
                if qualifier in tables:
                    table = tables[qualifier]
                    if table is None or name not in table:
                        return None
                    return Reference(query, qualifier, table, table.column(name))
            else:
                if None in tables.values():
                    return None
                owners = [(a, t) for a, t in tables.items() if t is not None and name in t]
                if len(owners) > 1:
                    return None
                if owners:
                    alias, owner = owners[0]
                    return Reference(query, alias, owner, owner.column(name))
        if isinstance(query, exp.SetOperation) and query is node.find_ancestor(exp.Query):
            return None
        query = _outer(query)
    return None


def _outer(query: exp.Expr) -> exp.Query | None:
    """The query around this one whose sources it can see: a subquery in FROM does not see its siblings."""
    node: exp.Expr = query
    inside_from = False
    while node.parent is not None:
        inside_from |= isinstance(node.parent, exp.From) or (
            isinstance(node.parent, exp.Join) and node.arg_key == "this"
        )
        node = node.parent
        if isinstance(node, exp.Select):
            if not inside_from:
                return node
            inside_from = False
        elif isinstance(node, exp.SetOperation):
            return node
    return None


def _names_an_item(node: exp.Column, select: exp.Select) -> bool:
    """True for an ORDER BY term that is the alias of a select item: SQLite takes the alias first there."""
    ordered = node.parent
    if not isinstance(ordered, exp.Ordered) or not isinstance(ordered.parent, exp.Order):
        return False
    return any(isinstance(i, exp.Alias) and i.alias.lower() == node.name.lower() for i in select.expressions)


def owned_columns(select: exp.Select, schema: Schema) -> list[tuple[exp.Column, Reference]]:
    """Resolved columns standing anywhere in ``select`` (its subqueries too) that belong to its own sources."""
    found = []
    for node in select.find_all(exp.Column):
        reference = resolve(node, schema)
        if reference is not None and reference.select is select:
            found.append((node, reference))
    return found


def joins_columns(node: exp.Expr | None) -> bool:
    """True for an equality of two columns, the usual join condition."""
    return isinstance(node, exp.EQ) and isinstance(node.this, exp.Column) and isinstance(node.expression, exp.Column)


def in_join_condition(node: exp.Column) -> bool:
    """True for a column that stands in an equality of two columns."""
    return joins_columns(node.parent)


_LOOSER_THAN_NOT = (exp.And, exp.Or, exp.Where, exp.Having, exp.Paren, exp.Join, exp.If)


def prepare(tree: exp.Expr, schema: Schema) -> exp.Expr:
    """A copy of a parsed query, of the same meaning, in the form that operators expect.

    Double-quoted words that name no column become string literals, as SQLite reads them
    (https://sqlite.org/quirks.html, "Double-quoted String Literals Are Accepted"), and ``x NOT LIKE y`` becomes
    NOT around LIKE, the form all other negations have.
    """
    copy = tree.copy()
    for like in list(copy.find_all(exp.Like)):
        if like.args.get("negate") and isinstance(like.parent, _LOOSER_THAN_NOT):
            like.replace(exp.Not(this=exp.Like(this=like.this, expression=like.expression)))
    names = {item.alias.lower() for item in copy.find_all(exp.Alias)}
    derived = any(isinstance(s, exp.Subquery) for q in copy.find_all(exp.Select) for s in aliased_sources(q))
    known = {c.name.lower() for _, c in schema.columns()}
    for node in list(copy.find_all(exp.Column)):
        if not (isinstance(node.this, exp.Identifier) and node.this.args.get("quoted")) or node.table:
            continue
        name = node.name.lower()
        if name in names or (derived and name in known):
            continue
        if name not in known or not _in_scope(node, schema):
            node.replace(exp.Literal.string(node.name))
    return copy


def _in_scope(node: exp.Column, schema: Schema) -> bool:
    name = node.name.lower()
    query = node.find_ancestor(exp.Query)
    while query is not None:
        if isinstance(query, exp.Select):
            for table in sources(query, schema).values():
                if table is None or name in table:
                    return True
        elif isinstance(query, exp.SetOperation) and query is node.find_ancestor(exp.Query):
            return True
        query = _outer(query)
    return False
