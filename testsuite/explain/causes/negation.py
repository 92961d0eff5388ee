"""NOT is missing or too many."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "negation"


CAUSE = Cause("negation", "negation", _matches)
