"""The same values are compared by another operator (``=``, ``<>``, ``<``, LIKE ..)."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "operator"


CAUSE = Cause("comparison", "another comparison", _matches)
