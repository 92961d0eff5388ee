"""Whole numbers: ages, counts, years, identifiers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from distill.fuzz.families.base import Scalar
from testsuite.schema import Column, Storage

BOUND = 2**53


class Integer:
    """INTEGER storage."""

    @staticmethod
    def suits(column: Column, storage: Storage, examples: Sequence[Scalar]) -> bool:
        return storage is Storage.INTEGER

    @staticmethod
    def near(value: Scalar) -> list[Scalar]:
        number = int(value)
        return [number - 1, number + 1, number * 2, number // 2]

    @staticmethod
    def fresh(column: Column, examples: Sequence[Scalar], count: int, rng: np.random.Generator) -> list[Scalar]:
        numbers = [int(e) for e in examples if isinstance(e, int) and abs(e) < BOUND]
        if not numbers:
            small = rng.integers(-1, 12, count // 2)
            return [int(v) for v in (*small, *rng.integers(0, 1000, count - len(small)))]
        low, high = min(numbers), max(numbers)
        # Wider than what was seen, but no negative numbers where there were none.
        spread = max(2, (high - low) // 4)
        low = low - spread if low < 0 else max(0, low - spread)
        return [int(v) for v in rng.integers(low, high + spread + 1, count)]
