"""The condition as a whole is another one."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind in ("condition", "predicate")


CAUSE = Cause("condition", "another condition", _matches)
