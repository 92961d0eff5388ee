"""UNION, INTERSECT or EXCEPT is missing, too many or another one."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.place == "set"


CAUSE = Cause("set_operation", "set operation", _matches)
