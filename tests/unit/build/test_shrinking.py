"""Which separations instances are kept for, how far they may be cut, and that shrinking loses none of it."""

from __future__ import annotations

import numpy as np
import pytest

from distill.build.choice import Choice, confirm
from distill.build.nearness import Nearness, informative_of
from distill.build.options import seeded_rng
from distill.build.shrinking import level, resting, shrink_suite
from distill.fuzz import generate_with_assumptions, suite_storage, violations
from distill.matrix import ask_gold, kill_row
from distill.neighbours import Neighbour
from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Referee
from testsuite.engine.session import Session
from testsuite.schema import Affinity, Column, ForeignKey, Schema, Table
from testsuite.score.options import ScoreOptions
from testsuite.shrink import Bounds

SCHEMA = Schema(
    "farm",
    (
        Table("farm", (Column("id", "INT", Affinity.INTEGER), Column("area", "INT", Affinity.INTEGER)), ("id",)),
        Table(
            "cow",
            (Column("farm", "INT", Affinity.INTEGER), Column("age", "INT", Affinity.INTEGER)),
            (),
            (),
            (ForeignKey(("farm",), "farm", ("id",)),),
        ),
    ),
)
GOLDS = ["SELECT count(*) FROM cow WHERE age > 3", "SELECT area FROM farm JOIN cow ON cow.farm = farm.id WHERE age = 2"]
NEAR = [(0, "SELECT count(*) FROM cow WHERE age >= 3"), (1, "SELECT area FROM farm JOIN cow ON 1 = 1 WHERE age = 2")]


def test_level_is_the_largest_that_fits():
    sizes = np.array([10, 50, 100])
    assert level(sizes, 1000) == 100
    assert level(sizes, 100) == 45
    assert level(sizes, 2) == 0


def test_needs_rest_on_small_instances_first():
    marks = np.array([[True, True, True], [True, False, True]])
    sizes = np.array([9, 5, 1])
    assert resting(marks, sizes, 1).tolist() == [[False, False, True], [False, False, True]]
    assert resting(marks, sizes, 2).tolist() == [[False, True, True], [True, False, True]]


@pytest.fixture(scope="module")
def session():
    with Session() as opened:
        yield opened


def test_shrinking_keeps_separations_rules_and_fixed_instances(session):
    made = generate_with_assumptions(SCHEMA, GOLDS, None, 12, seeded_rng(3, "farm"))
    stack, storage, now = made.stack, suite_storage(SCHEMA), ScoreOptions().instant

    def evaluator(content):
        session.load(content)
        return Evaluator(content, session, Referee(content), now)

    judge = evaluator(stack)
    golds = [ask_gold(judge, gold) for gold in GOLDS]
    rows = tuple(kill_row(judge, n, golds[n], Neighbour(sql, "made")) for n, sql in NEAR)
    near = Nearness(rows, ((), ()), informative_of(golds, stack.count))
    confirmed: list[set[int]] = [set(), set()]
    assert confirm(judge, GOLDS, near, range(stack.count), 2, confirmed) == 0
    choice = Choice(tuple(range(stack.count)), tuple(frozenset(found) for found in confirmed))
    assert all(len(found) == 2 for found in confirmed)
    bounds = Bounds.of(SCHEMA, storage, None, "observed")

    def shrunk(most):
        rng = seeded_rng(1, "farm")
        return shrink_suite(stack, near, choice, GOLDS, bounds, most, 2, [0], rng, evaluator)

    assert shrunk(10_000).stack is stack
    done = shrunk(30)
    assert done.after < done.before == int(stack.row_counts.sum())
    assert done.stack.rows(0) == stack.rows(0)
    assert violations(done.stack, made.rules) == []
    assert [len(found) for found in done.choice.confirmed] == [2, 2]
    again = evaluator(done.stack)
    truth = [ask_gold(again, gold) for gold in GOLDS]
    for row in done.near.rows:
        assert (kill_row(again, row.gold, truth[row.gold], row.neighbour).kills == row.kills).all()
        assert int(row.kills.sum()) >= min(4, int(near.rows[row.gold].kills.sum()))
    assert (done.near.informative == informative_of(truth, done.stack.count)).all()
