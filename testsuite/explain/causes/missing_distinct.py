"""The gold leaves repeated rows out, the prediction does not."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "distinct" and edit.gold is not None


CAUSE = Cause("missing_distinct", "DISTINCT is missing", _matches)
