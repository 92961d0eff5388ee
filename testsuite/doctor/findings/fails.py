"""The gold fails, times out, or can't be asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from testsuite.doctor.findings.base import Finding, Found, Subject, share
from testsuite.doctor.records import Severity


def _find(subject: Subject) -> Iterator[Found]:
    if subject.failure:
        yield Severity.ERROR, subject.failure
        return
    if subject.failed and subject.low is not None:
        messages = Counter(
            answer.errors[place]
            for answer in (subject.low, subject.high)
            if answer is not None
            for place in answer.errors
            if place in subject.failed
        )
        most, _ = messages.most_common(1)[0]
        yield Severity.ERROR, f"fails on {share(len(subject.failed), subject.low.instances)}: {most}"


FAILS = Finding("fails", "the gold fails or takes too long, everywhere or on some instances", _find)
