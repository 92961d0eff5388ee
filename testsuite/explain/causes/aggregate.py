"""Another aggregate function, an aggregate of something else, or one where the other has none."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "aggregate" or (edit.kind in ("column", "expression") and "argument" in edit.key)


CAUSE = Cause("aggregate", "aggregate", _matches)
