"""All findings, in the order of reports: what keeps a gold from being scored first."""

from __future__ import annotations

from testsuite.doctor.findings.base import Finding, Found, Subject
from testsuite.doctor.findings.cartesian import CARTESIAN
from testsuite.doctor.findings.clock import CLOCK
from testsuite.doctor.findings.count_zero import COUNT_ZERO
from testsuite.doctor.findings.empty import EMPTY
from testsuite.doctor.findings.fails import FAILS
from testsuite.doctor.findings.null_first import NULL_FIRST
from testsuite.doctor.findings.numeric_text import NUMERIC_TEXT
from testsuite.doctor.findings.tie_cut import TIE_CUT
from testsuite.doctor.findings.undetermined import UNDETERMINED
from testsuite.doctor.findings.unread import UNREAD
from testsuite.doctor.findings.unseparated import UNSEPARATED

FINDINGS: tuple[Finding, ...] = (
    FAILS,
    UNDETERMINED,
    EMPTY,
    TIE_CUT,
    CLOCK,
    NUMERIC_TEXT,
    NULL_FIRST,
    COUNT_ZERO,
    CARTESIAN,
    UNSEPARATED,
    UNREAD,
)

__all__ = ["FINDINGS", "Finding", "Found", "Subject"]
