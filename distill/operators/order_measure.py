"""The group with the most rows against the group with the largest total, and the largest row against either."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, aggregates, column, edit, selects, with_arg
from distill.operators.scope import sources
from distill.operators.superlative_group import unaliased
from testsuite.schema.model import Affinity, Table

_MOST = 3


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """``ORDER BY count(*)`` by the sum of a measure of any joined table, by its average, and by itself; in groups
    ``ORDER BY m`` by the sum of ``m`` and by ``count(*)``; over joined rows by the sum of ``m`` in groups of one key.

    A measure is a column of numbers that is neither a key nor a reference. The key may be written as the name of a
    select item; SELECTs at any depth are looked at.
    """
    for select in selects(tree):
        order = select.args.get("order")
        if not order or len(order.expressions) != 1:
            continue
        term = order.expressions[0]
        found = sources(select, context.schema)
        key = unaliased(term.this, select)
        if select.args.get("group") and aggregates(key):
            for measure in _measures(found)[:_MOST]:
                for new in (exp.Sum(this=measure.copy()), exp.Avg(this=measure.copy()), measure.copy()):
                    if new != key:
                        yield with_arg(tree, term, "this", new)
        elif select.args.get("group") and isinstance(key, exp.Column) and key not in select.args["group"].expressions:
            yield with_arg(tree, term, "this", exp.Sum(this=key.copy()))
            yield with_arg(tree, term, "this", exp.Count(this=exp.Star(), big_int=True))
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
                measures.append(column(alias if len(found) > 1 else None, one.name))
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
        Example(
            "SELECT city FROM club WHERE id = (SELECT club_id FROM player GROUP BY club_id ORDER BY count(*) LIMIT 1)",
            (
                "SELECT city FROM club WHERE id = "
                "(SELECT club_id FROM player GROUP BY club_id ORDER BY SUM(age) LIMIT 1)",
                "SELECT city FROM club WHERE id = (SELECT club_id FROM player GROUP BY club_id ORDER BY age LIMIT 1)",
            ),
        ),
        Example(
            "SELECT club_id, count(*) AS n FROM player GROUP BY club_id ORDER BY n DESC LIMIT 1",
            ("SELECT club_id, COUNT(*) AS n FROM player GROUP BY club_id ORDER BY SUM(age) DESC LIMIT 1",),
        ),
        Example(
            "SELECT club_id FROM player GROUP BY club_id ORDER BY age DESC LIMIT 1",
            (
                "SELECT club_id FROM player GROUP BY club_id ORDER BY SUM(age) DESC LIMIT 1",
                "SELECT club_id FROM player GROUP BY club_id ORDER BY COUNT(*) DESC LIMIT 1",
            ),
        ),
        Example("SELECT name FROM player ORDER BY age DESC LIMIT 3"),
    ),
    apply,
)
