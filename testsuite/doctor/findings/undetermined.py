"""SQL leaves the gold's answer a choice: a tied inner LIMIT, a bare column beside an aggregate ..."""

from __future__ import annotations

from collections.abc import Iterator

from testsuite.doctor.findings.base import Finding, Found, Subject, share
from testsuite.doctor.records import Severity


def _find(subject: Subject) -> Iterator[Found]:
    if subject.low is None or not subject.open_choices:
        return
    constructs = ", ".join(subject.open_choices)
    count = subject.low.instances
    runs = count - len(subject.failed)
    opened = runs - int(subject.usable.sum())
    if not opened:
        yield Severity.NOTE, f"{constructs}: leaves a choice that changes the answer on no instance"
        return
    severity = Severity.ERROR if opened == runs else Severity.WARNING
    yield severity, f"{constructs}: the choice changes the answer on {share(opened, count)}"


UNDETERMINED = Finding("undetermined", "SQL leaves a choice open inside the query", _find)
