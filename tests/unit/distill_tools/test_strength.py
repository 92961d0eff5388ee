"""Curves of how much random and chosen instances separate."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from distill.build import BuildOptions
from distill.strength import chosen_curve, measure_kills, random_curve
from distill.study import embedded_study
from testsuite.errors import InputError

# Three neighbours on four candidates: easy, hard, seen nowhere.
MATRIX = np.array([[1, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]], dtype=bool)


def test_random_curve_is_the_mean_over_all_draws() -> None:
    by_hand = [
        np.mean([MATRIX[:, list(drawn)].any(axis=1).mean() for drawn in combinations(range(4), n)]) for n in range(5)
    ]
    assert random_curve(MATRIX, range(5)) == pytest.approx(by_hand)


def test_chosen_curve_takes_the_best_first() -> None:
    assert chosen_curve(MATRIX, range(5)) == pytest.approx([0, 1 / 3, 2 / 3, 2 / 3, 2 / 3])


def test_curves_of_nothing() -> None:
    empty = np.zeros((0, 3), dtype=bool)
    assert chosen_curve(empty, [0, 3]).tolist() == [0, 0] == random_curve(empty, [0, 3]).tolist()
    assert chosen_curve(MATRIX, []).tolist() == []


def test_chosen_is_never_less_than_random_at_one_and_all() -> None:
    matrix = np.random.default_rng(1).random((40, 12)) < 0.2
    assert chosen_curve(matrix, [1])[0] >= random_curve(matrix, [1])[0]
    assert chosen_curve(matrix, [12])[0] == pytest.approx(random_curve(matrix, [12])[0])


def test_measured_kills(tmp_path: Path) -> None:
    study = embedded_study(tmp_path)
    db_id = sorted(path.name for path in study.database.iterdir())[0]
    options = BuildOptions(instances=8, neighbours=3)
    found = measure_kills(study.tables, study.database, [study.gold], db_id, options)
    assert found.db_id == db_id
    assert found.matrix.shape == (len(found.neighbours), 8) and found.matrix.dtype == bool
    assert len(found.gold_of) == len(found.neighbours) and max(found.gold_of) < len(found.golds)
    assert 0.5 < found.matrix.any(axis=1).mean() <= 1
    again = measure_kills(study.tables, study.database, [study.gold], db_id, options)
    assert np.array_equal(found.matrix, again.matrix) and found.neighbours == again.neighbours


def test_unknown_database(tmp_path: Path) -> None:
    study = embedded_study(tmp_path)
    with pytest.raises(InputError, match="nowhere"):
        measure_kills(study.tables, study.database, [study.gold], "nowhere")
