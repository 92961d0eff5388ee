"""The judge on a tiny suite: what is equal, different, open; and that SQLite has the last word."""

from __future__ import annotations

from datetime import datetime

import pytest

from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Limits, Referee
from testsuite.engine.session import Session
from testsuite.records import Fate, Item
from testsuite.schema import Affinity, Column, Schema, Table
from testsuite.score.judge import Judge, JudgeOptions
from testsuite.suite import stack_rows

SCHEMA = Schema(
    "shop",
    (
        Table(
            "item",
            (
                Column("id", "INTEGER", Affinity.INTEGER, not_null=True),
                Column("name", "TEXT", Affinity.TEXT),
                Column("price", "INTEGER", Affinity.INTEGER),
            ),
            primary_key=("id",),
        ),
    ),
)
ROWS = [
    {"item": [(1, "pen", 3), (2, "ink", 9), (3, "cup", 9)]},
    {"item": [(1, "pen", 5), (2, "Pen", 5), (3, None, None)]},
    {"item": []},
]


@pytest.fixture
def judge():
    stack = stack_rows(SCHEMA, ROWS)
    with Session() as session:
        session.load(stack)
        evaluator = Evaluator(stack, session, Referee(stack), datetime(2020, 1, 1))
        yield Judge(evaluator, ["a", "b", "c"], 0, JudgeOptions())


def verdict(judge: Judge, gold: str, prediction: str, audit: bool = False):
    return judge.judge(Item("0", "shop", gold, prediction), audit)


def test_a_pass_counts_the_instances_that_say_something(judge):
    result = verdict(judge, "SELECT name FROM item", "SELECT item.name FROM item WHERE id = id")
    assert (result.fate, result.test_suite, result.execution) == (Fate.OK, True, True)
    assert (result.instances, result.informative, result.failed_on, result.path) == (3, 2, (), "stacked")


def test_a_lucky_pass_names_the_instance(judge):
    result = verdict(judge, "SELECT count(*) FROM item", "SELECT count(name) FROM item")
    assert (result.test_suite, result.execution, result.failed_on) == (False, True, ("b",))
    assert "lucky_pass" in result.flags


@pytest.mark.parametrize("sql", ["", "-- nothing", "SELECT nme FROM item", "DELETE FROM item", "SELECT 1; SELECT 2"])
def test_invalid_predictions_are_wrong(judge, sql):
    result = verdict(judge, "SELECT name FROM item", sql)
    assert (result.fate, result.test_suite, result.execution) == (Fate.INVALID_PREDICTION, False, False)
    assert result.message


def test_a_broken_gold_is_no_verdict(judge):
    result = verdict(judge, "SELECT nme FROM item", "SELECT nme FROM item")
    assert (result.fate, result.test_suite, result.execution) == (Fate.GOLD_ERROR, None, None)


def test_a_tied_limit_accepts_only_what_the_gold_admits(judge):
    gold = "SELECT name FROM item ORDER BY price DESC LIMIT 1"
    assert verdict(judge, gold, f"{gold} -- the same").test_suite is True
    narrower = verdict(judge, gold, "SELECT name FROM item ORDER BY price DESC, name LIMIT 1")
    assert narrower.test_suite is True
    wider = verdict(judge, "SELECT name FROM item ORDER BY price DESC, name LIMIT 1", gold)
    assert wider.test_suite is False
    assert "differs_only_in_ties" in wider.flags


def test_a_gold_that_is_open_wherever_it_is_not_empty_gives_no_verdict(judge):
    gold = "SELECT name FROM item GROUP BY price HAVING count(*) > 1"
    result = verdict(judge, gold, "SELECT min(name) FROM item GROUP BY price HAVING count(*) > 1")
    assert (result.fate, result.test_suite) == (Fate.UNDETERMINED, None)
    assert "bare" in result.message
    assert verdict(judge, gold, f" {gold.lower()}").test_suite is True
    assert verdict(judge, gold, "SELECT name, 1 FROM item GROUP BY price HAVING count(*) > 1").test_suite is False


def test_a_pair_went_the_slower_way_of_its_two_queries(judge):
    # Chance is never asked of DuckDB.
    fast, slow = "SELECT name FROM item", "SELECT name FROM item WHERE random() IS NOT NULL"
    for gold, prediction, path in ((fast, fast, "stacked"), (fast, slow, "sqlite"), (slow, fast, "sqlite")):
        result = verdict(judge, gold, prediction)
        assert (result.path, bool(result.path_reason)) == (path, path == "sqlite")


def test_sqlite_wins_where_the_fast_path_sees_a_difference_it_does_not(judge, monkeypatch):
    evaluator = judge.evaluator
    honest = evaluator.answers
    monkeypatch.setattr(
        type(evaluator),
        "answers",
        lambda self, sql, *rest, **named: honest(sql.replace("price > 3", "price > 5"), *rest, **named),
    )
    result = verdict(judge, "SELECT name FROM item WHERE price >= 4", "SELECT name FROM item WHERE price > 3")
    assert result.test_suite is True
    assert "engines_disagree" in result.flags
    assert result.path == "sqlite"


def test_an_audit_finds_what_the_fast_path_gets_wrong(judge, monkeypatch):
    query = "SELECT name FROM item WHERE price > 3"
    assert verdict(judge, query, query, audit=True).audit == (1, 0, 0)
    evaluator = judge.evaluator
    honest = evaluator.answers
    monkeypatch.setattr(
        type(evaluator),
        "answers",
        lambda self, sql, *rest, **named: honest(sql.replace("price > 3", "price > 5"), *rest, **named),
    )
    result = verdict(judge, query, query, audit=True)
    assert result.audit == (1, 1, 0)
    assert "audit_disagreement" in result.flags


def test_a_query_that_asks_for_chance_is_judged_alike_every_time(judge):
    sql = "SELECT name FROM item ORDER BY random()"
    results = [verdict(judge, "SELECT name FROM item ORDER BY id", sql, audit=True) for _ in range(3)]
    assert len({(r.test_suite, r.failed_on, r.audit) for r in results}) == 1
    assert results[0].audit == (2, 0, 0)


def test_a_run_that_sqlite_had_to_stop_is_a_timeout_and_no_difference(judge):
    judge.evaluator.referee.limits = Limits(steps=10_000)
    heavy = "SELECT count(*) FROM item a, item b, item c, item d, item e, item f, item g, item h, item i"
    result = verdict(judge, "SELECT count(*) FROM item", heavy)
    assert (result.fate, result.test_suite) == (Fate.PREDICTION_TIMEOUT, False)
