"""A table swapped for one that has the columns used."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, aliased_sources, edit, identifier, selects
from distill.operators.scope import owned_columns, sources

_MOST = 3


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each base table by up to three others that have every column used of it."""
    for select in selects(tree):
        owned = owned_columns(select, context.schema)
        tables = sources(select, context.schema)
        for source in aliased_sources(select):
            alias = source.alias_or_name.lower()
            table = tables.get(alias)
            if table is None:
                continue
            used = {r.column.name for _, r in owned if r.alias == alias}
            others = [t for t in context.schema.tables if t is not table and all(c in t for c in used)]
            for other in others[:_MOST]:
                copy, found = edit(tree, source)
                found.set("this", identifier(other.name))
                if not source.alias and any(n.table for n, r in owned if r.alias == alias):
                    found.set("alias", exp.TableAlias(this=identifier(table.name)))
                yield copy


OPERATOR = Operator(
    "table",
    Family.TABLES,
    (
        Example("SELECT name, age FROM player", ("SELECT name, age FROM coach",)),
        Example("SELECT height FROM player"),
    ),
    apply,
)
