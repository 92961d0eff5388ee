"""Hardness of a gold query: easy, medium, hard or extra, from what its parsed form holds."""

from __future__ import annotations

from typing import Literal, TypeAlias

from testsuite.official.structure import NO_AGGREGATE, Condition, Query

Hardness: TypeAlias = Literal["easy", "medium", "hard", "extra", "unknown"]
LEVELS: tuple[Hardness, ...] = ("easy", "medium", "hard", "extra", "unknown")
"""In order; `unknown` is for a gold the published parser does not take (it would have ended the script's run)."""


def hardness(query: Query | None) -> Hardness:
    """Hardness of a parsed gold; `unknown` for None."""
    if query is None:
        return "unknown"
    parts, nested, others = _parts(query), _nested(query), _others(query)
    if parts <= 1 and others == 0 and nested == 0:
        return "easy"
    if nested == 0 and ((others <= 2 and parts <= 1) or (parts <= 2 and others < 2)):
        return "medium"
    if (
        (others > 2 and parts <= 2 and nested == 0)
        or (2 < parts <= 3 and others <= 2 and nested == 0)
        or (parts <= 1 and others == 0 and nested <= 1)
    ):
        return "hard"
    return "extra"


def _parts(query: Query) -> int:
    return (
        bool(query.where)
        + bool(query.groups)
        + (query.order is not None)
        + query.limit
        + max(len(query.units) - 1, 0)
        + tuple(query.connectives()).count("or")
        + sum(isinstance(entry, Condition) and entry.comparison == "like" for entry in query.conditions())
    )


def _nested(query: Query) -> int:
    in_conditions = sum(len(entry.nested()) for entry in query.conditions() if isinstance(entry, Condition))
    return in_conditions + len(query.branches())


def _others(query: Query) -> int:
    return (_aggregates(query) > 1) + (len(query.items) > 1) + (len(query.where) > 1) + (len(query.groups) > 1)


def _aggregates(query: Query) -> int:
    """What the script counts as aggregates: a tuple whose first field is not the first of its kind.

    So a negated condition counts, and in HAVING a connective too, while an aggregate in a condition does not.
    """
    order = () if query.order is None else query.order.items
    return (
        sum(item.aggregate != NO_AGGREGATE for item in query.items)
        + sum(not isinstance(entry, Condition) or entry.negated for entry in query.where[::2])
        + sum(unit.aggregate != NO_AGGREGATE for unit in query.groups)
        + sum(unit.aggregate != NO_AGGREGATE for item in order for unit in item.columns())
        + sum(not isinstance(entry, Condition) or entry.negated for entry in query.having)
    )
