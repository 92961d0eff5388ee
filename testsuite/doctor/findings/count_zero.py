"""COUNT over something that is never NULL where a count of matches was meant.

``COUNT(CASE WHEN x THEN id ELSE 0 END)``, ``COUNT(IIF(x, 1, 0))`` and ``COUNT(x > 1)`` count the rows that don't match
as well; SUM, or no ELSE, was meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from testsuite.doctor.findings.base import Finding, Found, Subject
from testsuite.doctor.records import Severity
from testsuite.query.scope import unwrap
from testsuite.query.text import render

_TESTS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.Between, exp.In, exp.Is, exp.And, exp.Or)


def _find(subject: Subject) -> Iterator[Found]:
    if subject.tree is None:
        return
    for count in subject.tree.find_all(exp.Count):
        counted = count.this
        if isinstance(counted, exp.Distinct) and len(counted.expressions) == 1:
            counted = counted.expressions[0]
        if not isinstance(counted, exp.Expr):
            continue
        counted = unwrap(counted)
        if _counts_all(counted):
            yield Severity.WARNING, f"{render(count)} counts rows that fail the condition too"


def _counts_all(counted: exp.Expr) -> bool:
    if isinstance(counted, exp.Case):
        return _counts_else([branch.args.get("true") for branch in counted.args["ifs"]], counted.args.get("default"))
    if isinstance(counted, exp.If):
        return _counts_else([counted.args.get("true")], counted.args.get("false"))
    return isinstance(counted, _TESTS)


def _counts_else(branches: list[exp.Expr | None], default: exp.Expr | None) -> bool:
    """Whether what matches no branch counts. A branch that is NULL shows that the author knew."""
    return _constant(default) and not any(isinstance(branch, exp.Null) for branch in branches)


def _constant(value: exp.Expr | None) -> bool:
    if isinstance(value, exp.Neg):
        value = value.this
    return isinstance(value, (exp.Literal, exp.Boolean))


COUNT_ZERO = Finding("count_zero", "COUNT of a condition counts the rows that fail it too", _find)
