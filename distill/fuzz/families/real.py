"""Numbers with fractions: weights, prices, shares."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from distill.fuzz.families.base import Scalar
from testsuite.schema import Column, Storage


class Real:
    """REAL and NUMBER storage."""

    @staticmethod
    def suits(column: Column, storage: Storage, examples: Sequence[Scalar]) -> bool:
        return storage in (Storage.REAL, Storage.NUMBER)

    @staticmethod
    def near(value: Scalar) -> list[Scalar]:
        number = float(value)
        # Then two that differ by more than the tolerance of comparisons (1e-9), by less than anyone would see, and
        # the next doubles: 0.3 and 0.1 + 0.2 are neighbours, and conditions tell them apart.
        return [
            *(number - 1, number + 1, number - 0.5, number + 0.5, number - 0.01, number + 0.01),
            *(number * 2, number * (1 + 1e-6), number * (1 - 1e-6)),
            *(math.nextafter(number, math.inf), math.nextafter(number, -math.inf)),
        ]

    @staticmethod
    def fresh(column: Column, examples: Sequence[Scalar], count: int, rng: np.random.Generator) -> list[Scalar]:
        numbers = [float(e) for e in examples if isinstance(e, int | float) and abs(e) < 1e15]
        if not numbers:
            numbers = [0.0, 100.0]
        low, high = min(numbers), max(numbers)
        spread = max(1.0, (high - low) / 4)
        low = low - spread if low < 0 else max(0.0, low - spread)
        digits = max(len(repr(n).partition(".")[2]) if "e" not in repr(n) else 2 for n in numbers)
        values = np.round(rng.uniform(low, high + spread, count), min(max(digits, 1), 6))
        whole = rng.random(count) < 0.25
        return [float(round(v)) if w else float(v) for v, w in zip(values, whole, strict=True)]
