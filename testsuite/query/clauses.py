"""Which clauses a gold uses, anywhere in it: what accuracies are broken down by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from sqlglot import exp

from testsuite.query.parse import Unparsed, parse

NONE, UNREAD = "none of these", "unread"


def _nested(tree: exp.Expr) -> bool:
    return any(
        not isinstance(select.parent, exp.SetOperation) and select.parent is not None
        for select in tree.find_all(exp.Select)
    )


def _has(*kinds: type[exp.Expr]) -> Callable[[exp.Expr], bool]:
    return lambda tree: tree.find(*kinds) is not None


CLAUSES: Mapping[str, Callable[[exp.Expr], bool]] = {
    "aggregate": _has(exp.AggFunc),
    "distinct": _has(exp.Distinct),
    "join": _has(exp.Join),
    "where": _has(exp.Where),
    "or": _has(exp.Or),
    "group by": _has(exp.Group),
    "having": _has(exp.Having),
    "order by": _has(exp.Order),
    "limit": _has(exp.Limit),
    "set operation": _has(exp.SetOperation),
    "nested query": _nested,
}
"""By name, whether a tree holds the clause. A query with several counts under each."""


COMPONENT_NAMES = (NONE, *CLAUSES, UNREAD)
"""All that ``clauses`` may give, in order."""


@lru_cache(maxsize=4096)
def clauses(sql: str) -> tuple[str, ...]:
    """Names of the clauses a query uses, in the order of ``CLAUSES``.

    ``NONE`` alone where it uses none of them, ``UNREAD`` alone where it is not read.
    """
    try:
        tree = parse(sql)
        return tuple(name for name, holds in CLAUSES.items() if holds(tree)) or (NONE,)
    except (Unparsed, RecursionError):
        return (UNREAD,)
