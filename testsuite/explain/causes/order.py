"""ORDER BY is missing, too many, by something else or the other way round."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.place == "order"


CAUSE = Cause("order", "order", _matches)
