"""A constant is not the gold's."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "literal"


CAUSE = Cause("literal", "another constant", _matches)
