"""The gold says nothing on any instance: every query that also gives nothing is called equal."""

from __future__ import annotations

from collections.abc import Iterator

from testsuite.doctor.findings.base import Finding, Found, Subject
from testsuite.doctor.records import Severity


def _find(subject: Subject) -> Iterator[Found]:
    if subject.low is None or not subject.usable.any() or subject.informative.any():
        return
    what = "all NULL" if subject.low.rows else "empty"
    determined = int(subject.usable.sum())
    yield Severity.WARNING, f"{what} on every instance ({determined} of {subject.low.instances} determined)"


EMPTY = Finding("empty", "the answer is empty or all NULL on every instance", _find)
