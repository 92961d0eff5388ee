"""Which candidates to keep: the cover, with every separation it rests on confirmed on SQLite."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from distill.build.nearness import Nearness
from distill.cover import cover
from distill.matrix import unconfirmed
from testsuite.engine.evaluate import Evaluator

log = logging.getLogger(__name__)

# Every gold should say something on this many kept instances, where candidates allow it.
INFORMATIVE_INSTANCES = 5
_ROUNDS = 4


@dataclass(frozen=True)
class Choice:
    """The kept instances.

    Attributes:
        kept: candidates, ascending but for the forced ones, which come first.
        confirmed: per neighbour the places in ``kept`` where SQLite separates it too: the first K that do.
    """

    kept: tuple[int, ...]
    confirmed: tuple[frozenset[int], ...]


def choose(
    evaluator: Evaluator,
    golds: Sequence[str],
    near: Nearness,
    need: int,
    forced: Sequence[int],
    rng: np.random.Generator,
) -> Choice:
    """Choose candidates so that each neighbour is separated by ``need`` of them, as far as candidates allow.

    Separations that SQLite does not confirm are struck from ``near`` and the choice is made anew.

    Args:
        evaluator: over all candidates; only its SQLite side is used.
        golds: the golds that ``near`` counts.
        near: the neighbours and the candidates that separate them; ``kills`` may change.
        need: instances per neighbour.
        forced: candidates that are kept in any case.
        rng: the only source of chance.
    """
    cost = evaluator.stack.row_counts.astype(np.float64)
    needs = np.concatenate([np.full(len(near.rows), need), np.full(len(golds), INFORMATIVE_INSTANCES)]).astype(np.int64)
    confirmed: list[set[int]] = [set() for _ in near.rows]
    kept: list[int] = []
    for _ in range(_ROUNDS):
        kept = cover(np.concatenate([near.kills, near.informative]), needs, cost, forced, rng)
        if not confirm(evaluator, golds, near, kept, need, confirmed):
            break
    place = {candidate: number for number, candidate in enumerate(kept)}
    return Choice(tuple(kept), tuple(frozenset(place[i] for i in found if i in place) for found in confirmed))


def confirm(
    evaluator: Evaluator,
    golds: Sequence[str],
    near: Nearness,
    kept: Sequence[int],
    need: int,
    confirmed: Sequence[set[int]],
) -> int:
    """Ask SQLite about the separations by ``kept`` instances, ``need`` per neighbour.

    What it confirms joins ``confirmed``; what it does not is struck from ``near``. Returns how many it did not.
    """
    wrong = 0
    for row, known in zip(near.rows, confirmed, strict=True):
        missing = need - len(known & set(kept))
        if missing <= 0:
            continue
        open_ones = [i for i in kept if i not in known]
        found, refuted = unconfirmed(evaluator, row, golds[row.gold], open_ones, missing)
        known.update(found)
        row.kills[refuted] = False
        wrong += len(refuted)
    if wrong:
        log.warning("%s: %d separations not confirmed by SQLite", evaluator.stack.schema.db_id, wrong)
    return wrong
