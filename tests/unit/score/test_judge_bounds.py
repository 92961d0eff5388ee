"""Bounds of a prediction's runs: what they allow is seen from the gold, and none of them ends as a verdict of ours."""

from __future__ import annotations

import time
from contextlib import contextmanager
from datetime import datetime

import pytest

from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Limits, Referee
from testsuite.engine.session import QueryTimeout
from testsuite.records import Fate, Item
from testsuite.schema import Affinity, Column, Schema, Table
from testsuite.score.judge import Judge, JudgeOptions
from testsuite.score.pool import Doing
from testsuite.suite import stack_rows

SCHEMA = Schema("shop", (Table("item", (Column("n", "INTEGER", Affinity.INTEGER),)),))
GOLD = "SELECT n FROM item WHERE n > 1"


@pytest.fixture
def judge() -> Judge:
    stack = stack_rows(SCHEMA, [{"item": [(n,) for n in range(9)]}, {"item": [(1,), (5,)]}])
    evaluator = Evaluator(stack, None, Referee(stack), datetime(2020, 1, 1), "sqlite")
    return Judge(evaluator, ["a", "b"], 0, JudgeOptions(timeout=5.0))


def fate(judge: Judge, prediction: str, gold: str = GOLD) -> Fate:
    return judge.judge(Item("1", "shop", gold, prediction)).fate


def test_an_answer_as_large_as_the_golds_is_never_too_large(judge):
    judge.gold_answers(GOLD)
    judge.evaluator.referee.limits = limits = Limits(rows=1)
    assert fate(judge, "SELECT n FROM item WHERE NOT n <= 1") is Fate.OK
    assert fate(judge, "SELECT a.n FROM item a, item b") is Fate.TOO_LARGE
    assert judge.evaluator.referee.limits == limits


def test_memory_that_runs_out_under_a_prediction_is_its_own_fault(judge, monkeypatch):
    judge.gold_answers(GOLD)

    def answers(sql, instances=None, timeout=0.0):
        raise MemoryError

    monkeypatch.setattr(judge.evaluator, "answers", answers)
    assert fate(judge, "SELECT n FROM item") is Fate.TOO_LARGE


def test_all_runs_of_a_prediction_share_one_budget(judge):
    judge.options = JudgeOptions(timeout=0.2)
    with judge.allowed() as first:
        time.sleep(0.1)
    with judge.allowed() as second:
        time.sleep(0.15)
    assert first == 0.2 and second <= 0.1
    with pytest.raises(QueryTimeout), judge.allowed():
        pass


def test_every_run_of_a_query_is_guarded(judge):
    inside: list[Doing] = []
    seen: list[tuple[Doing, float]] = []

    @contextmanager
    def guard(doing, seconds):
        seen.append((doing, seconds))
        inside.append(doing)
        try:
            yield
        finally:
            inside.pop()

    judge.guard = guard
    asked: list[tuple[str, list[Doing]]] = []
    run = judge.evaluator.referee._run

    def spy(sql, *more):
        asked.append((sql, list(inside)))
        return run(sql, *more)

    judge.evaluator.referee._run = spy
    assert fate(judge, "SELECT n + 1 FROM item WHERE n > 1") is Fate.OK
    assert asked and all(len(doing) == 1 for _, doing in asked)
    assert {doing for _, (doing,) in asked} == {Doing.GOLD, Doing.PREDICTION}
    assert all(0 < seconds <= judge.options.gold_timeout for _, seconds in seen)
