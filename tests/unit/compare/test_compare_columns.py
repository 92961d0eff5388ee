"""The search for an order of columns where there are many."""

from __future__ import annotations

import time

import numpy as np
import pytest
from answers import Row, bag

from testsuite.compare import compare


def one_hot(width: int) -> list[Row]:
    return [tuple(int(i == j) for j in range(width)) for i in range(width)]


def cycles(*lengths: int) -> list[Row]:
    """Rows are the edges, columns the vertices of disjoint cycles. Refinement alone can't tell their lengths."""
    rows, begin, width = [], 0, sum(lengths)
    for length in lengths:
        for i in range(length):
            row = [0] * width
            row[begin + i] = row[begin + (i + 1) % length] = 1
            rows.append(tuple(row))
        begin += length
    return rows


def shuffled(rows: list[Row], seed: int = 0) -> list[Row]:
    """The rows in another order, and their columns in another."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(rows[0]))
    return [tuple(rows[i][j] for j in order) for i in rng.permutation(len(rows))]


def restored(rows: list[Row], order: tuple[int, ...]) -> list[Row]:
    return sorted(tuple(row[i] for i in order) for row in rows)


@pytest.mark.parametrize("rows", [one_hot(10), cycles(12), cycles(4, 4, 4), cycles(3, 4, 5), one_hot(6) + cycles(6)])
def test_symmetric_columns_are_found(rows: list[Row]) -> None:
    other = shuffled(rows)
    found = compare(bag(rows), bag(other))
    assert found.equal[0] and found.complete and found.joint
    assert restored(other, found.permutation or tuple(range(len(rows[0])))) == sorted(rows)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (cycles(12), cycles(6, 6)),
        (cycles(3, 9), cycles(4, 8)),
        (one_hot(8), [*one_hot(8)[2:], (0,) * 8, (1, 1, *(0,) * 6)]),
    ],
)
def test_symmetric_columns_that_do_not_match(one: list[Row], other: list[Row]) -> None:
    found = compare(bag(one), bag(other))
    assert not found.equal[0] and found.complete


def test_identical_columns_cost_nothing() -> None:
    rows = [(i % 7,) * 12 for i in range(1000)]
    other = [(*row[:11], row[0] + (i == 3)) for i, row in enumerate(rows)]
    one, two = bag(rows), bag(other)
    started = time.process_time()
    assert compare(one, one).equal[0]
    assert not compare(one, two).equal[0]
    assert time.process_time() - started < 0.5


def test_an_order_that_only_some_instances_ask_for() -> None:
    rng = np.random.default_rng(1)
    contents = [[tuple(map(int, row)) for row in rng.integers(0, 3, (6, 5))] for _ in range(20)]
    order = (3, 1, 4, 0, 2)
    other = [[tuple(row[i] for i in order) for row in rows] for rows in contents]
    back = tuple(int(i) for i in np.argsort(order))
    found = compare(bag(*contents), bag(*other))
    assert found.equal.all() and found.permutation == back
    other[7] = contents[7]
    found = compare(bag(*contents), bag(*other))
    assert found.failed.tolist() == [7] and found.permutation == back and not found.joint
    other[7] = [(0, 0, 0, 0, 0)] * 6
    found = compare(bag(*contents), bag(*other))
    assert found.failed.tolist() == [7] and found.permutation == back and found.joint


def test_instances_that_only_together_tell_columns_apart() -> None:
    gold = bag([(1, 1, 0, 0)], [(1, 0, 1, 0)])
    found = compare(gold, bag([(0, 1, 1, 0)], [(0, 0, 1, 1)]))
    assert found.equal.all() and found.permutation == (2, 1, 3, 0)


def test_noise_in_exchanged_columns() -> None:
    rng = np.random.default_rng(2)
    rows = [(f"n{i}", float(a), float(b), int(c)) for i, (a, b, c) in enumerate(rng.random((30, 3)) * 9)]
    other = [(n, b * (1 + 1e-15), c, a * (1 - 1e-15)) for n, a, b, c in rows]
    found = compare(bag(rows), bag(other))
    assert found.equal[0] and found.permutation == (0, 3, 1, 2)
