"""What a subquery says in one is said in another way in the other, or not at all."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit, has_query


def _matches(edit: Edit) -> bool:
    return edit.place in ("where", "having") and (has_query(edit.gold) != has_query(edit.predicted))


CAUSE = Cause("subquery", "subquery", _matches)
