"""The outermost LIMIT cuts through rows that tie: which of them are kept is left open."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from testsuite.compare.hashing import row_hashes
from testsuite.compare.window import window
from testsuite.doctor.findings.base import Finding, Found, Subject, share
from testsuite.doctor.records import Severity


def _find(subject: Subject) -> Iterator[Found]:
    answer = subject.low
    if answer is None or answer.limit is None or not answer.columns or not answer.rows:
        return
    seen = window(answer, row_hashes(np.stack([cells.code for cells in answer.columns])))
    cut = set(np.unique(seen.instance[seen.cut]).tolist())
    if not cut:
        return
    # Ties that only generated instances have say little about the gold; scoring admits whatever they leave open.
    generated = answer.ordered and subject.contents.shipped is not None and subject.contents.shipped not in cut
    what = "LIMIT goes through rows that tie" if answer.ordered else "LIMIT without ORDER BY chooses among rows"
    shipped = ", the shipped one among them" if subject.contents.shipped in cut else ", not on the shipped one"
    if subject.contents.shipped is None:
        shipped = ""
    severity = Severity.NOTE if generated else Severity.WARNING
    yield severity, f"{what} on {share(len(cut), answer.instances)}{shipped}"


TIE_CUT = Finding("tie_cut", "several answers are right, since LIMIT cuts through a tie", _find)
