"""Two systems on the same items: McNemar's test and the interval of the difference."""

from __future__ import annotations

import math
from dataclasses import dataclass

from testsuite.metrics.shares import CONFIDENCE, wilson


def mcnemar_exact(only_a: int, only_b: int) -> float:
    """Two-sided p of McNemar's test, exact: given how many items differ, each way is as likely as the other.

    With n = only_a + only_b, twice the binomial(n, 1/2) tail at the smaller of the two, at most 1. Items on which both
    agree say nothing (Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
    percentages", Psychometrika 12, 1947). Whole numbers throughout, so it is exact for any n.
    """
    n, least = only_a + only_b, min(only_a, only_b)
    term, tail = 1, 0
    for k in range(least + 1):
        tail += term
        term = term * (n - k) // (k + 1)
    return min(1.0, 2 * tail / (1 << n))


def paired_interval(
    both: int, only_a: int, only_b: int, neither: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Interval of the difference of two paired proportions, b less a.

    The Wilson intervals of the two, joined with the correlation of the pairs, continuity corrected: method 10 of
    R. G. Newcombe, "Improved confidence intervals for the difference between binomial proportions based on paired
    data", Statistics in Medicine 17, 1998.

    Raises:
        ValueError: there is no item.
    """
    n = both + only_a + only_b + neither
    right_a, right_b = both + only_a, both + only_b
    a, b = right_a / n if n else 0.0, right_b / n if n else 0.0
    (low_a, high_a), (low_b, high_b) = wilson(right_a, n, confidence), wilson(right_b, n, confidence)
    margins = right_a * (n - right_a) * right_b * (n - right_b)
    agreement = float(both * neither - only_a * only_b)
    if agreement > 0:
        agreement = max(agreement - n / 2, 0.0)
    phi = agreement / math.sqrt(margins) if margins else 0.0

    def arm(one: float, other: float) -> float:
        return math.sqrt(max(one * one - 2 * phi * one * other + other * other, 0.0))

    return b - a - arm(b - low_b, high_a - a), b - a + arm(high_b - b, a - low_a)


@dataclass(frozen=True, slots=True)
class PairedTest:
    """How two systems do on the items that both have a verdict on."""

    both: int
    only_a: int
    only_b: int
    neither: int

    @property
    def items(self) -> int:
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def difference(self) -> float | None:
        """Accuracy of b less that of a; None without items."""
        return (self.only_b - self.only_a) / self.items if self.items else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval of the difference."""
        return paired_interval(self.both, self.only_a, self.only_b, self.neither) if self.items else None

    @property
    def p(self) -> float:
        """Two-sided p of the exact McNemar test; 1 where nothing differs."""
        return mcnemar_exact(self.only_a, self.only_b)

    @property
    def significant(self) -> bool:
        """Whether p is below 5 %."""
        return self.p < 1 - CONFIDENCE

    @property
    def worse(self) -> bool:
        """Whether b is significantly worse."""
        return self.significant and self.only_b < self.only_a
