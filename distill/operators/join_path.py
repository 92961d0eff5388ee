"""A join over the wrong columns: another foreign key between the tables, or equally named columns."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit, identifier, similar
from distill.operators.scope import Reference, joins_columns, resolve

_MOST = 3


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each side of a join equality by another key-like column of its table; both sides by another foreign key."""
    for node in tree.find_all(exp.EQ):
        if not joins_columns(node):
            continue
        left, right = (resolve(side, context.schema) for side in (node.this, node.expression))
        if left is None or right is None or (left.select is right.select and left.alias == right.alias):
            continue
        for one, two in _foreign_pairs(left, right):
            if (one, two) != (left.key[1], right.key[1]):
                copy, found = edit(tree, node)
                found.this.set("this", identifier(left.table.column(one).name))
                found.expression.set("this", identifier(right.table.column(two).name))
                yield copy
        for side, reference in (("this", left), ("expression", right)):
            for name in _key_like(reference)[:_MOST]:
                copy, found = edit(tree, node)
                found.args[side].set("this", identifier(name))
                yield copy


def _foreign_pairs(left: Reference, right: Reference) -> list[tuple[str, str]]:
    found = []
    for child, parent, turned in ((left, right, False), (right, left, True)):
        for key in child.table.foreign_keys:
            if key.parent.lower() == parent.table.name.lower() and len(key.columns) == 1:
                pair = (key.columns[0].lower(), key.parent_columns[0].lower())
                found.append(pair[::-1] if turned else pair)
    return list(dict.fromkeys(found))


def _key_like(reference: Reference) -> list[str]:
    table = reference.table
    keys = [c for k in table.foreign_keys for c in k.columns] + list(table.primary_key)
    keys += [c.name for c in table.columns if c.name.lower().endswith("id")]
    own = reference.column
    return [
        name
        for name in dict.fromkeys(table.column(k).name for k in keys if k in table)
        if name != own.name and similar(table.column(name).affinity, own.affinity)
    ]


OPERATOR = Operator(
    "join path",
    Family.TABLES,
    (
        Example(
            "SELECT p.name FROM player AS p JOIN club AS c ON p.club_id = c.id",
            (
                "SELECT p.name FROM player AS p JOIN club AS c ON p.loan_club_id = c.id",
                "SELECT p.name FROM player AS p JOIN club AS c ON p.id = c.id",
            ),
        ),
        Example("SELECT name FROM player WHERE age = 3"),
    ),
    apply,
)
