"""The gold says nothing on any instance: every query that also gives nothing is called equal."""

from __future__ import annotations

from collections.abc import Iterator

from testsuite.doctor.findings.base import Finding, Found, Subject, share
from testsuite.doctor.records import Severity


def _find(subject: Subject) -> Iterator[Found]:
    if subject.low is None or not subject.usable.any() or subject.informative.any():
        return
    what = "all NULL" if subject.usable[subject.low.instance].any() else "empty"
    determined, count = int(subject.usable.sum()), subject.low.instances
    if determined == count:
        yield Severity.WARNING, f"{what} on every instance"
    else:
        # Agreement there is no evidence, and elsewhere there is no answer to agree with.
        yield (
            Severity.ERROR,
            f"{what} wherever it is determined ({share(determined, count)}): "
            "a right prediction in other words gets no verdict",
        )


EMPTY = Finding("empty", "the answer is empty or all NULL on every instance", _find)
