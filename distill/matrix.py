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

# A neighbour that loses a join condition can be a huge product; it is not worth waiting for.
_NEIGHBOUR_SECONDS = 5.0
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
    """One neighbour's row of the matrix; ``known`` tells where it was run (scouts only for the easy ones)."""

    gold: int
    neighbour: Neighbour
    kills: NDArray[np.bool_]
    known: NDArray[np.bool_]
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


def kill_rows(
    evaluator: Evaluator,
    gold_number: int,
    gold: GoldAnswers,
    neighbours: Sequence[Neighbour],
    scouts: int,
    need: int,
) -> list[KillRow]:
    """One row per neighbour: on the first ``scouts`` candidates, then on all where fewer than ``need`` separate it."""
    count = evaluator.stack.count
    first = list(range(min(scouts, count)))
    scout_gold = part_of(gold.answers, first)
    rows = []
    for neighbour in neighbours:
        kills, known = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
        failed = ""
        try:
            kills[first] = differences(evaluator, scout_gold, neighbour.sql, first)
            known[first] = True
            if kills.sum() < need and len(first) < count:
                kills = differences(evaluator, gold.answers, neighbour.sql, None)
                known[:] = True
        except QueryTimeout:
            failed = f"more than {_NEIGHBOUR_SECONDS:g} s"
        rows.append(KillRow(gold_number, neighbour, kills, known, failed))
    return rows


def unconfirmed(
    evaluator: Evaluator, row: KillRow, gold: GoldAnswers, kept: Sequence[int], need: int
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
        truth = evaluator.sqlite_answers(gold.sql, batch, _GOLD_SECONDS)
        answers = evaluator.sqlite_answers(row.neighbour.sql, batch, _NEIGHBOUR_SECONDS)
        seen = compare_open(truth.low, truth.high, answers.low, answers.high, _POLICY)
        for place, instance in enumerate(batch):
            different = bool(seen.usable[place] and not seen.equal[place]) and place not in answers.low.errors
            (confirmed if different else refuted).append(instance)
            if not different:
                log.warning("instance %d: SQLite sees no difference: %s | %s", instance, gold.sql, row.neighbour.sql)
    return confirmed, refuted
