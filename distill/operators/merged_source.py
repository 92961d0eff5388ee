"""A table that plays two roles joined only once."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, aliased_sources, edit, identifier, selects
from distill.operators.scope import sources
from distill.operators.surgery import drop_source, join_conditions, qualify


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each second occurrence of a table in a join dropped; its columns become those of the first."""
    for select in selects(tree):
        tables = list(sources(select, context.schema).values())
        if len(tables) != len(aliased_sources(select)):
            continue
        for second, table in enumerate(tables):
            first = next(i for i, other in enumerate(tables) if other is table)
            if table is not None and first != second:
                copy, found = edit(tree, select)
                assert isinstance(found, exp.Select)
                _merge(found, first, second, context)
                yield copy


def _merge(select: exp.Select, first: int, second: int, context: Context) -> None:
    qualify(select, context.schema)
    written = [source.alias_or_name for source in aliased_sources(select)]
    for node in select.find_all(exp.Column):
        if node.table.lower() == written[second].lower():
            node.set("table", identifier(written[first]))
    kept = [part.copy() for part in join_conditions(select)]
    kept = [part for part in kept if not (isinstance(part, exp.EQ) and part.this == part.expression)]
    drop_source(select, second, kept)


OPERATOR = Operator(
    "merged roles",
    Family.TABLES,
    (
        Example(
            "SELECT p.name FROM player AS p JOIN club AS c ON p.club_id = c.id JOIN club AS l ON p.loan_club_id = l.id "
            "WHERE l.city = 'Rome'",
            (
                "SELECT p.name FROM player AS p JOIN club AS c ON p.club_id = c.id AND p.loan_club_id = c.id "
                "WHERE c.city = 'Rome'",
            ),
        ),
        Example("SELECT p.name FROM player AS p JOIN club AS c ON p.club_id = c.id"),
    ),
    apply,
)
