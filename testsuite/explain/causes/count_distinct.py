"""One counts (or sums ..) each value once, the other every row."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "count_distinct"


CAUSE = Cause("count_distinct", "DISTINCT inside an aggregate", _matches)
