"""What a change of both answers, or of one, must do to a verdict, whatever the answers are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from answers import Row, Value, answer, bag, reorder
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from testsuite.compare import Answer, Comparison, Policy, compare, take_answer

STRICT = Policy(columns="strict")
CELL = st.sampled_from([0, 1, 2, 7, None, "a", "b", "1", 0.5, b"a"])
Bags = list[list[Row]]


@st.composite
def tables(draw: st.DrawFn, least: int = 0) -> tuple[int, Bags]:
    """A width of 1 to 3, and 1 to 3 instances of at most 5 rows."""
    width = draw(st.integers(1, 3))
    rows = st.lists(st.tuples(*[CELL] * width), min_size=least, max_size=5)
    return width, draw(st.lists(rows, min_size=1, max_size=3))


@st.composite
def two_tables(draw: st.DrawFn) -> tuple[int, Bags, Bags]:
    """Two answers of one width; the second mostly has the rows of the first, in another order, a little changed."""
    width, one = draw(tables())
    other = []
    for rows in one:
        changed = draw(st.permutations(rows))
        if changed and draw(st.integers(0, 2)) == 0:
            changed[0] = draw(st.tuples(*[CELL] * width))
        other.append(changed)
    return width, one, other


def same(one: Comparison, other: Comparison) -> None:
    assert one.equal.tolist() == other.equal.tolist()
    assert one.reason.tolist() == other.reason.tolist()


def mapped(bags: Bags, change: Callable[[Value], Value]) -> Bags:
    return [[tuple(map(change, row)) for row in rows] for rows in bags]


def renamed(value: Value) -> Value:
    """Another value for every value, and never one value for two."""
    match value:
        case int() | float():
            return value * 4 + 3
        case str():
            return f"x{value}"
        case bytes():
            return b"x" + value
        case _:
            return None


@settings(max_examples=150)
@given(two_tables(), st.randoms(use_true_random=False))
def test_columns_of_both_in_another_order(pair: tuple[int, Bags, Bags], random) -> None:  # type: ignore[no-untyped-def]
    width, one, other = pair
    order = random.sample(range(width), width)
    turned = [bag(*reorder(bags, order), width=width) for bags in (one, other)]
    same(compare(bag(*one, width=width), bag(*other, width=width), STRICT), compare(*turned, STRICT))


@settings(max_examples=150)
@given(two_tables(), st.randoms(use_true_random=False))
def test_columns_of_the_prediction_in_another_order(pair: tuple[int, Bags, Bags], random) -> None:  # type: ignore[no-untyped-def]
    width, one, other = pair
    order = random.sample(range(width), width)
    gold, prediction = bag(*one, width=width), bag(*other, width=width)
    there, turned = compare(gold, prediction), compare(gold, bag(*reorder(other, order), width=width))
    assert there.equal.sum() == turned.equal.sum()
    assert there.joint == turned.joint
    if there.joint:
        same(there, turned)


@settings(max_examples=150)
@given(two_tables(), st.randoms(use_true_random=False))
def test_instances_in_another_order(pair: tuple[int, Bags, Bags], random) -> None:  # type: ignore[no-untyped-def]
    width, one, other = pair
    places = random.sample(range(len(one)), len(one))
    gold, prediction = bag(*one, width=width), bag(*other, width=width)
    there = compare(gold, prediction)
    assume(there.joint)
    turned = compare(take_answer(gold, places), take_answer(prediction, places))
    assert turned.equal.tolist() == there.equal[places].tolist()


@settings(max_examples=150)
@given(two_tables())
def test_all_values_renamed(pair: tuple[int, Bags, Bags]) -> None:
    width, one, other = pair
    plain = compare(bag(*one, width=width), bag(*other, width=width))
    again = compare(*(bag(*mapped(bags, renamed), width=width) for bags in (one, other)))
    assert plain.equal.sum() == again.equal.sum()


@settings(max_examples=150)
@given(two_tables())
def test_either_may_be_the_gold(pair: tuple[int, Bags, Bags]) -> None:
    width, one, other = pair
    there = compare(bag(*one, width=width), bag(*other, width=width), STRICT)
    back = compare(bag(*other, width=width), bag(*one, width=width), STRICT)
    same(there, back)


@settings(max_examples=150)
@given(tables(least=1), st.data())
def test_a_row_more_a_row_less_a_cell_changed(table: tuple[int, Bags], data: st.DataObject) -> None:
    width, bags = table
    gold = bag(*bags, width=width)
    place = data.draw(st.integers(0, len(bags) - 1))
    expected = [number != place for number in range(len(bags))]
    rows = bags[place]
    row = data.draw(st.sampled_from(rows))
    more, less = [*rows, row], rows[1:]
    other = ["?", *rows[0][1:]]
    for changed in (more, less, [tuple(other), *rows[1:]]):
        prediction = bag(*bags[:place], changed, *bags[place + 1 :], width=width)
        for policy in (STRICT, Policy()):
            assert compare(gold, prediction, policy).equal.tolist() == expected
    # As sets, a row that was there already adds nothing.
    twice = bag(*bags[:place], more, *bags[place + 1 :], width=width)
    assert compare(gold, twice, Policy(rows="set")).equal.all()


@settings(max_examples=100)
@given(tables(), CELL)
def test_a_column_more(table: tuple[int, Bags], value: Value) -> None:
    width, bags = table
    wider = [[(*row, value) for row in rows] for rows in bags]
    assert compare(bag(*wider, width=width + 1), bag(*wider, width=width + 1)).equal.all()
    for policy in (STRICT, Policy(), Policy(columns="name"), Policy(rows="set")):
        assert not compare(bag(*bags, width=width), bag(*wider, width=width + 1), policy).equal.any()
        assert not compare(bag(*wider, width=width + 1), bag(*bags, width=width), policy).equal.any()


@st.composite
def rankings(draw: st.DrawFn) -> list[list[Row]]:
    """Tie groups whose rows are all different, at least two of them."""
    rows = [(number,) for number in draw(st.permutations(range(draw(st.integers(2, 6)))))]
    cuts = draw(st.sets(st.integers(1, len(rows) - 1), min_size=1))
    edges = [0, *sorted(cuts), len(rows)]
    return [rows[a:b] for a, b in pairwise(edges)]


def ranked(groups: list[list[Row]], limit: int | None = None) -> Answer:
    return answer([groups], 1, ordered=True, limit=limit)


@settings(max_examples=150)
@given(rankings(), st.data())
def test_order_counts_between_tie_groups_and_not_inside(groups: list[list[Row]], data: st.DataObject) -> None:
    gold = ranked(groups)
    inside = [list(reversed(group)) for group in groups]
    alone = [[row] for group in inside for row in group]
    assert compare(gold, ranked(inside)).equal.all()
    # A prediction may settle what the gold leaves open, but not leave open what the gold settles.
    assert compare(gold, ranked(alone)).equal.all()
    at = data.draw(st.integers(0, len(groups) - 2))
    exchanged = [*groups[:at], groups[at + 1], groups[at], *groups[at + 2 :]]
    merged = [*groups[:at], groups[at] + groups[at + 1], *groups[at + 2 :]]
    unordered = bag([row for group in groups for row in group])
    for wrong in (ranked(exchanged), ranked(merged), unordered):
        found = compare(gold, wrong)
        assert not found.equal.any() and found.tie_only.all()
    # Where the gold asks for no order, none of this matters.
    for right in (ranked(exchanged), ranked(merged), ranked(alone)):
        assert compare(unordered, right).equal.all()


@settings(max_examples=150)
@given(rankings(), st.integers(0, 6))
def test_a_cut_admits_what_the_gold_may_keep(groups: list[list[Row]], limit: int) -> None:
    gold = ranked(groups, limit)
    flat = [row for group in groups for row in group]
    taken = [row for group in groups for row in reversed(group)][:limit]
    assert compare(gold, gold).equal.all()
    assert compare(gold, ranked([[row] for row in flat], limit)).equal.all()
    assert compare(gold, ranked([[row] for row in taken])).equal.all()
    if 0 < limit < len(flat):
        # One row too many, one too few, and a row that the gold never has.
        for rows in (flat[: limit + 1], flat[: limit - 1], [*flat[: limit - 1], (99,)]):
            assert not compare(gold, ranked([[row] for row in rows])).equal.any()
        determined = any(limit == sum(map(len, groups[: n + 1])) for n in range(len(groups)))
        assert compare(ranked([[row] for row in flat], limit), gold).equal.all() == (
            determined and all(len(group) == 1 for group in _kept(groups, limit))
        )


def _kept(groups: list[list[Row]], limit: int) -> list[list[Row]]:
    """The tie groups that have a place before the cut."""
    begins = np.cumsum([0, *map(len, groups)])[:-1]
    return [group for group, begin in zip(groups, begins, strict=True) if begin < limit]
