"""Choosing neighbours: valid, distinct, capped, deterministic."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from distill.neighbours import WEIGHTS, NeighbourMaker, neighbours
from distill.operators import OPERATORS, Family
from distill.operators.sample import SAMPLE
from testsuite.query.parse import Unparsed

GOLD = "SELECT c.name, count(*) FROM club c JOIN player p ON c.id = p.club_id WHERE c.city = 'a' GROUP BY c.id"

RICH = (
    "SELECT DISTINCT c.name, max(p.age) FROM club c JOIN player p ON c.id = p.club_id WHERE c.city = 'a' "
    "AND p.height > 1.8 AND c.id IN (SELECT club_id FROM coach WHERE age > 40) GROUP BY c.name, c.id "
    "ORDER BY count(*) DESC LIMIT 3"
)


def test_valid_distinct_and_not_the_gold() -> None:
    maker = NeighbourMaker(SAMPLE, [GOLD])
    made = maker.of(GOLD, cap=1000)
    texts = [n.sql for n in made.neighbours]
    assert len(texts) > 30 and len(set(texts)) == len(texts)
    assert made.left == 0 and made.equivalent and all(e.rule for e in made.equivalent)
    assert not {e.sql for e in made.equivalent} & set(texts)


@pytest.mark.parametrize("cap", [0, 1, 5, 30])
def test_cap(cap: int) -> None:
    made = NeighbourMaker(SAMPLE).of(GOLD, cap=cap)
    assert len(made.neighbours) == cap and made.left > 0


def test_a_cap_above_the_number_of_operators_leaves_none_of_them_out() -> None:
    maker = NeighbourMaker(SAMPLE)
    every = {n.operator for n in maker.of(GOLD, cap=1000).neighbours}
    assert {n.operator for n in maker.of(GOLD, cap=30).neighbours} == every


FAMILIES = {operator.name: operator.family for operator in OPERATORS}


@pytest.mark.parametrize("cap", [8, 12, 60])
def test_every_family_that_has_candidates_is_represented(cap: int) -> None:
    maker = NeighbourMaker(SAMPLE)
    every = {FAMILIES[n.operator] for n in maker.of(RICH, cap=1000).neighbours}
    made = maker.of(RICH, cap=cap, rng=np.random.default_rng(0)).neighbours
    assert {FAMILIES[n.operator] for n in made} == every == set(Family)


def test_families_come_in_proportion_to_how_often_models_err_so() -> None:
    made = NeighbourMaker(SAMPLE).of(RICH, cap=25, rng=np.random.default_rng(0)).neighbours
    counts = Counter(FAMILIES[n.operator] for n in made)
    total = sum(WEIGHTS.values())
    assert set(WEIGHTS) == set(Family)
    for family, weight in WEIGHTS.items():
        assert abs(counts[family] - 25 * weight / total) < 1.5, counts


def test_same_seed_same_neighbours() -> None:
    one, two, other = (neighbours(GOLD, SAMPLE, cap=20, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one == two != other


def test_constants_of_other_golds_are_used() -> None:
    made = neighbours(GOLD, SAMPLE, ["SELECT name FROM club WHERE city = 'Oslo'"], cap=1000)
    assert any("'Oslo'" in n.sql and n.operator == "string" for n in made)


def test_double_quoted_text_is_a_string() -> None:
    made = neighbours('SELECT name FROM club WHERE city = "Rome"', SAMPLE, cap=1000)
    assert any(n.sql.endswith("city <> 'Rome'") for n in made)


def test_unreadable_gold() -> None:
    with pytest.raises(Unparsed):
        neighbours("DELETE FROM club", SAMPLE)
