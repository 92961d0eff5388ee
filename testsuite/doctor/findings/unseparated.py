"""Near-misses of the gold that no instance of the suite tells from it, as the suite's manifest says."""

from __future__ import annotations

from collections.abc import Iterator

from testsuite.doctor.findings.base import Finding, Found, Subject
from testsuite.doctor.records import Severity


def _find(subject: Subject) -> Iterator[Found]:
    note = subject.note
    if note is None:
        if subject.suite_golds:
            yield Severity.NOTE, f"the suite was built for {subject.suite_golds} golds, this is none of them"
        return
    if not note.left:
        return
    example = note.left[0]
    # What is left is often equal to the gold without proof; a suite that leaves most is weak whatever they are.
    severity = Severity.WARNING if 2 * len(note.left) > note.neighbours else Severity.NOTE
    yield (
        severity,
        f"{len(note.left)} of {note.neighbours} near-misses are not separated, the first ({example.get('operator')}): "
        f"{example.get('sql')}",
    )


UNSEPARATED = Finding("unseparated", "near-misses that the suite does not tell from the gold", _find)
