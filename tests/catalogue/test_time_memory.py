"""Queries that take too long or give too much, and comparisons that took evaluators minutes."""

from __future__ import annotations

import time
from datetime import datetime

import pytest
from faults import NOW, Case, both_engines, check, judged, session, suite_of

from testsuite.compare import compare_open
from testsuite.engine.evaluate import Evaluator
from testsuite.records import Fate, Item
from testsuite.score.judge import JudgeOptions, open_judge

CELL = "CREATE TABLE cell(i INTEGER)"
ROWS = (
    "INSERT INTO cell WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 200) SELECT n FROM r",
)
ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r"
SOON = JudgeOptions(timeout=0.5)


@both_engines()
@pytest.mark.parametrize(
    "sql",
    [ENDLESS, "SELECT COUNT(*) FROM cell a, cell b, cell c, cell d, cell e WHERE a.i + b.i + c.i + d.i + e.i = 7"],
    ids=["endless recursion", "five tables multiplied"],
)
def test_a_timeout_is_final(sql: str, engine: str) -> None:
    began = time.perf_counter()
    case = Case("", CELL, ROWS, "SELECT COUNT(*) FROM cell", sql, False, Fate.PREDICTION_TIMEOUT, options=SOON)
    check(case, engine)
    # A second try on another path would take as long again; the bound is wide for the sake of busy machines.
    assert time.perf_counter() - began < 8


def test_a_timeout_does_not_harm_the_next_pair() -> None:
    suite = suite_of(CELL, ROWS)
    judge = open_judge(suite, session(), NOW, SOON)
    fates = [judge.judge(Item("0", "case", "SELECT i FROM cell", sql)).fate for sql in (ENDLESS, "SELECT i FROM cell")]
    assert fates == [Fate.PREDICTION_TIMEOUT, Fate.OK]


@both_engines()
def test_too_many_rows_are_wrong_and_are_not_kept(engine: str) -> None:
    sql = "SELECT a.i, b.i, c.i, d.i FROM cell a, cell b, cell c, cell d"
    result = judged(Case("", CELL, ROWS, "SELECT i FROM cell", sql, False), engine)
    assert result.test_suite is False
    assert result.fate in (Fate.TOO_LARGE, Fate.PREDICTION_TIMEOUT)


@pytest.mark.parametrize("last", ["i", "i + 1"], ids=["equal", "different"])
def test_many_equal_columns(last: str) -> None:
    gold = f"SELECT {', '.join(['i'] * 12)} FROM cell"
    prediction = f"SELECT {', '.join(['i'] * 11 + [last])} FROM cell"
    suite = suite_of(CELL, ROWS * 5)
    evaluator = Evaluator(suite.stack, session(), open_judge(suite, session(), NOW, SOON).evaluator.referee, NOW)
    one, other = evaluator.answers(gold).low, evaluator.answers(prediction).low
    began = time.process_time()
    found = compare_open(one, None, other, None)
    assert time.process_time() - began < 0.5
    assert bool(found.equal.all()) is (last == "i")


def test_a_gold_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    honest = Evaluator.answers

    def counted(self: Evaluator, sql: str, *rest: object, **named: object) -> object:
        asked.append(sql)
        return honest(self, sql, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Evaluator, "answers", counted)
    judge = open_judge(suite_of(CELL, ROWS), session(), datetime(2020, 1, 1), JudgeOptions())
    for number in range(5):
        judge.judge(Item(str(number), "case", "SELECT i FROM cell", f"SELECT i + {number} FROM cell"))
    assert asked.count("SELECT i FROM cell") == 1
