"""Verdicts on hand-made answers, after known faults of evaluators: duplicates, order, ties, columns, numbers."""

from __future__ import annotations

import numpy as np
import pytest
from answers import answer, bag, ordered

from testsuite.compare import Answer, Policy, Reason, compare
from testsuite.errors import InputError

STRICT = Policy(columns="strict")
NAME = Policy(columns="name")


def right(gold: Answer, prediction: Answer, policy: Policy | None = None) -> bool:
    return bool(compare(gold, prediction, policy).equal.all())


# Duplicates and sets


def test_duplicates_count() -> None:
    gold, prediction = bag([("Oslo",), ("Bergen",)]), bag([("Oslo",), ("Oslo",), ("Bergen",)])
    found = compare(gold, prediction)
    assert not found.equal[0] and found.reason[0] == Reason.ROWS
    assert not right(bag([(1,), (1,), (2,)]), bag([(1,), (2,), (2,)]))


def test_sets_forget_duplicates_and_order() -> None:
    policy = Policy(rows="set")
    assert right(bag([("Oslo",), ("Bergen",)]), bag([("Bergen",), ("Oslo",), ("Oslo",)]), policy)
    assert right(ordered([[(1,)], [(2,)]]), bag([(2,), (1,), (1,)]), policy)
    assert right(ordered([[(1,)], [(2,)]], limit=1), bag([(1,), (1,)]), policy)
    assert not right(bag([("Oslo",)]), bag([("Bergen",)]), policy)
    assert right(bag([(0.1 + 0.2,), (0.3,)]), bag([(0.3,)]), policy)


# Order


def test_an_unordered_gold_takes_any_order() -> None:
    assert right(bag([("y",), ("x",)]), ordered([[("x",)], [("y",)]]))


def test_an_ordered_gold_wants_its_order() -> None:
    gold = ordered([[(1,)], [(3,)], [(2,)]])
    found = compare(gold, bag([(1,), (3,), (2,)]))
    assert not found.equal[0] and found.tie_only[0] and found.reason[0] == Reason.ORDER
    assert not right(gold, ordered([[(2,)], [(3,)], [(1,)]]))
    assert right(gold, gold)


def test_rows_of_a_tie_come_in_any_order() -> None:
    gold = ordered([[("a", 1), ("b", 1)], [("c", 2)]])
    assert right(gold, ordered([[("b", 1)], [("a", 1)], [("c", 2)]]))
    assert not right(ordered([[("b", 1)], [("a", 1)], [("c", 2)]]), gold)


def test_a_tie_of_equal_rows_is_no_tie() -> None:
    assert right(ordered([[(1,)], [(1,)], [(2,)]]), ordered([[(1,), (1,)], [(2,)]]))
    assert right(ordered([[(1,)], [(1,)]]), bag([(1,), (1,)]))
    gold = ordered([[(1,), (2,)], [(2,)]])
    assert not right(gold, ordered([[(1,)], [(2,)], [(1,)]]))
    assert right(gold, ordered([[(1,)], [(2,), (2,)]]))


def test_a_missing_order_does_not_matter_for_one_row() -> None:
    assert right(ordered([[(1,)]], []), bag([(1,)], []))


# Limits


def test_a_limit_through_a_tie_admits_each_row_of_it() -> None:
    gold = ordered([[(2014,), (2015,)]], limit=1)
    assert right(gold, ordered([[(2015,)], [(2014,)]], limit=1))
    assert right(gold, ordered([[(2014,)]]))
    assert right(gold, gold)
    found = compare(ordered([[(2015,)], [(2014,)]], limit=1), gold)
    assert not found.equal[0] and found.tie_only[0] and found.reason[0] == Reason.TIES
    assert not right(gold, ordered([[(2016,)]]))


def test_a_prediction_must_not_leave_open_more_than_the_gold() -> None:
    gold = ordered([[(1,), (2,)], [(3,)]], limit=1)
    assert not right(gold, ordered([[(1,), (2,), (3,)]], limit=1))
    assert right(ordered([[(1,), (2,), (3,)]], limit=1), gold)


def test_a_cut_tie_may_hold_the_same_rows_more_often() -> None:
    gold = ordered([[(1,), (2,), (2,)]], limit=1)
    assert right(gold, ordered([[(1,), (1,), (2,)]], limit=1))
    assert not right(ordered([[(1,), (2,), (2,)]], limit=2), ordered([[(1,), (1,), (2,)]], limit=2))


def test_a_cut_tie_with_exchanged_columns_and_noise() -> None:
    gold = ordered(
        [], [[(1, 1)], [(1, 0)], [(1, 0)]], [[(0.1, 2), (0.10000000000000002, 2), (2, 2)]], limit=1, offset=2
    )
    other = bag([], [(1, 1), (0, 1), (0, 1)], [(2, 0.1), (2, 0.10000000000000013), (2, 2)], limit=1, offset=2)
    found = compare(gold, other)
    assert found.equal.tolist() == [True, False, True] and found.permutation == (1, 0)


