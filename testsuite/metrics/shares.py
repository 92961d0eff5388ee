"""Shares with their denominators and intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95


def wilson(correct: int, of: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score interval of a binomial proportion, lower and upper end.

    The proportions p for which ``correct`` of ``of`` lies within z standard errors of p, the standard error being that
    of p itself (E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927).
    It never leaves 0 to 1, and has width at 0 % and 100 %, where the textbook interval has none.

    Raises:
        ValueError: ``of`` is 0.
    """
    if of <= 0:
        raise ValueError("a share of nothing has no interval")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    p = correct / of
    middle = p + z * z / (2 * of)
    half = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    scale = 1 + z * z / of
    # At the ends the formula gives 0 and 1 only up to rounding.
    low = 0.0 if correct == 0 else (middle - half) / scale
    high = 1.0 if correct == of else (middle + half) / scale
    return low, high


def percent(value: float | None) -> str:
    """A share as a percentage with one decimal, ``-`` for None.

    Rounded as the published script's three decimals are, so that 0.944 there is 94.4 here, whatever the next digit.
    """
    if value is None:
        return "-"
    return f"{100 * float(f'{value:.3f}'):.1f}"


@dataclass(frozen=True, slots=True)
class Share:
    """``correct`` of ``of``; no value and no interval at all where ``of`` is 0."""

    correct: int
    of: int

    @property
    def value(self) -> float | None:
        return self.correct / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval."""
        return wilson(self.correct, self.of) if self.of else None

    def __str__(self) -> str:
        return "-" if self.value is None else f"{percent(self.value)} %"

    def to_dict(self) -> dict[str, int]:
        return {"correct": self.correct, "of": self.of}


@dataclass(frozen=True, slots=True)
class Mean:
    """Mean of ``of`` values between 0 and 1; None where there is none."""

    value: float | None
    of: int

    def to_dict(self) -> dict[str, float | int | None]:
        return {"value": self.value, "of": self.of}


def share(values: Iterable[bool | None]) -> Share:
    """The share of True among the values that are not None."""
    known = [value for value in values if value is not None]
    return Share(sum(known), len(known))


def mean(values: Iterable[float | None]) -> Mean:
    """The mean of the values that are not None."""
    known = [value for value in values if value is not None]
    return Mean(math.fsum(known) / len(known) if known else None, len(known))
