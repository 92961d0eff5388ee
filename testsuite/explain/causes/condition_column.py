"""A condition is about another column."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind in ("column", "expression") and edit.place in ("where", "having")


CAUSE = Cause("condition_column", "another column in a condition", _matches)