def test_rows_before_a_cut_tie_are_certain() -> None:
    gold = ordered([[(0,)], [(1,), (2,), (2,)]], limit=3)
    assert right(gold, ordered([[(0,)], [(2,)], [(2,)]]))
    assert right(gold, ordered([[(0,)], [(2,)], [(1,)]]))
    assert not right(gold, ordered([[(0,)], [(1,)], [(1,)]]))
    assert not right(gold, ordered([[(1,)], [(0,)], [(2,)]]))
    assert compare(gold, ordered([[(0,)], [(1,), (2,), (2,)]], limit=2)).reason[0] == Reason.ROWS


def test_offsets() -> None:
    gold = ordered([[(0,)], [(1,)], [(2,)]], limit=1, offset=1)
    assert right(gold, bag([(1,)]))
    assert not right(gold, bag([(0,)]))
    both_ends = ordered([[(1,), (2,), (3,), (4,)]], limit=2, offset=1)
    assert right(both_ends, bag([(4,), (1,)]))
    assert not right(both_ends, bag([(4,), (4,)]))
    assert right(ordered([[(0,)]], limit=5, offset=1, width=1), bag([], width=1))


def test_limit_without_order_admits_any_rows() -> None:
    gold = bag([(1,), (2,), (3,)], limit=2)
    assert right(gold, gold)
    assert right(gold, bag([(3,), (1,)]))
    assert not right(gold, bag([(3,), (3,)]))
    assert not right(bag([(1,), (1,)]), bag([(1,), (2,)], limit=2))
    assert not right(bag([("Oslo",), ("Bergen",)], limit=2), bag([("Oslo",), ("Oslo",), ("Bergen",)], limit=2))
    assert right(bag([(1,), (2,)], limit=9), bag([(2,), (1,)]))
    assert right(bag([(1,)], limit=0), bag([], width=1))


# Columns


def test_exchanged_columns() -> None:
    gold, prediction = bag([("x", 3), ("y", 0)]), bag([(3, "x"), (0, "y")])
    found = compare(gold, prediction)
    assert found.equal[0] and found.permutation == (1, 0)
    assert not right(gold, prediction, STRICT)
    assert compare(gold, gold).permutation is None


def test_rows_stay_tied_together() -> None:
    assert not right(bag([("x", 3), ("y", 0)]), bag([("x", 0), ("y", 3)]))


def test_one_order_of_columns_for_all_instances() -> None:
    gold = bag([(1, 2)], [(1, 2)], [(1, 2)])
    found = compare(gold, bag([(2, 1)], [(1, 2)], [(2, 1)]))
    assert found.equal.tolist() == [True, False, True]
    assert found.permutation == (1, 0) and not found.joint
    found = compare(gold, bag([(2, 1)], [(2, 3)], [(2, 1)]))
    assert found.equal.tolist() == [True, False, True] and found.joint


def test_a_tie_of_orders_keeps_the_columns_as_they_stand() -> None:
    found = compare(bag([(1, 2)], [(1, 2)]), bag([(2, 1)], [(1, 2)]))
    assert found.equal.tolist() == [False, True] and found.permutation is None and not found.joint


def test_another_width_is_different_even_without_rows() -> None:
    found = compare(bag([], width=1), bag([], width=3))
    assert not found.equal[0] and found.reason[0] == Reason.COLUMNS
    assert not right(bag([("x",)]), bag([("x", 3)]))


def test_columns_by_name() -> None:
    gold = bag([(1, 2)], names=["A", "b"])
    assert right(gold, bag([(2, 1)], names=["B", "a"]), NAME)
    assert compare(gold, bag([(2, 1)], names=["B", "a"]), NAME).permutation == (1, 0)
    assert not right(gold, bag([(1, 2)], names=["B", "a"]), NAME)
    found = compare(gold, bag([(1, 2)], names=["a", "c"]), NAME)
    assert found.reason[0] == Reason.COLUMNS
    assert right(bag([(1, 2)], names=["a", "a"]), bag([(1, 2)], names=["a", "A"]), NAME)
    assert not right(bag([(1, 2)], names=["a", "a"]), bag([(2, 1)], names=["a", "A"]), NAME)


def test_order_and_columns_together() -> None:
    gold = ordered([[(1, "a"), (1, "b")], [(2, "a")]], limit=2)
    assert right(gold, ordered([[("b", 1)], [("a", 1)], [("a", 2)]], limit=2))
    cut = ordered([[(1, "a"), (1, "b")], [(2, "a")]], limit=1)
    found = compare(cut, ordered([[("b", 1)]]))
    assert found.equal[0] and found.permutation == (1, 0)


def test_many_columns_with_a_cut_tie() -> None:
    gold = ordered([[(1, 2, 3, 4), (9, 8, 7, 6)], [(5, 5, 5, 5)]], limit=1)
    found = compare(gold, ordered([[(3, 4, 1, 2)]]))
    assert found.equal[0] and found.permutation == (2, 3, 0, 1)
    found = compare(gold, ordered([[(3, 4, 1, 1)]]))
    assert not found.equal[0] and found.complete


# Numbers, text, NULL


