"""Another column of the same table."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, identifier, similar
from distill.operators.scope import in_join_condition, resolve

_MOST = 4


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each column outside join conditions by up to four others of its table, those of the same kind first."""
    for node in tree.find_all(exp.Column):
        reference = None if in_join_condition(node) else resolve(node, context.schema)
        if reference is None:
            continue
        at = reference.table.columns.index(reference.column)
        others = [c for c in reference.table.columns if c is not reference.column]
        others.sort(
            key=lambda c: (
                not similar(c.affinity, reference.column.affinity),
                abs(reference.table.columns.index(c) - at),
            )
        )
        for other in others[:_MOST]:
            copy, found = edit(tree, node)
            found.set("this", identifier(other.name))
            yield copy


OPERATOR = Operator(
    "column",
    Family.COLUMNS,
    (
        Example(
            "SELECT name FROM club",
            (
                "SELECT city FROM club",
                "SELECT id FROM club",
                "SELECT founded FROM club",
            ),
        ),
        Example(
            "SELECT count(*) FROM player AS p WHERE p.age > 20",
            ("SELECT COUNT(*) FROM player AS p WHERE p.height > 20",),
        ),
        Example("SELECT count(*) FROM player AS p JOIN club AS c ON p.club_id = c.id"),
    ),
    apply,
)
