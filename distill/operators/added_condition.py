"""A condition too many, with a constant that another gold uses."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import (
    Context,
    Example,
    Family,
    Operator,
    add_condition,
    aliased_sources,
    column,
    edit,
)
from distill.operators.scope import sources

_MOST = 3


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Up to three equalities of columns of the outermost SELECT's tables with their known constants."""
    if not isinstance(tree, exp.Select):
        return
    tables = sources(tree, context.schema)
    present = {node.name.lower() for node in tree.find_all(exp.Column)}
    made = 0
    for source in aliased_sources(tree):
        table = tables.get(source.alias_or_name.lower())
        for known in table.columns if table else ():
            key = (table.name.lower(), known.name.lower()) if table else ("", "")
            constants = context.constants.get(key, ())
            if not constants or key[1] in present or made == _MOST:
                continue
            copy, found = edit(tree, tree)
            assert isinstance(found, exp.Select)
            qualifier = source.alias_or_name if tree.args.get("joins") else None
            condition = exp.EQ(this=column(qualifier, known.name), expression=constants[0].copy())
            add_condition(found, condition)
            made += 1
            yield copy


OPERATOR = Operator(
    "added condition",
    Family.CONDITIONS,
    (
        Example("SELECT name FROM club", ("SELECT name FROM club WHERE city = 'Paris'",)),
        Example("SELECT name FROM coach"),
    ),
    apply,
)
