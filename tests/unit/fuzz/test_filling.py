"""Ties, repeats, references and the parents of planted rows, each looked at alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from distill.fuzz import Policies, generate, suite_storage
from distill.fuzz.constraints import Draft, joint
from distill.fuzz.filling import Filler, base_rows, make_filler, ordered, running
from distill.fuzz.pools import build_pools
from distill.fuzz.profile import draw_profile
from testsuite.schema.sql_text import read_sql_schema
from testsuite.shrink.rules import Reference, read_rules

SCHEMA = read_sql_schema("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b TEXT NOT NULL)", "f")
COUNT = 200


def filler(**traits: object) -> Filler:
    """A filler of instances of ten rows each with wide domains, even draws and the given traits."""
    rng = np.random.default_rng(3)
    rules, _ = read_rules(SCHEMA, None)
    pools = build_pools(SCHEMA, suite_storage(SCHEMA), rules, [], {}, {}, Policies(), rng)
    profile = draw_profile(COUNT, 1, Policies(), rng)
    plain = {
        "sizes": np.full((COUNT, 1), 10),
        "repeats": np.zeros(COUNT),
        "ties": np.zeros(COUNT, dtype=np.bool_),
        "narrow": np.zeros(COUNT, dtype=np.bool_),
        "skew": np.ones(COUNT),
    }
    made = make_filler(replace(profile, **{**plain, **traits}), pools, rules, rng)  # type: ignore[arg-type]
    for place in made.width:
        made.width[place][:] = 32
    return made


def shares(made: Filler) -> tuple[float, float]:
    """The share of instances whose largest or smallest ``a`` is tied, and of those with two rows alike in a and b."""
    (draft,) = base_rows(made)
    order = made.pools.columns[0][1].order
    tied = alike = 0
    for number in range(COUNT):
        rows = draft.codes[draft.instance == number]
        ranks = order[rows[:, 1]]
        tied += (ranks == ranks.max()).sum() > 1 or (ranks == ranks.min()).sum() > 1
        alike += len(np.unique(rows[:, 1:], axis=0)) < len(rows)
        assert len(np.unique(rows[:, 0])) == 10
    return tied / COUNT, alike / COUNT


def test_ties_and_repeats_are_made_where_the_profile_says() -> None:
    tied, alike = shares(filler())
    assert tied < 0.7 and alike < 0.2
    more_tied, _ = shares(filler(ties=np.ones(COUNT, dtype=np.bool_)))
    assert more_tied > tied + 0.25
    _, more_alike = shares(filler(repeats=np.full(COUNT, 0.5)))
    assert more_alike > 0.95


def test_narrow_instances_hold_one_value_per_column() -> None:
    made = filler(narrow=np.ones(COUNT, dtype=np.bool_))
    for place in made.width:
        made.width[place][:] = 1
    (draft,) = base_rows(made)
    assert all(len(np.unique(draft.codes[draft.instance == n, 1])) == 1 for n in range(COUNT))


def test_planted_children_bring_their_parents() -> None:
    schema = read_sql_schema(
        "CREATE TABLE p (code TEXT PRIMARY KEY, v TEXT);"
        "CREATE TABLE c (id INTEGER PRIMARY KEY, code TEXT NOT NULL REFERENCES p(code), w TEXT NOT NULL);",
        "p",
    )
    gold = "SELECT id FROM c WHERE code = 'QX' AND w = 'yes'"
    stack = generate(schema, [gold], None, COUNT, np.random.default_rng(0))
    # About 0.45 with parents; without them repair leaves the children out and 0.07 remain.
    share = np.mean([any(row[1:] == ("QX", "yes") for row in stack.rows(n)["c"]) for n in range(COUNT)])
    assert share > 0.3


def test_running_counts_earlier_equals() -> None:
    assert list(running(np.array([3, 1, 3, 3, 1]))) == [0, 0, 1, 2, 1]


def test_joint_numbers_tell_tuples_apart() -> None:
    rng = np.random.default_rng(0)
    one = [rng.integers(0, 2000, 500) for _ in range(6)]
    two = [np.concatenate([column[:10], rng.integers(0, 2000, 10)]) for column in one]
    mine, theirs = joint(one, two)
    assert list(np.isin(theirs, mine)) == [True] * 10 + [False] * 10
    assert len(np.unique(mine)) == 500


def test_references_come_after_those_they_build_on() -> None:
    upper, lower = Reference(1, (0,), 0, (0,)), Reference(2, (0,), 1, (0,))
    circle = (Reference(3, (0,), 4, (0,)), Reference(4, (0,), 3, (0,)))
    assert ordered([lower, upper]) == [upper, lower]
    assert set(ordered(circle)) == set(circle)


def test_drafts_grow_and_shrink_together() -> None:
    draft = Draft(np.array([0, 1]), np.array([[1], [2]]), np.array([False, True]))
    draft.extend(Draft(np.array([2]), np.array([[3]]), np.array([True])))
    draft.keep(np.array([True, False, True]))
    assert draft.instance.tolist() == [0, 2]
    assert draft.codes.tolist() == [[1], [3]]
    assert draft.planted.tolist() == [False, True]
