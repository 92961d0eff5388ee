"""Shares, their intervals, and how they are written."""

from __future__ import annotations

import pytest

from testsuite.metrics.shares import Mean, Share, mean, percent, share, wilson


@pytest.mark.parametrize(
    ("correct", "of", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, score method without correction.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_values(correct, of, low, high):
    assert wilson(correct, of) == pytest.approx((low, high), abs=5e-5)
    # The other way round, it is the mirror image.
    assert wilson(of - correct, of) == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_the_ends_are_exact_and_a_share_of_nothing_has_no_interval():
    assert wilson(0, 7)[0] == 0.0 and wilson(7, 7)[1] == 1.0
    assert Share(0, 0).interval is None and Share(0, 0).value is None
    assert str(share([None, None])) == "-"
    with pytest.raises(ValueError, match="nothing"):
        wilson(0, 0)


def test_what_is_not_known_is_not_counted():
    assert share([True, False, None]) == Share(1, 2)
    assert mean([0.5, None, 1.0]) == Mean(0.75, 2)
    assert mean([None]) == Mean(None, 0)


def test_percentages_have_the_digits_of_the_published_script():
    for correct in range(1035):
        published = f"{correct / 1034:.3f}"
        assert percent(correct / 1034) == f"{int(published.replace('.', '')) / 10:.1f}"
    assert percent(0.0625) == "6.2"  # .3f gives 0.062
    assert percent(None) == "-"
