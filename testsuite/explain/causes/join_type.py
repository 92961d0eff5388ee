"""The same tables, one of them joined LEFT, NATURAL or plainly where it is not in the other."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "join_type"


CAUSE = Cause("join_type", "join type", _matches)
