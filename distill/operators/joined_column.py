"""A column of the same name, or of the same kind, in another joined table."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, aliased_sources, column, replaced, similar
from distill.operators.scope import in_join_condition, resolve, sources

_MOST = 2


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each column by the column of that name of every other source, else by two of the same kind."""
    for node in tree.find_all(exp.Column):
        reference = None if in_join_condition(node) else resolve(node, context.schema)
        if reference is None:
            continue
        written = {s.alias_or_name.lower(): s.alias_or_name for s in aliased_sources(reference.select)}
        for alias, table in sources(reference.select, context.schema).items():
            if table is None or alias == reference.alias:
                continue
            if reference.column.name in table:
                names = [table.column(reference.column.name).name]
            else:
                names = [c.name for c in table.columns if similar(c.affinity, reference.column.affinity)][:_MOST]
            for name in names:
                yield replaced(tree, node, column(written[alias], name))


OPERATOR = Operator(
    "joined column",
    Family.COLUMNS,
    (
        Example(
            "SELECT p.name FROM player AS p JOIN club AS c ON p.club_id = c.id",
            ("SELECT c.name FROM player AS p JOIN club AS c ON p.club_id = c.id",),
        ),
        Example(
            "SELECT p.born FROM player AS p JOIN club AS c ON p.club_id = c.id",
            ("SELECT c.city FROM player AS p JOIN club AS c ON p.club_id = c.id",),
        ),
        Example("SELECT name FROM player"),
    ),
    apply,
)
