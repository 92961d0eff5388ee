"""The literals that queries compare columns with."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from distill.operators.base import COMPARISONS
from distill.operators.scope import resolve
from testsuite.schema.model import Schema


def constants_by_column(trees: Iterable[exp.Expr], schema: Schema) -> dict[tuple[str, str], tuple[exp.Literal, ...]]:
    """(table, column), lower case, to its distinct literals in order of appearance. Columns may share constants
    with those they are compared through: only direct comparisons count.
    """
    found: dict[tuple[str, str], dict[tuple[str, bool], exp.Literal]] = {}
    for tree in trees:
        for node in tree.find_all(*COMPARISONS, exp.In):
            if isinstance(node, exp.In):
                sides, values = [node.this], list(node.expressions)
            else:
                sides = values = [node.this, node.expression]
            for side in sides:
                reference = resolve(side, schema) if isinstance(side, exp.Column) else None
                if reference is None:
                    continue
                for value in values:
                    if isinstance(value, exp.Literal):
                        known = found.setdefault(reference.key, {})
                        known.setdefault((str(value.this), bool(value.is_string)), value.copy())
    return {key: tuple(values.values()) for key, values in found.items()}
