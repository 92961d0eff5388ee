"""Causes of wrong predictions, one per file. The first of ``CAUSES`` that knows an edit names it."""

from testsuite.explain.causes import (
    aggregate,
    boundary,
    comparison,
    condition,
    condition_column,
    connector,
    count_distinct,
    extra_condition,
    extra_distinct,
    group_key,
    join_condition,
    join_path,
    join_type,
    limit_or_ties,
    literal,
    missing_condition,
    missing_distinct,
    negation,
    null_handling,
    order,
    select_columns,
    set_operation,
    subquery,
)
from testsuite.explain.causes.base import Cause
from testsuite.explain.causes.unrun import TITLES, cause_of_fate
from testsuite.explain.edits import Edit

CAUSES: tuple[Cause, ...] = (
    missing_distinct.CAUSE,
    extra_distinct.CAUSE,
    count_distinct.CAUSE,
    null_handling.CAUSE,
    limit_or_ties.CAUSE,
    boundary.CAUSE,
    comparison.CAUSE,
    negation.CAUSE,
    literal.CAUSE,
    connector.CAUSE,
    subquery.CAUSE,
    missing_condition.CAUSE,
    extra_condition.CAUSE,
    aggregate.CAUSE,
    condition_column.CAUSE,
    condition.CAUSE,
    join_path.CAUSE,
    join_type.CAUSE,
    join_condition.CAUSE,
    group_key.CAUSE,
    order.CAUSE,
    select_columns.CAUSE,
    set_operation.CAUSE,
)
OTHER = "expression"


def name_of(edit: Edit) -> str:
    """The name of the cause that an edit is of; ``expression`` for one that none knows."""
    return next((cause.name for cause in CAUSES if cause.matches(edit)), OTHER)


def title_of(name: str) -> str:
    """What people read for a cause's name; the name itself where it is not known."""
    titles = {cause.name: cause.title for cause in CAUSES} | TITLES | {OTHER: "another expression"}
    return titles.get(name, name)


__all__ = ["CAUSES", "Cause", "cause_of_fate", "name_of", "title_of"]
