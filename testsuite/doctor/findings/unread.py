"""The gold runs, but can't be read: whatever only its text would show stays unseen."""

from __future__ import annotations

from collections.abc import Iterator

from testsuite.doctor.findings.base import Finding, Found, Subject
from testsuite.doctor.records import Severity


def _find(subject: Subject) -> Iterator[Found]:
    if subject.tree is None and not subject.failure:
        yield Severity.NOTE, f"{subject.unread or 'cannot be read'}: only its answers were looked at"


UNREAD = Finding("unread", "the text can't be read, so findings over the text were not looked for", _find)
