"""Reals within a tolerance get one code."""

from __future__ import annotations

import numpy as np
from answers import Value, bag

from testsuite.compare import Policy, cells_from_python, compare
from testsuite.compare.tolerance import snap


def clusters(values: list[Value], relative: float = 0.0, absolute: float = 0.0) -> list[int]:
    """The cluster each value falls in, numbered by first appearance."""
    cells = cells_from_python(values)
    side = ([cells], np.zeros(len(values), dtype=np.int32), cells.code[None, :])
    ((codes,),) = snap([side], np.ones(1, dtype=bool), [0], [(relative, absolute)])
    seen: dict[int, int] = {}
    return [seen.setdefault(int(code), len(seen)) for code in codes[0]]


def test_near_reals_share_a_cluster() -> None:
    assert clusters([0.3, 7.5, 0.30000000000000004, 7.4], relative=1e-9) == [0, 1, 0, 2]
    assert clusters([0.3, 0.30000000000000004]) == [0, 1]


def test_a_whole_number_takes_near_reals() -> None:
    assert clusters([2.9999999999999996, 3, 3.0, 3.0000000000000004], relative=1e-9) == [0, 0, 0, 0]


def test_chains_are_cut() -> None:
    assert clusters([0.1, 0.2, 0.3, 0.4, 0.5], absolute=0.11) == [0, 0, 1, 1, 2]
    assert clusters([-0.5, -0.4, -0.3], absolute=0.11) == [0, 0, 1]


def test_whole_numbers_never_share_a_cluster() -> None:
    assert clusters([1, 2, 3.0], absolute=5.0) == [0, 1, 2]
    assert clusters([1, 1.5, 2, 2.5], absolute=5.0) == [0, 0, 1, 1]
    assert clusters([10**10, 10**10 + 1, 10**10 + 0.5], relative=1e-9) == [0, 1, 0]
    assert clusters([2**53 + 1, 2**53 + 2, 0.5], absolute=5.0) == [0, 1, 2]


def test_text_and_null_stay_as_they_are() -> None:
    assert clusters(["0.3", 0.3, None, float("inf"), float("nan"), 0.30000000000000004], relative=1e-9) == [
        0,
        1,
        2,
        3,
        4,
        1,
    ]


def test_only_the_instances_asked_for() -> None:
    cells = cells_from_python([0.3, 0.30000000000000004] * 2)
    side = ([cells], np.array([0, 0, 1, 1], dtype=np.int32), cells.code[None, :])
    ((codes,),) = snap([side], np.array([False, True]), [0], [(1e-9, 0.0)])
    assert codes[0, 0] != codes[0, 1] and codes[0, 2] == codes[0, 3]


def test_noise_among_close_values_is_found() -> None:
    # Times in seconds lie within 1e-9 of one another; the narrow tolerance keeps them apart and forgives the noise.
    times = [1.7e9 + 0.25 * i + 0.1 for i in range(40)]
    noisy = [t * (1 + 2e-16 * (i % 3)) for i, t in enumerate(times)]
    assert compare(bag([(t,) for t in times]), bag([(t,) for t in noisy])).equal[0]
    assert not compare(bag([(t,) for t in times]), bag([(t,) for t in noisy]), Policy(relative=0)).equal[0]


def test_noise_at_the_edge_of_a_cluster_is_forgiven() -> None:
    gold, other = bag([(0.15,), (0.25,)]), bag([(0.15,), (0.25000000000000006,)])
    assert clusters([0.15, 0.25, 0.25000000000000006], absolute=0.1) == [0, 0, 1]
    assert compare(gold, other, Policy(absolute=0.1)).equal[0]
