"""Answers that SQL leaves open, compared in both readings."""

from __future__ import annotations

import pytest
from answers import bag, ordered

from testsuite.compare import Reason, compare_open, determined


def test_determined() -> None:
    low, high = bag([(1,), (2,)], [(1,)], [(0.1 + 0.2,)]), bag([(2,), (1,)], [(2,)], [(0.3,)])
    assert determined(low, high).tolist() == [True, False, True]
    assert not determined(bag([(1, 2)]), bag([(2, 1)]))[0]
    assert not determined(ordered([[(1,)], [(2,)]]), ordered([[(1,), (2,)]]))[0]
    assert not determined(ordered([[(1,), (2,)]]), ordered([[(1,)], [(2,)]]))[0]
    broken = bag([], width=1, errors={0: "x"})
    assert not determined(broken, broken)[0]


def test_only_determined_golds_are_evidence() -> None:
    found = compare_open(bag([(1,)], [(1,)]), bag([(1,)], [(2,)]), bag([(1,)], [(1,)]), None)
    assert found.usable.tolist() == [True, False]
    assert found.equal.tolist() == [True, False]
    assert found.reason.tolist() == [Reason.SAME, Reason.GOLD_ERROR]


def test_both_readings_of_the_prediction_must_fit() -> None:
    gold = bag([(1,)], [(1,)], [(1,)])
    found = compare_open(gold, None, bag([(1,)], [(1,)], [(2,)]), bag([(1,)], [(2,)], [(1,)]))
    assert found.equal.tolist() == [True, False, False]
    assert found.reason.tolist() == [Reason.SAME, Reason.VALUES, Reason.VALUES]
    assert found.usable.all() and found.informative.all()


def test_one_order_of_columns_for_both_readings() -> None:
    gold = bag([(1, 2)])
    found = compare_open(gold, gold, bag([(2, 1)]), bag([(2, 1)]))
    assert found.equal.all() and found.permutation == (1, 0)
    found = compare_open(gold, gold, bag([(2, 1)]), bag([(1, 2)]))
    assert not found.equal.any()


def test_errors_in_one_reading() -> None:
    gold, broken = bag([(1,)]), bag([], width=1, errors={0: "x"})
    assert not compare_open(gold, broken, gold, None).usable[0]
    found = compare_open(gold, None, gold, broken)
    assert found.usable[0] and not found.equal[0] and found.reason[0] == Reason.ERROR


def test_limits_go_with_the_readings() -> None:
    gold = ordered([[(1,), (2,)]], limit=1)
    found = compare_open(gold, gold, gold, ordered([[(2,), (1,)]], limit=1))
    assert found.equal.all()


def test_readings_have_one_width() -> None:
    with pytest.raises(ValueError, match="widths"):
        compare_open(bag([(1,)]), None, bag([(1,)]), bag([(1, 2)]))
