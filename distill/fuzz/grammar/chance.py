"""One source of chance for the grammar, so that a seeded generator and hypothesis can both drive it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import numpy as np

T = TypeVar("T")


class Chance(Protocol):
    """A source of whole numbers; the grammar asks for nothing else."""

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1. Smaller ones lead to simpler queries."""


class SeededChance:
    """Numbers from a numpy generator."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._left: list[float] = []

    def below(self, bound: int) -> int:
        if not self._left:
            self._left = self._rng.random(4096).tolist()
        return int(self._left.pop() * bound)


def pick(chance: Chance, items: Sequence[T]) -> T:
    """One of the items."""
    return items[chance.below(len(items))]


def often(chance: Chance, percent: int) -> bool:
    """True in so many of a hundred cases."""
    return chance.below(100) >= 100 - percent


def some(chance: Chance, items: Sequence[T], least: int, most: int) -> list[T]:
    """``least`` to ``most`` of the items, with repeats."""
    return [pick(chance, items) for _ in range(least + chance.below(most - least + 1))]
