"""The prediction asks for one that the gold does not."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "extra"


CAUSE = Cause("extra_condition", "a condition too many", _matches)
