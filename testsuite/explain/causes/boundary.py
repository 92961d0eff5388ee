"""``>`` for ``>=`` or ``<`` for ``<=``, or the other way round."""

from __future__ import annotations

from sqlglot import exp

from testsuite.explain.causes.base import Cause
from testsuite.explain.edits import Edit


def _matches(edit: Edit) -> bool:
    return edit.kind == "operator" and {type(edit.gold), type(edit.predicted)} in ({exp.GT, exp.GTE}, {exp.LT, exp.LTE})


CAUSE = Cause("boundary", "boundary of a comparison", _matches)
