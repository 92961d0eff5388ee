"""LIMIT is missing, too many or another number, or only one of the two keeps all rows that tie for the first place."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit, is_extreme


def _matches(edit: Edit) -> bool:
    if edit.place == "limit":
        return True
    if edit.kind in ("missing", "extra"):
        return is_extreme(edit.gold) or is_extreme(edit.predicted)
    # Where only one of the two cuts its answer, its ORDER BY says what is kept, not how rows stand.
    return edit.place == "order" and edit.kind == "order" and edit.limits_differ and None in (edit.gold, edit.predicted)


CAUSE = Cause("limit_or_ties", "limit or ties", _matches)
