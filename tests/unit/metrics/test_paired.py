"""McNemar's exact test and the interval of a paired difference, against published values and by coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest

from testsuite.metrics.paired import PairedTest, mcnemar_exact, paired_interval


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [
        (0, 0, 1.0),
        (3, 3, 1.0),
        (1, 5, 0.21875),
        (0, 6, 2 / 64),
        # The example of the statsmodels manual.
        (121, 59, 4.434449e-06),
    ],
)
def test_exact_p(only_a, only_b, p):
    assert mcnemar_exact(only_a, only_b) == pytest.approx(p, rel=1e-6)
    assert mcnemar_exact(only_b, only_a) == mcnemar_exact(only_a, only_b)


def test_p_of_many_is_near_the_normal_approximation():
    b, c = 10_000, 10_300
    z = (abs(b - c) - 1) / math.sqrt(b + c)
    assert mcnemar_exact(b, c) == pytest.approx(math.erfc(z / math.sqrt(2)), rel=1e-3)


def test_intervals_are_near_the_textbook_one_for_many_items():
    # Approval of a prime minister, twice (Agresti, Categorical Data Analysis): 1,600 people.
    low, high = paired_interval(794, 150, 86, 570)
    error = math.sqrt(150 + 86 - (150 - 86) ** 2 / 1600) / 1600
    assert (low, high) == pytest.approx((-0.04 - 1.96 * error, -0.04 + 1.96 * error), abs=1e-3)


def test_intervals_turn_round_with_the_runs_and_stay_in_bounds():
    for cells in ((5, 3, 9, 2), (0, 4, 0, 0), (10, 0, 0, 0), (0, 0, 3, 7), (2, 0, 1, 5)):
        both, a, b, neither = cells
        low, high = paired_interval(both, a, b, neither)
        assert paired_interval(both, b, a, neither) == pytest.approx((-high, -low))
        assert -1 <= low <= (b - a) / sum(cells) <= high <= 1


@pytest.mark.parametrize("chances", [(0.5, 0.2, 0.1, 0.2), (0.85, 0.05, 0.02, 0.08), (0.2, 0.3, 0.3, 0.2)])
def test_intervals_hold_the_true_difference_as_often_as_they_say(chances):
    counts = np.random.default_rng(7).multinomial(60, chances, size=3000)
    truth = chances[2] - chances[1]
    held = sum(low <= truth <= high for low, high in (paired_interval(*map(int, row)) for row in counts))
    # With few discordant pairs it errs to the wide side.
    assert 0.93 <= held / 3000 <= 0.99


def test_worse_needs_direction_and_significance():
    assert PairedTest(50, 12, 1, 5).worse
    assert not PairedTest(50, 1, 12, 5).worse
    assert PairedTest(50, 1, 12, 5).significant
    assert not PairedTest(50, 5, 1, 5).significant
    assert PairedTest(0, 0, 0, 0).difference is None and PairedTest(0, 0, 0, 0).interval is None
    assert PairedTest(6, 1, 3, 0).difference == pytest.approx(0.2)
