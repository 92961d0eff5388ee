"""The greedy cover keeps few instances and meets every requirement that can be met."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from distill.cover import greedy_cover


def test_one_column_is_enough():
    matrix = np.array([[1, 0, 1], [0, 1, 1]], dtype=bool)
    assert greedy_cover(matrix, np.array([1, 1]), np.ones(3)) == [2]


def test_cost_decides_between_equals():
    matrix = np.array([[1, 1]], dtype=bool)
    assert greedy_cover(matrix, np.array([1]), np.array([5.0, 1.0])) == [1]


def test_forced_columns_stay_and_count():
    matrix = np.array([[1, 1]], dtype=bool)
    assert greedy_cover(matrix, np.array([1]), np.ones(2), forced=[1]) == [1]


def test_an_impossible_row_is_left():
    matrix = np.array([[0, 0], [0, 1]], dtype=bool)
    assert greedy_cover(matrix, np.array([2, 1]), np.ones(2)) == [1]


@settings(max_examples=80)
@given(
    hnp.arrays(bool, st.tuples(st.integers(0, 12), st.integers(1, 8))),
    st.integers(1, 3),
)
def test_every_need_is_met_and_nothing_is_redundant(matrix, k):
    need = np.full(len(matrix), k)
    kept = greedy_cover(matrix, need, np.ones(matrix.shape[1]))
    target = np.minimum(need, matrix.sum(axis=1))
    assert (matrix[:, kept].sum(axis=1) >= target).all()
    for column in kept:
        rest = [c for c in kept if c != column]
        assert (matrix[:, rest].sum(axis=1) < target).any()
