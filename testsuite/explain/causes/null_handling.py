"""A test for NULL is missing, too many, or another one."""

from __future__ import annotations

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit, is_null_test


def _matches(edit: Edit) -> bool:
    return edit.place in ("where", "having") and (is_null_test(edit.gold) or is_null_test(edit.predicted))


CAUSE = Cause("null_handling", "NULL handled otherwise", _matches)
