"""The gold asks for one more condition."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "missing"


CAUSE = Cause("missing_condition", "a condition is missing", _matches)
