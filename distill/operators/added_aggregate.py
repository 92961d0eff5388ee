"""A total where the rows were asked for, and the rows where a total was."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import (
    Context,
    Example,
    Family,
    Operator,
    aggregates,
    bare,
    edit,
    replaced,
    selects,
)
from distill.operators.scope import resolve
from distill.operators.surgery import is_key
from testsuite.schema.model import Affinity

_MOST = 2


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """In a SELECT of columns only, up to two numbers summed with the other columns as group keys; an aggregated column
    of a SELECT without GROUP BY as the column itself. Not where a key is selected: each row is its own group then.
    """
    for select in selects(tree):
        items = [bare(item) for item in select.expressions]
        if select.args.get("group") or select.args.get("distinct") or not items:
            continue
        if any(aggregates(item) for item in items):
            for node in [n for item in items for n in aggregates(item) if isinstance(n.this, exp.Column)]:
                if len(items) == 1 and node.parent in (select, select.expressions[0]):
                    yield replaced(tree, node, node.this.copy())
            continue
        if select is not tree or select.args.get("order") or not all(isinstance(i, exp.Column) for i in items):
            continue
        made = 0
        for number, item in enumerate(items):
            reference = resolve(item, context.schema) if isinstance(item, exp.Column) else None
            if reference is None or made == _MOST or reference.column.affinity in (Affinity.TEXT, Affinity.BLOB):
                continue
            if is_key(reference.table, [bare(other).name for other in items if isinstance(bare(other), exp.Column)]):
                continue
            copy, found = edit(tree, select)
            found.expressions[number].replace(exp.Sum(this=item.copy()))
            others = [other.copy() for other in items if other is not item]
            if others:
                found.set("group", exp.Group(expressions=others))
            made += 1
            yield copy


OPERATOR = Operator(
    "aggregate for rows",
    Family.FUNCTIONS,
    (
        Example(
            "SELECT name, age FROM player WHERE club_id = 1",
            ("SELECT name, SUM(age) FROM player WHERE club_id = 1 GROUP BY name",),
        ),
        Example("SELECT avg(age) FROM player", ("SELECT age FROM player",)),
        Example("SELECT id, age FROM player"),
        Example("SELECT name, city FROM club"),
    ),
    apply,
)
