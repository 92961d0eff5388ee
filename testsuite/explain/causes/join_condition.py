"""The same tables joined on other columns."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "join_condition"


CAUSE = Cause("join_condition", "join condition", _matches)
