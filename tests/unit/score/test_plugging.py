"""Predictions without values under strict rules: which filled queries are tried, and what the verdict says."""

from __future__ import annotations

from datetime import datetime
from itertools import islice

import pytest

from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Referee
from testsuite.engine.session import Session
from testsuite.records import Fate, Item
from testsuite.schema import Affinity, Column, Schema, Table
from testsuite.score import plugging
from testsuite.score.judge import Judge, JudgeOptions
from testsuite.score.plugging import fillings, judge_plugged, with_bare_placeholder
from testsuite.suite import stack_rows

COLUMNS = (Column("name", "TEXT", Affinity.TEXT), Column("price", "INTEGER", Affinity.INTEGER))
SCHEMA = Schema("shop", (Table("item", COLUMNS),))
ROWS = [
    {"item": [("pen", 3), ("ink", 9)]},
    {"item": [("pen", 5), ("pen", 5), ("ink", 9), ("cup", None)]},
]


@pytest.fixture
def judge():
    stack = stack_rows(SCHEMA, ROWS)
    with Session() as session:
        session.load(stack)
        yield Judge(Evaluator(stack, session, Referee(stack), datetime(2020, 1, 1)), ["a", "b"], 0, JudgeOptions())


def verdict(judge, gold, prediction):
    return judge_plugged(judge, Item("0", "shop", gold, prediction))


def test_fillings_take_every_value_once_first_and_never_explode():
    total, queries = fillings("SELECT a FROM t WHERE b = 'X' AND c = 7", "SELECT a FROM t WHERE b = 'value' AND c = 1")
    assert total == 4
    assert [query.split("where ")[1] for query in queries] == [
        "b = 'X' and c = 7",
        "b = 7 and c = 'X'",
        "b = 'X' and c = 'X'",
        "b = 7 and c = 7",
    ]
    total, queries = fillings("SELECT 11, 12, 13, 14, 15, 16, 17", "SELECT " + ", ".join(["9"] * 20))
    assert total == 7**20
    assert len(set(islice(queries, 500))) == 500
    assert fillings("SELECT a FROM t", "SELECT a FROM t WHERE b = 1")[0] == 0
    assert fillings("SELECT a FROM t WHERE b = 1", "SELECT a FROM t")[0] == 0


def test_a_right_filling(judge):
    gold = "SELECT name FROM item WHERE price > 4 AND name = 'pen'"
    found = verdict(judge, gold, "SELECT name FROM item WHERE name = ' value ' AND price > 'terminal'")
    assert (found.fate, found.test_suite, found.execution, found.plugged) == (Fate.OK, True, True, True)
    assert (found.plug_candidates, found.plug_tried) == (4, 1)
    written = verdict(judge, gold, gold.lower())
    assert (written.test_suite, written.plugged, written.plug_tried) == (True, False, 0)


def test_the_shipped_instance_is_a_figure_of_its_own(judge):
    found = verdict(judge, "SELECT name FROM item WHERE price > 5", "SELECT name FROM item WHERE price >= 77")
    assert (found.test_suite, found.execution, found.plugged) == (False, True, False)
    assert "lucky_pass" in found.flags and found.failed_on == ("b",)


def test_wrong_with_every_filling(judge):
    found = verdict(judge, "SELECT name FROM item WHERE price > 4", "SELECT price FROM item WHERE price > 1")
    assert (found.fate, found.test_suite, found.execution, found.plug_tried) == (Fate.OK, False, False, 1)
    assert "plug_capped" not in found.flags


def test_a_bare_placeholder(judge):
    found = verdict(judge, "SELECT name FROM item WHERE price > 5", "SELECT name FROM item WHERE price > value")
    assert (found.fate, found.test_suite, found.plugged) == (Fate.OK, True, True)
    assert with_bare_placeholder("SELECT value, 'value', values FROM t") == "SELECT 1, 'value', values FROM t"


def test_a_verdict_cut_short_says_so(judge, monkeypatch):
    monkeypatch.setattr(plugging, "MAX_TRIED", 2)
    gold = "SELECT name FROM item WHERE price > 4 OR price = 3 OR price = 9"
    found = verdict(judge, gold, "SELECT price FROM item WHERE price > 1 OR price = 1")
    assert (found.test_suite, found.plug_candidates, found.plug_tried) == (False, 9, 2)
    assert "plug_capped" in found.flags
    # Right at the last that is tried is right.
    right = verdict(judge, gold, "SELECT name FROM item WHERE price > 4 OR price = 3")
    assert right.test_suite is True and "plug_capped" not in right.flags


def test_a_broken_gold_is_no_verdict(judge):
    found = verdict(judge, "SELECT nam FROM item WHERE price > 4", "SELECT name FROM item WHERE price > 1")
    assert (found.fate, found.test_suite) == (Fate.GOLD_ERROR, None)


def test_an_open_gold_stays_open(judge):
    gold = "SELECT name FROM item WHERE price > 4 LIMIT 1"
    found = verdict(judge, gold, "SELECT name FROM item WHERE price > 1 LIMIT 1")
    assert found.test_suite is True or found.fate is Fate.UNDETERMINED
