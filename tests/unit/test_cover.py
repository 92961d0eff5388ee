"""The cover keeps few instances and meets every requirement that can be met."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from distill.cover import cover, essential


def test_one_column_is_enough():
    matrix = np.array([[1, 0, 1], [0, 1, 1]], dtype=bool)
    assert cover(matrix, np.array([1, 1]), np.ones(3)) == [2]


def test_cost_decides_between_equals():
    matrix = np.array([[1, 1, 1]], dtype=bool)
    assert cover(matrix, np.array([1]), np.array([5.0, 1.0, 3.0])) == [1]
    assert cover(matrix, np.array([1]), np.array([5.0, 3.0, 1.0]), steps=0) == [2]


def test_fewer_columns_are_worth_more_than_cheap_ones():
    matrix = np.array([[1, 0, 1], [0, 1, 1]], dtype=bool)
    assert cover(matrix, np.array([1, 1]), np.array([1.0, 1.0, 100.0])) == [2]


def test_forced_columns_stay_and_count():
    matrix = np.array([[1, 1]], dtype=bool)
    assert cover(matrix, np.array([1]), np.ones(2), forced=[1]) == [1]
    assert cover(np.zeros((0, 3), dtype=bool), np.zeros(0, dtype=int), np.ones(3), forced=[2, 0]) == [2, 0]


def test_an_impossible_row_is_left():
    matrix = np.array([[0, 0], [0, 1]], dtype=bool)
    assert cover(matrix, np.array([2, 1]), np.ones(2)) == [1]


def test_local_search_finds_what_greedy_misses():
    """Greedy takes the widest column first; the two others do without it."""
    matrix = np.array([[1, 1, 0], [1, 1, 0], [0, 1, 0], [1, 0, 1], [1, 0, 1], [0, 0, 1]], dtype=bool)
    assert cover(matrix, np.ones(6, dtype=int), np.ones(3), steps=0) == [1, 2]
    halves = np.zeros((14, 5), dtype=bool)
    halves[0::2, 0], halves[1::2, 1] = True, True
    for column, rows in ((2, range(8)), (3, range(8, 12)), (4, range(12, 14))):
        halves[list(rows), column] = True
    assert cover(halves, np.ones(14, dtype=int), np.ones(5)) == [0, 1]


def test_implied_requirements_are_left_out():
    matrix = np.array([[1, 1, 1], [1, 1, 0], [1, 1, 0], [0, 0, 1]], dtype=bool)
    assert essential(matrix, np.array([1, 1, 1, 0])).tolist() == [1]
    assert essential(matrix, np.array([3, 1, 2, 1])).tolist() == [0, 2, 3]


def smallest(matrix, target):
    columns = range(matrix.shape[1])
    for size in range(matrix.shape[1] + 1):
        for chosen in itertools.combinations(columns, size):
            if (matrix[:, list(chosen)].sum(axis=1) >= target).all():
                return size
    raise AssertionError("all columns together meet every target")


MATRICES = hnp.arrays(bool, st.tuples(st.integers(0, 12), st.integers(1, 8)))


@settings(max_examples=80, deadline=None)
@given(MATRICES, st.integers(1, 3), st.integers(0, 3))
def test_every_need_is_met_nothing_is_redundant_and_few_are_enough(matrix, k, seed):
    need = np.full(len(matrix), k)
    kept = cover(matrix, need, np.ones(matrix.shape[1]), (), np.random.default_rng(seed), 300)
    assert kept == cover(matrix, need, np.ones(matrix.shape[1]), (), np.random.default_rng(seed), 300)
    target = np.minimum(need, matrix.sum(axis=1))
    assert (matrix[:, kept].sum(axis=1) >= target).all()
    for column in kept:
        rest = [c for c in kept if c != column]
        assert (matrix[:, rest].sum(axis=1) < target).any()
    assert len(kept) == smallest(matrix, target)
