"""The same conditions, joined by AND in one and by OR in the other."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "connector"


CAUSE = Cause("connector", "AND for OR", _matches)
