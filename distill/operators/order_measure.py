"""The group with the most rows against the group with the largest total, and the largest row against either."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, aggregates, column, edit, selects
from distill.operators.scope import sources
from testsuite.schema.model import Affinity, Table

_MOST = 3


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """``ORDER BY count(*)`` by the sum of a measure of any joined table, and ``ORDER BY m`` over joined rows by the sum
    of ``m`` in groups of one key.

    A measure is a column of numbers that is neither a key nor a reference.
    """
    for select in selects(tree):
        order = select.args.get("order")
        if not order or len(order.expressions) != 1:
            continue
        term = order.expressions[0]
        found = sources(select, context.schema)
        if select.args.get("group") and aggregates(term.this):
            for measure in _measures(found)[:_MOST]:
                for kind in (exp.Sum, exp.Avg):
                    key = kind(this=measure.copy())
                    if key != term.this:
                        copy, place = edit(tree, term)
                        place.set("this", key)
                        yield copy
        elif not select.args.get("group") and len(found) > 1 and isinstance(term.this, exp.Column):
            for group in _keys(found)[:_MOST]:
                copy, place = edit(tree, select)
                place.set("group", exp.Group(expressions=[group]))
                place.args["order"].expressions[0].set("this", exp.Sum(this=term.this.copy()))
                yield copy


def _measures(found: dict[str, Table | None]) -> list[exp.Column]:
    measures = []
    for alias, table in found.items():
        if table is None:
            continue
        linked = {name.lower() for key in table.foreign_keys for name in key.columns}
        linked |= {name.lower() for name in table.primary_key}
        for one in table.columns:
            if one.affinity not in (Affinity.TEXT, Affinity.BLOB) and one.name.lower() not in linked:
                measures.append(column(alias, one.name))
    # The tables joined last hold what is counted, the first ones what it is counted for.
    return measures[::-1]


def _keys(found: dict[str, Table | None]) -> list[exp.Column]:
    return [
        column(alias, table.primary_key[0])
        for alias, table in found.items()
        if table is not None and len(table.primary_key) == 1
    ]


OPERATOR = Operator(
    "order by measure",
    Family.CLAUSES,
    (
        Example(
            "SELECT c.name FROM club AS c JOIN player AS p ON c.id = p.club_id GROUP BY c.id "
            "ORDER BY count(*) DESC LIMIT 1",
            (
                "SELECT c.name FROM club AS c JOIN player AS p ON c.id = p.club_id GROUP BY c.id "
                "ORDER BY SUM(p.age) DESC LIMIT 1",
                "SELECT c.name FROM club AS c JOIN player AS p ON c.id = p.club_id GROUP BY c.id "
                "ORDER BY AVG(p.height) DESC LIMIT 1",
            ),
        ),
        Example(
            "SELECT c.name FROM club AS c JOIN player AS p ON c.id = p.club_id ORDER BY p.age DESC LIMIT 1",
            (
                "SELECT c.name FROM club AS c JOIN player AS p ON c.id = p.club_id GROUP BY c.id "
                "ORDER BY SUM(p.age) DESC LIMIT 1",
            ),
        ),
        Example("SELECT name FROM player ORDER BY age DESC LIMIT 3"),
    ),
    apply,
)
