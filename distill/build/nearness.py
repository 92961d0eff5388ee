"""The neighbours of every gold, which candidates separate them, and what was proved or found out about the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from distill.matrix import GoldAnswers, KillRow, kill_row
from distill.neighbours import Equivalent, NeighbourMaker
from testsuite.engine.evaluate import Evaluator


@dataclass(frozen=True)
class Nearness:
    """The near-misses of all golds.

    Attributes:
        rows: one per neighbour that may differ from its gold, with the candidates that separate it.
        equivalent: per gold its near-misses that were proved to mean the same.
        informative: bool, golds x candidates: the gold is determined there and has a cell that is not NULL.
    """

    rows: tuple[KillRow, ...]
    equivalent: tuple[tuple[Equivalent, ...], ...]
    informative: NDArray[np.bool_]

    @property
    def kills(self) -> NDArray[np.bool_]:
        """Bool, neighbours x candidates."""
        count = self.informative.shape[1]
        return np.array([row.kills for row in self.rows], dtype=bool).reshape(len(self.rows), count)


def informative_of(golds: Sequence[GoldAnswers], count: int) -> NDArray[np.bool_]:
    """Where each gold says something: golds x instances."""
    return np.array([gold.informative for gold in golds], dtype=bool).reshape(len(golds), count)


def find_neighbours(
    evaluator: Evaluator, golds: Sequence[GoldAnswers], maker: NeighbourMaker, most: int, rng: np.random.Generator
) -> Nearness:
    """Make at most ``most`` neighbours of each gold and run every one on every candidate."""
    rows: list[KillRow] = []
    equivalent = []
    for number, gold in enumerate(golds):
        made = maker.of(gold.sql, most, rng)
        equivalent.append(made.equivalent)
        rows += [kill_row(evaluator, number, gold, neighbour) for neighbour in made.neighbours]
    return Nearness(tuple(rows), tuple(equivalent), informative_of(golds, evaluator.stack.count))


def on_instances(near: Nearness, evaluator: Evaluator, golds: Sequence[GoldAnswers]) -> Nearness:
    """The same neighbours on the instances of ``evaluator`` instead.

    Args:
        golds: the answers of the same golds on those instances.
    """
    rows = tuple(kill_row(evaluator, row.gold, golds[row.gold], row.neighbour) for row in near.rows)
    return Nearness(rows, near.equivalent, informative_of(golds, evaluator.stack.count))


def joined(near: Nearness, other: Nearness) -> Nearness:
    """The same neighbours on the instances of both, in order."""
    rows = []
    for row, extra in zip(near.rows, other.rows, strict=True):
        kills = np.concatenate([row.kills, extra.kills])
        rows.append(replace(row, kills=kills, failed="" if kills.any() else row.failed))
    informative = np.concatenate([near.informative, other.informative], axis=1)
    return Nearness(tuple(rows), near.equivalent, informative)


def at(near: Nearness, instances: Sequence[int]) -> Nearness:
    """The same neighbours on some of the instances, renumbered in the given order."""
    chosen = list(instances)
    rows = tuple(replace(row, kills=row.kills[chosen]) for row in near.rows)
    return Nearness(rows, near.equivalent, near.informative[:, chosen])
