"""Other columns are asked for, or more, or fewer."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.place == "select"


CAUSE = Cause("select_columns", "output columns", _matches)