def test_rounding_noise() -> None:
    assert right(bag([(0.1 + 0.2 + 0.3,)]), bag([(0.6,)]))
    assert right(bag([(33.33333333333333,)]), bag([(33.333333333333336,)]))
    assert right(bag([(3,)]), bag([(2.9999999999999996,)]))
    assert right(bag([("a", 0.1), ("b", 0.30000000000000004)]), bag([(0.3, "b"), (0.1, "a")]))
    assert not right(bag([(0.6,)]), bag([(0.6000001,)]))
    assert not right(bag([(0.6,)]), bag([(0.6000000000000001,)]), Policy(relative=0))
    assert not right(bag([(5.5e-17,)]), bag([(0,)]))


def test_noise_that_only_another_order_of_columns_meets() -> None:
    near = (0.3, 0.30000000000000004)
    found = compare(bag([near], [(1, 2)], [(0.5, 3)]), bag([near], [(2, 1)], [(3, 0.5)]))
    assert found.equal.all() and found.permutation == (1, 0)


def test_rounded_by_hand_is_another_value() -> None:
    gold, prediction = bag([(58.74,)]), bag([(58.744924,)])
    assert not right(gold, prediction)
    assert right(gold, prediction, Policy(absolute=0.01))


def test_whole_numbers_have_no_tolerance() -> None:
    assert not right(bag([(10**10,), (0.5,)]), bag([(10**10 + 1,), (0.5,)]))
    assert not right(bag([(1e10,), (0.5,)]), bag([(1e10 + 1,), (0.50000000000000001,)]))
    assert not right(bag([(2**53,)]), bag([(2**53 + 1,)]))
    assert right(bag([(10**10,), (10**10 + 1,)]), bag([(10**10 + 1,), (1e10 + 1e-6,)]))


def test_numbers_of_one_value_are_equal_whatever_their_type() -> None:
    assert right(bag([(5, 5.5)]), bag([(5.0, 5.5)]))
    assert right(bag([(float("nan"), -0.0)]), bag([(float("nan"), 0)]))


def test_text_is_no_number() -> None:
    assert not right(bag([("2019",)]), bag([(2019,)]))
    assert right(bag([("2019",)]), bag([(2019,)]), Policy(numeric_text=True))
    assert not right(bag([("x2019",)]), bag([(2019,)]), Policy(numeric_text=True))


def test_null_is_only_null() -> None:
    assert right(bag([(None,)]), bag([(None,)]))
    assert not right(bag([(None,)]), bag([(0,)]))
    assert not right(bag([(None,)]), bag([("",)]))
    assert not right(bag([("",)]), bag([(b"",)]))


def test_a_tie_of_near_rows() -> None:
    gold = ordered([[(0.3,)], [(0.30000000000000004,)]])
    assert right(gold, bag([(0.3,), (0.30000000000000004,)]))


# Vacuous and broken answers


def test_informative_instances() -> None:
    gold = bag([("x",)], [], [(None,)], width=1)
    assert compare(gold, gold).informative.tolist() == [True, False, False]
    gold = ordered([[(None,)], [("x",)]], limit=1)
    assert compare(gold, gold).informative.tolist() == [False]


def test_errors() -> None:
    gold = bag([], [(1,)], [(1,)], errors={0: "no such column"})
    prediction = bag([], [], [(1,)], width=1, errors={0: "no such column", 1: "no such column"})
    found = compare(gold, prediction)
    assert found.usable.tolist() == [False, True, True]
    assert found.equal.tolist() == [False, False, True]
    assert found.reason.tolist() == [Reason.GOLD_ERROR, Reason.ERROR, Reason.SAME]
    assert found.failed.tolist() == [1]


def test_a_prediction_that_fails_everywhere_has_no_columns() -> None:
    nothing = answer([[], []], 0, errors={0: "x", 1: "x"})
    found = compare(bag([(1,)], [(1,)]), nothing)
    assert found.usable.all() and not found.equal.any()
    assert found.reason.tolist() == [Reason.ERROR, Reason.ERROR]
    assert not compare(nothing, bag([(1,)], [(1,)])).usable.any()


def test_no_instances() -> None:
    found = compare(bag(width=1), bag(width=1))
    assert len(found.equal) == 0


def test_answers_must_be_on_the_same_instances() -> None:
    with pytest.raises(ValueError, match="same instances"):
        compare(bag([(1,)]), bag([(1,)], [(1,)]))


@pytest.mark.parametrize("bad", [{"columns": "some"}, {"rows": "list"}, {"relative": -1.0}, {"absolute": float("nan")}])
def test_policies_are_checked(bad: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Policy(**bad)  # type: ignore[arg-type]


def test_answers_are_not_changed() -> None:
    gold, prediction = bag([(0.1, "a"), (0.3, "b")]), bag([("b", 0.30000000000000004), ("a", 0.1)])
    before = [c.code.copy() for c in (*gold.columns, *prediction.columns)]
    compare(gold, prediction)
    for cells, code in zip((*gold.columns, *prediction.columns), before, strict=True):
        assert np.array_equal(cells.code, code)
