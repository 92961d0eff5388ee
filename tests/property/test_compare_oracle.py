"""Comparison against an oracle that writes out every answer a query can give and every order of columns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from answers import Row, admitted, answer, reorder, sequences
from hypothesis import given, settings
from hypothesis import strategies as st

from testsuite.compare import Answer, Policy, Reason, compare, compare_open, determined, take_answer

STRICT = Policy(columns="strict")
POOLS = (
    [0, 1],
    [0, 1, None],
    [0, 1, 2.0, "a", "1", None, b"a"],
    [0.1, 0.10000000000000002, 2, 1.9999999999999998],
)


@dataclass(frozen=True)
class Query:
    """What a query gives on each instance: tie groups, and the clauses over them."""

    results: list[list[list[Row]]]
    width: int
    ordered: bool
    limit: int | None
    offset: int

    def answer(self) -> Answer:
        return answer(self.results, self.width, self.ordered, self.limit, self.offset)

    def gives(self, instance: int, order: tuple[int, ...] | None = None) -> set[tuple[tuple[object, ...], ...]]:
        groups = self.results[instance]
        groups = groups if order is None else reorder(groups, order)
        return sequences(groups, self.ordered, self.limit, self.offset, 1)


def grouped(draw: st.DrawFn, rows: list[Row], ordered: bool) -> list[list[Row]]:
    if not ordered:
        return [rows]
    groups: list[list[Row]] = []
    for row in rows:
        if groups and draw(st.booleans()):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


@st.composite
def pairs(draw: st.DrawFn, widths: tuple[int, int] = (1, 3), clauses: bool = True) -> tuple[Query, Query]:
    """Two queries, the second mostly a variation of the first: other order, ties or columns, one other cell."""
    width = draw(st.integers(*widths))
    limits = st.sampled_from([None, None, 0, 1, 2, 3]) if clauses else st.none()
    gold_ordered, other_ordered = draw(st.booleans()) and clauses, draw(st.booleans()) and clauses
    gold_limit, gold_offset = draw(limits), draw(st.sampled_from([0, 0, 0, 1, 2])) if clauses else 0
    other_limit = draw(st.sampled_from([gold_limit, draw(limits)]))
    other_offset = draw(st.sampled_from([gold_offset, gold_offset, 0]))
    order = draw(st.permutations(range(width)))
    gold, other = [], []
    for _ in range(draw(st.integers(1, 3))):
        cell = st.sampled_from(draw(st.sampled_from(POOLS)))
        row = st.tuples(*[cell] * width)
        rows = draw(st.lists(row, max_size=4))
        groups = grouped(draw, rows, gold_ordered)
        gold.append(groups)
        if draw(st.integers(0, 5)) == 0:
            changed = draw(st.lists(row, max_size=4))
        else:
            changed = list(rows) if draw(st.booleans()) else draw(st.permutations(rows))
            own = order if draw(st.integers(0, 3)) else draw(st.permutations(range(width)))
            changed = [tuple(r[i] for i in own) for r in changed]
            if changed and draw(st.integers(0, 4)) == 0:
                changed[draw(st.integers(0, len(changed) - 1))] = draw(row)
        other.append(grouped(draw, changed, other_ordered))
    return (
        Query(gold, width, gold_ordered, gold_limit, gold_offset),
        Query(other, width, other_ordered, other_limit, other_offset),
    )


def truth(gold: Query, other: Query, order: tuple[int, ...]) -> list[bool]:
    return [admitted(gold.gives(i), other.gives(i, order), gold.ordered) for i in range(len(gold.results))]


@settings(max_examples=500)
@given(pairs())
def test_columns_in_place(pair: tuple[Query, Query]) -> None:
    gold, other = pair
    found = compare(gold.answer(), other.answer(), STRICT)
    assert found.equal.tolist() == truth(gold, other, tuple(range(gold.width)))
    assert found.permutation is None and found.joint and found.complete


@settings(max_examples=500)
@given(pairs())
def test_columns_in_any_order(pair: tuple[Query, Query]) -> None:
    gold, other = pair
    found = compare(gold.answer(), other.answer())
    every = {order: truth(gold, other, order) for order in permutations(range(gold.width))}
    used = found.permutation or tuple(range(gold.width))
    assert found.equal.tolist() == every[used]
    assert found.equal.sum() == max(map(sum, every.values()))
    matchable = np.array(list(every.values())).any(axis=0)
    assert found.joint == (not (matchable & ~found.equal).any())


@settings(max_examples=250)
@given(pairs(widths=(4, 4)))
def test_four_columns_in_any_order(pair: tuple[Query, Query]) -> None:
    gold, other = pair
    found = compare(gold.answer(), other.answer())
    every = {order: truth(gold, other, order) for order in permutations(range(gold.width))}
    used = found.permutation or tuple(range(gold.width))
    assert found.complete
    assert found.equal.tolist() == every[used]
    matchable = np.array(list(every.values())).any(axis=0)
    best = max(map(sum, every.values()))
    if best == matchable.sum():  # one order serves all that can be served: it must be found
        assert found.equal.sum() == best
        assert found.joint
    else:
        assert not found.joint


@settings(max_examples=400)
@given(pairs())
def test_differences_in_ties_only(pair: tuple[Query, Query]) -> None:
    gold, other = pair
    found = compare(gold.answer(), other.answer())
    for i in range(len(gold.results)):
        bags = [
            {tuple(sorted(s, key=repr)) for s in query.gives(i, order)}
            for query, order in ((gold, None), (other, found.permutation))
        ]
        lengths = {len(s) for s in bags[0] | bags[1]}
        if found.equal[i]:
            assert found.reason[i] == Reason.SAME
            assert not found.tie_only[i]
        elif not bags[0] & bags[1]:
            # Two cut groups count as one, so a tie may be seen where there is none.
            assert not found.tie_only[i] or (gold.offset or other.offset)
            assert (found.reason[i] == Reason.ROWS) == (len(lengths) > 1)
        else:
            assert found.tie_only[i]
            assert found.reason[i] in (Reason.ORDER, Reason.TIES)


@settings(max_examples=200)
@given(pairs(), st.randoms(use_true_random=False))
def test_what_does_not_matter(pair: tuple[Query, Query], random: object) -> None:
    gold, other = pair
    plain = compare(gold.answer(), other.answer())
    for query in pair:
        for groups in query.results:
            for group in groups:
                random.shuffle(group)  # type: ignore[attr-defined]
    again = compare(gold.answer(), other.answer())
    assert again.equal.tolist() == plain.equal.tolist()
    assert again.tie_only.tolist() == plain.tie_only.tolist()
    places = list(range(len(gold.results)))[::-1]
    strict = compare(gold.answer(), other.answer(), STRICT)
    turned = compare(take_answer(gold.answer(), places), take_answer(other.answer(), places), STRICT)
    assert turned.equal.tolist() == strict.equal.tolist()[::-1]


@settings(max_examples=300)
@given(pairs())
def test_every_answer_equals_itself(pair: tuple[Query, Query]) -> None:
    for query in pair:
        found = compare(query.answer(), query.answer())
        assert found.equal.all() and found.permutation is None
        assert determined(query.answer(), query.answer()).all()


@settings(max_examples=300)
@given(pairs(clauses=False))
def test_bags_are_symmetric(pair: tuple[Query, Query]) -> None:
    one, other = (query.answer() for query in pair)
    there, back = compare(one, other), compare(other, one)
    assert there.equal.sum() == back.equal.sum()
    assert compare(one, other, STRICT).equal.tolist() == compare(other, one, STRICT).equal.tolist()


@settings(max_examples=200)
@given(pairs(), pairs())
def test_open_queries(gold: tuple[Query, Query], other: tuple[Query, Query]) -> None:
    """Both readings of each query have the same clauses; they differ in their rows."""
    if gold[0].width != other[0].width:
        return
    count = min(len(gold[0].results), len(other[0].results))
    high = Query(gold[1].results, gold[0].width, gold[1].ordered, gold[0].limit, gold[0].offset)
    if gold[0].ordered != high.ordered:
        return
    places = range(count)
    low, high_answer, prediction = (take_answer(q.answer(), places) for q in (gold[0], high, other[0]))
    found = compare_open(low, high_answer, prediction, None, STRICT)
    sure = determined(low, high_answer)
    assert found.usable.tolist() == sure.tolist()
    assert found.equal.tolist() == (compare(low, prediction, STRICT).equal & sure).tolist()


@settings(max_examples=300)
@given(
    st.lists(st.tuples(st.floats(-1e12, 1e12), st.sampled_from([0.0, 1e-16, -1e-16, 1e-15])), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
)
def test_noise_never_matters(values: list[tuple[float, float]], random: object) -> None:
    rows = [(v,) for v, _ in values]
    noisy = [(v * (1 + noise),) for v, noise in values]
    random.shuffle(noisy)  # type: ignore[attr-defined]
    one, other = answer([[rows]], 1), answer([[noisy]], 1)
    assert compare(one, other).equal.all()
    assert compare(other, one).equal.all()


@settings(max_examples=300)
@given(
    st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), min_size=1, max_size=6),
    st.sampled_from([1e-9, 1e-3]),
)
def test_what_is_equal_is_within_the_tolerance(values: list[tuple[float, float]], relative: float) -> None:
    one = answer([[[(a,)]] for a, _ in values], 1)
    other = answer([[[(b,)]] for _, b in values], 1)
    found = compare(one, other, Policy(relative=relative))
    for (a, b), equal in zip(values, found.equal, strict=True):
        near = abs(a - b) <= relative * max(abs(a), abs(b))
        whole = a == int(a) and b == int(b)
        assert equal == (a == b or (near and not whole))
