"""The prediction leaves repeated rows out, the gold does not."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "distinct" and edit.gold is None


CAUSE = Cause("extra_distinct", "DISTINCT too many", _matches)
