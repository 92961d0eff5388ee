"""A table swapped for one that is joined in the same places, though its columns have other names."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from sqlglot import exp

from distill.operators.base import (
    Context,
    Example,
    Family,
    Operator,
    aliased_sources,
    edit,
    identifier,
    selects,
    similar,
)
from distill.operators.scope import owned_columns, sources
from testsuite.schema.model import Column, Schema, Table

_MOST = 2
_LIKE = 0.3


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each base table by up to two that lack some column used of it; each such column becomes the one most alike in
    name among those of its kind, and a key or reference becomes the column that refers to the same table.
    """
    for select in selects(tree):
        owned = owned_columns(select, context.schema)
        tables = sources(select, context.schema)
        present = {table.name for table in tables.values() if table is not None}
        for source in aliased_sources(select):
            alias = source.alias_or_name.lower()
            table = tables.get(alias)
            if table is None:
                continue
            used = {r.column.name.lower(): r.column for _, r in owned if r.alias == alias}
            ranked = []
            for place, other in enumerate(context.schema.tables):
                if other.name in present or not used or all(name in other for name in used):
                    continue
                named = {name: _counterpart(column, table, other, context.schema) for name, column in used.items()}
                if all(found is not None for found in named.values()):
                    score = sum(found[1] for found in named.values() if found is not None) / len(named)
                    ranked.append((-score, place, other, {n: f[0] for n, f in named.items() if f is not None}))
            for _, _, other, names in sorted(ranked, key=lambda one: one[:2])[:_MOST]:
                yield _swapped(tree, select, source, alias, other, names, context)


def _counterpart(column: Column, table: Table, other: Table, schema: Schema) -> tuple[str, float] | None:
    """The column of ``other`` most like this one, and how like it is, 0 to 1; None where none is of its kind."""
    targets = _targets(table, column.name)
    best: tuple[str, float] | None = None
    for candidate in other.columns:
        if not similar(candidate.affinity, column.affinity):
            continue
        alike = SequenceMatcher(None, candidate.name.lower(), column.name.lower()).ratio()
        if targets & _targets(other, candidate.name):
            alike += 1
        if alike >= _LIKE and (best is None or alike > best[1]):
            best = (candidate.name, alike)
    return best


def _targets(table: Table, column: str) -> set[str]:
    """The tables whose key a column holds: its own, where it is the key, and those it refers to."""
    found = {k.parent.lower() for k in table.foreign_keys if [c.lower() for c in k.columns] == [column.lower()]}
    if [c.lower() for c in table.primary_key] == [column.lower()]:
        found.add(table.name.lower())
    return found


def _swapped(
    tree: exp.Expr,
    select: exp.Select,
    source: exp.Expr,
    alias: str,
    other: Table,
    names: dict[str, str],
    context: Context,
) -> exp.Expr:
    copy, found = edit(tree, source)
    outer = found.find_ancestor(exp.Select)
    assert outer is not None
    for node, reference in owned_columns(outer, context.schema):
        if reference.alias == alias:
            node.set("this", identifier(names[reference.column.name.lower()]))
            if node.table and not source.alias:
                node.set("table", identifier(other.name))
    found.set("this", identifier(other.name))
    return copy


OPERATOR = Operator(
    "similar table",
    Family.TABLES,
    (
        Example(
            "SELECT c.name FROM club AS c JOIN player AS p ON c.id = p.loan_club_id",
            ("SELECT c.name FROM club AS c JOIN coach AS p ON c.id = p.club_id",),
        ),
        Example("SELECT height FROM player"),
    ),
    apply,
)
