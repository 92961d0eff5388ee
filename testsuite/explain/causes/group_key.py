"""GROUP BY is missing, too many, or by something else."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "group"


CAUSE = Cause("group_key", "group key", _matches)
