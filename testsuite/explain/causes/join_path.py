"""Other tables are joined."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "join_path"


CAUSE = Cause("join_path", "join path", _matches)
