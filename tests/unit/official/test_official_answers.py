"""When two answers are equal: pre-check, permutations, and what they cost."""

from __future__ import annotations

from itertools import permutations, product
from time import perf_counter

import numpy as np
import pytest

from testsuite.official.answers import Row, answers_equal


@pytest.mark.parametrize(
    ("gold", "prediction", "unordered", "ordered"),
    [
        ([], [], True, True),
        ([(1,)], [], False, False),
        ([(1,)], [(1, 1)], False, False),
        ([(1,), (2,)], [(2,), (1,)], True, False),
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)], False, False),
        ([(1, "a")], [("a", 1)], True, True),
        ([(1,)], [(1.0,)], True, True),
        ([(1,)], [("1",)], False, False),
        ([("a",)], [(b"a",)], False, False),
        ([(None, 1)], [(1, None)], True, True),
        ([(0.1 + 0.2,)], [(0.3,)], False, False),
        # The pre-check: 10.5 sorts before "1<class 'int'>" and after "1.0<class 'float'>".
        ([(1, 10.5)], [(1.0, 10.5)], False, False),
        ([(1, "x")], [(1.0, "x")], True, True),
        # Rows stay tied together.
        ([(1, 2), (3, 4)], [(1, 4), (3, 2)], False, False),
        ([(1, 2), (2, 1)], [(1, 1), (2, 2)], False, False),
        # Sorted rows agree as sets, no permutation does.
        ([(1, 2), (1, 2)], [(1, 2), (2, 1)], False, False),
        ([(1, 2, 3), (2, 3, 1)], [(3, 1, 2), (1, 2, 3)], True, True),
    ],
)
def test_answers(gold: list[Row], prediction: list[Row], unordered: bool, ordered: bool) -> None:
    assert answers_equal(gold, prediction, False) is unordered
    assert answers_equal(gold, prediction, True) is ordered


def by_definition(gold: list[Row], prediction: list[Row]) -> bool:
    """Every permutation in turn (small integers, so that the pre-check cannot reject)."""
    wanted = sorted(gold, key=repr)
    return any(
        sorted((tuple(row[at] for at in order) for row in prediction), key=repr) == wanted
        for order in permutations(range(len(gold[0])))
    )


def test_against_every_permutation() -> None:
    rng = np.random.default_rng(5)
    seen = {True: 0, False: 0}
    for _ in range(1500):
        height, width = int(rng.integers(1, 5)), int(rng.integers(2, 5))
        gold: list[Row] = [tuple(row) for row in rng.integers(0, 2, (height, width)).tolist()]
        order = rng.permutation(width).tolist()
        prediction: list[Row] = [tuple(gold[at][to] for to in order) for at in rng.permutation(height).tolist()]
        if rng.random() < 0.6:
            # Two cells exchanged: close to equal.
            row = list(prediction[0])
            row[0], row[-1] = row[-1], row[0]
            prediction[0] = tuple(row)
        expected = by_definition(gold, prediction)
        seen[expected] += 1
        assert answers_equal(gold, prediction, False) is expected, (gold, prediction)
    assert min(seen.values()) > 100


def test_alike_columns_cost_little() -> None:
    start = perf_counter()
    same: list[Row] = [(number % 7,) * 10 for number in range(500)]
    assert answers_equal(same, same[::-1], False)
    bits: list[Row] = [tuple(row) for row in product((0, 1), repeat=8)]
    assert answers_equal(bits, [row[::-1] for row in bits], False)
    one = [tuple(int(at == number) for at in range(16)) for number in range(16)]
    assert answers_equal([*one, *one[:3]], [row[::-1] for row in (*one, *one[:3])], False)
    # A ring of 16 against two rings of 8: all columns look alike, none fits.
    ring: list[Row] = [tuple(int(at in (n, (n + 1) % 16)) for at in range(16)) for n in range(16)]
    rings: list[Row] = [tuple(int(at in (n, n // 8 * 8 + (n + 1) % 8)) for at in range(16)) for n in range(16)]
    assert not answers_equal(ring, rings, False)
    # The same beside eight columns that are one column eight times.
    assert not answers_equal([(7,) * 8 + row for row in ring], [(7,) * 8 + row for row in rings], False)
    assert perf_counter() - start < 5
