"""A select item missing or too many."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import (
    Context,
    Example,
    Family,
    Operator,
    aggregates,
    aliased_sources,
    bare,
    column,
    edit,
    selects,
)
from distill.operators.scope import sources


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each item of the outermost SELECT dropped; one added: a group key, a sort key, the primary key."""
    if not isinstance(tree, exp.Select):
        return
    items = [bare(item) for item in tree.expressions]
    if len(items) > 1:
        for index in range(len(items)):
            copy, found = edit(tree, tree)
            found.expressions[index].pop()
            yield copy
    for extra in _extras(tree, context):
        if extra not in items and not any(item.is_star for item in items):
            copy, found = edit(tree, tree)
            found.append("expressions", extra)
            yield copy


def _extras(select: exp.Select, context: Context) -> Iterator[exp.Expr]:
    for clause in ("group", "order"):
        if select.args.get(clause):
            for term in select.args[clause].expressions:
                key = term.this if isinstance(term, exp.Ordered) else term
                if not isinstance(key, exp.Literal):
                    yield key.copy()
    for source in aliased_sources(select)[:1]:
        table = sources(select, context.schema).get(source.alias_or_name.lower())
        if table and table.primary_key and not any(aggregates(i) for i in select.expressions):
            several = len(list(selects(select))) > 1 or bool(select.args.get("joins"))
            yield column(source.alias_or_name if several else None, table.primary_key[0])


OPERATOR = Operator(
    "select item",
    Family.COLUMNS,
    (
        Example(
            "SELECT name, city FROM club",
            (
                "SELECT city FROM club",
                "SELECT name FROM club",
                "SELECT name, city, id FROM club",
            ),
        ),
        Example("SELECT name FROM player ORDER BY age", ("SELECT name, age FROM player ORDER BY age",)),
        Example("SELECT count(*) FROM club"),
    ),
    apply,
)
