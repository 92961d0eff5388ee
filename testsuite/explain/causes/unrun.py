"""Causes that need no experiment: the prediction did not run, and its fate says why."""

from __future__ import annotations

from testsuite.records import Fate, ItemResult

TITLES = {
    "empty": "no query at all",
    "invalid_sql": "not a query that SQLite takes",
    "runtime_error": "SQLite stopped with an error",
    "too_slow": "over its time",
    "too_large": "an answer too large to hold",
    "unexplained": "no single cause found",
}


def cause_of_fate(result: ItemResult, prediction: str) -> str | None:
    """The cause that a fate names; None where the prediction ran."""
    match result.fate:
        case Fate.INVALID_PREDICTION:
            return "invalid_sql" if prediction.strip(" ;\t\n") else "empty"
        case Fate.PREDICTION_ERROR:
            return "runtime_error"
        case Fate.PREDICTION_TIMEOUT:
            return "too_slow"
        case Fate.TOO_LARGE:
            return "too_large"
    return None
