"""BIRD's own two figures of a pair, on the database that comes with the benchmark.

The rules are those of BIRD's published evaluation (Li et al., NeurIPS 2023; soft F1 comes with its small development
set). *Execution accuracy*: the two answers are equal as sets of rows; repeated rows and order do not count, the order
of columns does. *Soft F1*: repeated rows are dropped, each row keeping its first place, and row i of the prediction is
held against row i of the gold, so the order of rows counts, asked for or not. Of the row's cells those in both rows
are right, those in the prediction's alone are surplus, those in the gold's alone are missing, each as a part of the
gold's number of columns; a row without a partner is wholly surplus or wholly missing. F1 is that of the three sums.

A query that fails or takes too long makes both figures 0, the gold's failure too. Python's equality holds (1 = 1.0).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from testsuite.official.answers import Row
from testsuite.official.readonly import QueryFailed, QueryTimeout, ReadOnlyFiles

MAX_ROWS = 5_000_000
"""Rows of one answer; a longer one counts as taking too long."""


@dataclass(frozen=True, slots=True)
class BirdScores:
    """Execution accuracy and soft F1 (0 to 1) of a pair; ``gold_failed`` says that the gold did not run."""

    ex: bool
    soft_f1: float
    gold_failed: bool = False


def bird_ex(prediction: Sequence[Row], gold: Sequence[Row]) -> bool:
    """Whether two answers are equal as sets of rows."""
    return set(prediction) == set(gold)


def bird_soft_f1(prediction: Sequence[Row], gold: Sequence[Row]) -> float:
    """Soft F1 of two answers, 0 to 1; 1 where both are empty."""
    ours, theirs = list(dict.fromkeys(gold)), list(dict.fromkeys(prediction))
    if not ours and not theirs:
        return 1.0
    right = surplus = missing = 0.0
    for wanted, given in zip(ours, theirs, strict=False):
        width = len(wanted)
        shared = sum(cell in wanted for cell in given)
        right += shared / width
        surplus += (len(given) - shared) / width
        missing += sum(cell not in given for cell in wanted) / width
    missing += max(len(ours) - len(theirs), 0)
    surplus += max(len(theirs) - len(ours), 0)
    precision = right / (right + surplus) if right + surplus else 0.0
    recall = right / (right + missing) if right + missing else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def bird_scores(path: Path, gold: str, prediction: str, files: ReadOnlyFiles, timeout: float = 30.0) -> BirdScores:
    """Both figures of a pair on one database file.

    Args:
        path: the SQLite file.
        files: connections to use; with ``strict_text``, as the published evaluation reads text.
        timeout: seconds for both queries together.
    """
    end = monotonic() + timeout
    found: list[list[Row]] = []
    for sql in (prediction, gold):
        try:
            rows = files.rows(path, sql, end, MAX_ROWS + 1)
        except (QueryFailed, QueryTimeout):
            rows = None
        if rows is None or len(rows) > MAX_ROWS:
            return BirdScores(False, 0.0, gold_failed=bool(found))
        found.append(rows)
    theirs, ours = found
    return BirdScores(bird_ex(theirs, ours), bird_soft_f1(theirs, ours))
