"""The kill matrix: which candidate instance separates which neighbour from its gold."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from distill.neighbours import Neighbour
from testsuite.compare import Policy, compare_open
from testsuite.engine.evaluate import Answers, Evaluator, part_of
from testsuite.engine.referee import TIMEOUT
from testsuite.engine.session import QueryTimeout

log = logging.getLogger(__name__)

# A neighbour that loses a join condition can be a huge product on the largest candidates: it is then asked on the
# small ones alone, and is not worth waiting for there. Rows of an answer are bounded too, and that bound comes first
# on any ordinary machine: what a build decides should not hang on its speed.
_NEIGHBOUR_SECONDS = 30.0
_SMALL = 64
_GOLD_SECONDS = 120.0
_POLICY = Policy()


@dataclass(frozen=True)
class GoldAnswers:
    """One distinct gold with its answers on all candidates.

    Attributes:
        sql: the gold.
        answers: its answers, one position per candidate.
        usable: bool per candidate: the gold runs there and SQL determines its answer.
        informative: bool per candidate: usable, and the answer has a cell that is not NULL.
    """

    sql: str
    answers: Answers
    usable: NDArray[np.bool_]
    informative: NDArray[np.bool_]


@dataclass(frozen=True)
class KillRow:
    """One neighbour's row of the matrix; ``failed`` says why it was run nowhere, empty where it was."""

    gold: int
    neighbour: Neighbour
    kills: NDArray[np.bool_]
    failed: str = ""


def ask_gold(evaluator: Evaluator, sql: str) -> GoldAnswers:
    """Run one gold on all candidates.

    Raises:
        QueryTimeout: it took more than two minutes.
    """
    answers = evaluator.answers(sql, timeout=_GOLD_SECONDS)
    if TIMEOUT in answers.low.errors.values():
        raise QueryTimeout(f"more than {_GOLD_SECONDS:g} s")
    itself = compare_open(answers.low, answers.high, answers.low, answers.high, _POLICY)
    return GoldAnswers(sql, answers, itself.usable, itself.usable & itself.informative)


def differences(evaluator: Evaluator, gold: Answers, sql: str, instances: Sequence[int] | None) -> NDArray[np.bool_]:
    """Where a query's answer differs from the gold's, per given instance (all where None).

    ``gold`` must stand on the same instances. Instances on which the gold is undetermined never count.
    """
    answers = evaluator.answers(sql, instances, timeout=_NEIGHBOUR_SECONDS)
    seen = compare_open(gold.low, gold.high, answers.low, answers.high, _POLICY)
    failed = np.zeros(len(seen.equal), dtype=bool)
    failed[list(answers.low.errors)] = True
    return seen.usable & ~seen.equal & ~failed


def kill_row(evaluator: Evaluator, gold_number: int, gold: GoldAnswers, neighbour: Neighbour) -> KillRow:
    """The row of one neighbour, run on all candidates; on the smallest where all are too many for it."""
    count = evaluator.stack.count
    try:
        return KillRow(gold_number, neighbour, differences(evaluator, gold.answers, neighbour.sql, None))
    except QueryTimeout:
        small = sorted(np.argsort(evaluator.stack.row_counts, kind="stable")[:_SMALL].tolist())
    kills = np.zeros(count, dtype=bool)
    failed = ""
    try:
        kills[small] = differences(evaluator, part_of(gold.answers, small), neighbour.sql, small)
    except QueryTimeout:
        failed = f"more than {_NEIGHBOUR_SECONDS:g} s"
    return KillRow(gold_number, neighbour, kills, failed)


def unconfirmed(
    evaluator: Evaluator, row: KillRow, gold: str, kept: Sequence[int], need: int
) -> tuple[list[int], list[int]]:
    """Check on SQLite the kills that a suite of ``kept`` instances rests on.

    Returns:
        The instances, at most ``need``, on which SQLite confirms that neighbour and gold differ, and those among the
        tried on which it does not.
    """
    confirmed: list[int] = []
    refuted: list[int] = []
    waiting = [int(i) for i in kept if row.kills[i]]
    while waiting and len(confirmed) < need:
        batch, waiting = waiting[: need - len(confirmed)], waiting[need - len(confirmed) :]
        truth = evaluator.sqlite_answers(gold, batch, _GOLD_SECONDS)
        answers = evaluator.sqlite_answers(row.neighbour.sql, batch, _NEIGHBOUR_SECONDS)
        seen = compare_open(truth.low, truth.high, answers.low, answers.high, _POLICY)
        for place, instance in enumerate(batch):
            different = bool(seen.usable[place] and not seen.equal[place]) and place not in answers.low.errors
            (confirmed if different else refuted).append(instance)
            if not different:
                log.warning("instance %d: SQLite sees no difference: %s | %s", instance, gold, row.neighbour.sql)
    return confirmed, refuted
