"""The gold reads the clock: another day, another answer."""

from __future__ import annotations

from collections.abc import Iterator

from testsuite.doctor.findings.base import Finding, Found, Subject
from testsuite.doctor.records import Severity


def _find(subject: Subject) -> Iterator[Found]:
    if subject.clock:
        yield Severity.WARNING, "reads the clock; the answer here is that for the instant given by --now"


CLOCK = Finding("clock", "the answer depends on when the query runs", _find)
