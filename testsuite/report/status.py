"""What a report calls an item: one word a status, with its mark and meaning."""

from __future__ import annotations

from dataclasses import dataclass

from testsuite.metrics import is_lucky
from testsuite.metrics.measures import BY_NAME, verdicts
from testsuite.records import WRONG_FATES, ItemResult


@dataclass(frozen=True, slots=True)
class Status:
    """Attributes: name; mark: one character that tells it without colour; meaning: a line for readers."""

    name: str
    mark: str
    meaning: str


STATUSES = (
    Status("right", "=", "equal to the gold on every instance"),
    Status("lucky", "≈", "equal on the shipped instance, different on the suite"),
    Status("wrong", "≠", "different, on the shipped instance too where there is one"),
    Status("failed", "×", "does not run: invalid, fails, takes too long or is too large"),
    Status("no verdict", "?", "nothing can be said: not counted"),
)


def status_of(result: ItemResult, measure: str) -> str:
    """The status of an item by one measure, see ``MEASURES``."""
    verdict = BY_NAME[measure].verdict(result)
    if verdict is None:
        return "no verdict"
    if verdict:
        return "right"
    if measure == "test_suite" and is_lucky(verdicts(result)):
        return "lucky"
    return "failed" if result.fate in WRONG_FATES else "wrong"
