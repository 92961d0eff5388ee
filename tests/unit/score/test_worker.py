"""A worker holds no more suites than fit, and judges the same whatever it holds."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path

import pytest

from testsuite.engine.session import SessionError
from testsuite.records import Fate, Item
from testsuite.schema import Affinity, Column, Schema, Table
from testsuite.score.options import ScoreOptions
from testsuite.score.run import Task
from testsuite.score.sources import find_sources
from testsuite.score.worker import WorkerConfig, open_state, score_in
from testsuite.suite import InstanceNote, Manifest, instance_id, save_suite, stack_rows

NAMES = ("one", "two", "three")
ITEMS = [
    Item(f"{name}{number}", name, "SELECT n FROM item WHERE n > 5", prediction)
    for number, prediction in enumerate(("SELECT n FROM item WHERE NOT n <= 5", "SELECT n FROM item"))
    for name in NAMES
]


@pytest.fixture
def config(tmp_path: Path) -> WorkerConfig:
    for name in NAMES:
        schema = Schema(name, (Table("item", (Column("n", "INTEGER", Affinity.INTEGER),)),))
        stack = stack_rows(schema, [{"item": [(3,), (9,)]}, {"item": [(5,), (None,)]}])
        notes = tuple(InstanceNote(instance_id(stack, n), "generated", 2, 1) for n in range(2))
        save_suite(tmp_path, stack, Manifest(name, notes, seed=0))
    return WorkerConfig(ScoreOptions(), find_sources(tmp_path, NAMES, take_files=False), {}, tmp_path)


def judged(state):
    return [replace(score_in(state, Task(item, False)), seconds=0.0) for item in ITEMS]


def test_suites_beyond_the_bound_are_let_go(config):
    roomy, narrow = open_state(config), open_state(config)
    narrow.held = 1
    assert judged(narrow) == judged(roomy)
    assert list(roomy.desks) == list(NAMES) and list(narrow.desks) == ["three"]
    assert narrow.session.loaded("three")
    with pytest.raises(SessionError):
        narrow.session.loaded("one")


def test_the_least_recently_used_goes_first(config):
    state = open_state(config)
    for number in (0, 1, 0):
        score_in(state, Task(ITEMS[number], False))
    state.held = 2 * state.desks["one"].size
    score_in(state, Task(ITEMS[2], False))
    assert list(state.desks) == ["one", "three"]


def test_a_state_of_ones_own_has_no_alarm(config):
    state = open_state(config)
    seen = []
    guard = state.guard

    def spy(doing, seconds):
        seen.append((doing, signal.getitimer(signal.ITIMER_REAL)[0]))
        return guard(doing, seconds)

    state.guard = spy
    assert score_in(state, Task(ITEMS[0], False)).fate is Fate.OK
    assert seen and all(left == 0 for _, left in seen)
