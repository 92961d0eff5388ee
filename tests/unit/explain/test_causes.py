"""Every cause, from a pair to a repair that the suite accepts, with a counterexample that SQLite itself replays."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime

import numpy as np
import pytest

from testsuite.compare import Policy
from testsuite.engine.session import Session
from testsuite.explain.canonical import canonical
from testsuite.explain.causes import CAUSES, name_of, title_of
from testsuite.explain.explain import open_explainer
from testsuite.explain.merge import Merge
from testsuite.query.parse import parse
from testsuite.query.text import render
from testsuite.records import Fate, Item, ItemResult
from testsuite.schema import Affinity, Column, ForeignKey, Schema, Table
from testsuite.score.judge import JudgeOptions
from testsuite.score.pairs import Pair
from testsuite.suite import InstanceNote, Manifest, Suite, stack_rows

INT, TEXT = Affinity.INTEGER, Affinity.TEXT
SCHEMA = Schema(
    "yard",
    (
        Table(
            "keeper",
            (Column("kid", "INTEGER", INT), Column("name", "TEXT", TEXT), Column("age", "INTEGER", INT)),
            primary_key=("kid",),
        ),
        Table(
            "hive",
            (
                Column("hid", "INTEGER", INT),
                Column("kid", "INTEGER", INT),
                Column("second", "INTEGER", INT),
                Column("colour", "TEXT", TEXT),
                Column("honey", "INTEGER", INT),
            ),
            primary_key=("hid",),
            foreign_keys=(ForeignKey(("kid",), "keeper", ("kid",)),),
        ),
    ),
)


def contents():
    rng = np.random.default_rng(5)
    names, colours = ["ann", "bob", "cy", None], ["red", "blue", None]
    for _ in range(40):
        keepers = [(i, names[rng.integers(4)], int(rng.integers(18, 24))) for i in range(1, int(rng.integers(2, 6)))]
        yield {
            "keeper": keepers,
            "hive": [
                (
                    i,
                    int(rng.integers(1, len(keepers) + 1)),
                    int(rng.integers(1, len(keepers) + 1)),
                    colours[rng.integers(3)],
                    [None, 1, 2, 3, 5][rng.integers(5)],
                )
                for i in range(1, int(rng.integers(2, 8)))
            ],
        }


PAIRS = [
    ("missing_distinct", "SELECT DISTINCT colour FROM hive", "SELECT colour FROM hive"),
    ("extra_distinct", "SELECT colour FROM hive", "SELECT DISTINCT T1.colour FROM hive AS T1"),
    ("count_distinct", "SELECT count(DISTINCT colour) FROM hive", "SELECT count(colour) FROM hive"),
    ("null_handling", "SELECT hid FROM hive WHERE honey IS NOT NULL", "SELECT hid FROM hive"),
    ("limit_or_ties", "SELECT hid FROM hive ORDER BY hid LIMIT 1", "SELECT hid FROM hive ORDER BY hid LIMIT 2"),
    (
        "limit_or_ties",
        "SELECT name FROM keeper WHERE age = (SELECT max(age) FROM keeper)",
        "SELECT name FROM keeper ORDER BY age DESC LIMIT 1",
    ),
    ("boundary", "SELECT name FROM keeper WHERE age > 20", "SELECT name FROM keeper WHERE age >= 20"),
    ("comparison", "SELECT name FROM keeper WHERE age > 20", "SELECT name FROM keeper WHERE age < 20"),
    (
        "negation",
        "SELECT name FROM keeper WHERE kid NOT IN (SELECT kid FROM hive)",
        "SELECT name FROM keeper WHERE kid IN (SELECT kid FROM hive)",
    ),
    ("literal", "SELECT hid FROM hive WHERE colour = 'red'", "SELECT hid FROM hive WHERE colour = 'blue'"),
    ("literal", "SELECT hid FROM hive WHERE colour = 'red'", 'SELECT hid FROM hive WHERE "blue" = colour'),
    (
        "connector",
        "SELECT hid FROM hive WHERE colour = 'red' AND honey > 1",
        "SELECT hid FROM hive WHERE colour = 'red' OR honey > 1",
    ),
    (
        "subquery",
        "SELECT name FROM keeper WHERE kid IN (SELECT kid FROM hive WHERE honey > 2)",
        "SELECT name FROM keeper",
    ),
    (
        "missing_condition",
        "SELECT hid FROM hive WHERE colour = 'red' AND honey > 1",
        "SELECT hid FROM hive WHERE colour = 'red'",
    ),
    ("extra_condition", "SELECT name FROM keeper", "SELECT name FROM keeper WHERE age > 20"),
    (
        "condition_column",
        "SELECT name FROM keeper WHERE age = 3",
        "SELECT name FROM keeper WHERE kid = 3",
    ),
    (
        "condition",
        "SELECT hid FROM hive WHERE honey BETWEEN 2 AND 3",
        "SELECT hid FROM hive WHERE honey = 2",
    ),
    ("aggregate", "SELECT max(honey) FROM hive", "SELECT min(honey) FROM hive"),
    ("aggregate", "SELECT sum(honey) FROM hive", "SELECT sum(hid) FROM hive"),
    (
        "join_path",
        "SELECT T1.name FROM keeper AS T1 JOIN hive AS T2 ON T1.kid = T2.kid",
        "SELECT name FROM keeper",
    ),
    (
        "join_type",
        "SELECT T1.name, count(T2.hid) FROM keeper AS T1 LEFT JOIN hive AS T2 ON T1.kid = T2.kid GROUP BY T1.kid",
        "SELECT T1.name, count(T2.hid) FROM keeper AS T1 JOIN hive AS T2 ON T1.kid = T2.kid GROUP BY T1.kid",
    ),
    (
        "join_condition",
        "SELECT T1.name FROM keeper AS T1 JOIN hive AS T2 ON T1.kid = T2.kid",
        "SELECT T1.name FROM keeper AS T1 JOIN hive AS T2 ON T1.kid = T2.second",
    ),
    (
        "group_key",
        "SELECT name, count(*) FROM keeper GROUP BY name",
        "SELECT name, count(*) FROM keeper GROUP BY kid",
    ),
    ("order", "SELECT hid FROM hive ORDER BY hid DESC", "SELECT hid FROM hive ORDER BY hid"),
    ("order", "SELECT hid FROM hive ORDER BY hid DESC", "SELECT hid FROM hive"),
    ("select_columns", "SELECT name FROM keeper", "SELECT name, age FROM keeper"),
    ("select_columns", "SELECT name FROM keeper", "SELECT age FROM keeper"),
    (
        "set_operation",
        "SELECT kid FROM hive WHERE honey = 1 INTERSECT SELECT kid FROM hive WHERE honey = 2",
        "SELECT kid FROM hive WHERE honey = 1 UNION SELECT kid FROM hive WHERE honey = 2",
    ),
    (
        "set_operation",
        "SELECT kid FROM keeper EXCEPT SELECT kid FROM hive",
        "SELECT kid FROM keeper",
    ),
]
SEVERAL = (
    "SELECT name FROM keeper WHERE age > 20",
    "SELECT DISTINCT name FROM keeper WHERE age >= 20",
    ["extra_distinct", "boundary"],
)


@pytest.fixture(scope="module")
def explainer():
    stack = stack_rows(SCHEMA, list(contents()))
    notes = tuple(InstanceNote(f"{i:012d}", "generated", 3, 1) for i in range(stack.count))
    suite = Suite(stack, Manifest("yard", notes))
    with Session() as session, Session() as spare:
        yield open_explainer(suite, session, spare, datetime(2020, 1, 1), Policy(), JudgeOptions())


def explained(explainer, gold, prediction):
    result = explainer.judge.judge(Item("1", "yard", gold, prediction))
    assert result.fate is Fate.OK and result.test_suite is False, result
    return explainer.explain(Pair("1", "yard", (gold,), prediction), result)


@pytest.mark.parametrize(("name", "gold", "prediction"), PAIRS, ids=[f"{i}-{p[0]}" for i, p in enumerate(PAIRS)])
def test_cause_is_found_and_confirmed(explainer, name, gold, prediction):
    found = explained(explainer, gold, prediction)
    assert [cause.name for cause in found.causes] == [name]
    cause = found.causes[0]
    assert cause.confirmed and cause.repair
    again = explainer.judge.judge(Item("2", "yard", gold, cause.repair))
    assert again.test_suite is True
    assert found.differs_on and found.instances == 40
    example = found.counterexample
    assert example is not None and example.verified and example.rows <= 6
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(example.script)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        for sql, answer in ((gold, example.gold), (prediction, example.prediction)):
            assert tuple(connection.execute(sql).fetchall()) == answer.rows
    assert example.gold.rows != example.prediction.rows


def test_every_cause_has_a_pair_and_a_title():
    assert {name for name, _, _ in PAIRS} == {cause.name for cause in CAUSES}
    assert len({cause.name for cause in CAUSES}) == len(CAUSES)
    assert all(title_of(cause.name) == cause.title for cause in CAUSES)


def test_several_causes_share_one_repair(explainer):
    gold, prediction, names = SEVERAL
    found = explained(explainer, gold, prediction)
    assert [cause.name for cause in found.causes] == names and found.confirmed
    assert len({cause.repair for cause in found.causes}) == 1


def test_what_differs_throughout_is_not_confirmed(explainer):
    gold = "SELECT name, age FROM keeper WHERE age > 20 ORDER BY age, kid LIMIT 2"
    prediction = "SELECT colour, count(*) FROM hive WHERE honey = 1 GROUP BY colour HAVING count(*) > 1"
    found = explained(explainer, gold, prediction)
    assert len(found.causes) > 3 and not any(cause.confirmed or cause.repair for cause in found.causes)
    assert found.counterexample is not None and found.counterexample.verified


def test_unnecessary_differences_are_no_causes(explainer):
    gold = "SELECT T1.name FROM keeper AS T1 JOIN hive AS T2 ON T1.kid = T2.kid WHERE T2.honey > 2"
    prediction = "SELECT k.name FROM hive h, keeper k WHERE h.kid = k.kid AND NOT h.honey < 2 AND k.kid IS NOT NULL"
    found = explained(explainer, gold, prediction)
    assert {cause.name for cause in found.causes} <= {"boundary", "comparison", "negation"}


@pytest.mark.parametrize(
    ("fate", "prediction", "cause"),
    [
        (Fate.INVALID_PREDICTION, "SELECT nothing FROM keeper", "invalid_sql"),
        (Fate.INVALID_PREDICTION, " ;", "empty"),
        (Fate.PREDICTION_TIMEOUT, "SELECT 1", "too_slow"),
        (Fate.TOO_LARGE, "SELECT 1", "too_large"),
        (Fate.PREDICTION_ERROR, "SELECT 1", "runtime_error"),
    ],
)
def test_what_did_not_run_is_explained_by_its_fate(explainer, fate, prediction, cause):
    result = ItemResult("1", "yard", fate, False, False)
    found = explainer.explain(Pair("1", "yard", ("SELECT name FROM keeper",), prediction), result)
    assert [one.name for one in found.causes] == [cause] and found.confirmed and found.counterexample is None


@pytest.mark.parametrize(("name", "gold", "prediction"), PAIRS, ids=[f"{i}-{p[0]}" for i, p in enumerate(PAIRS)])
def test_no_edit_gives_the_prediction_and_all_give_the_gold(explainer, name, gold, prediction):
    mine, theirs = canonical(parse(prediction), SCHEMA), canonical(parse(gold), SCHEMA)
    assert render(Merge(()).query(mine, theirs)) == render(mine)
    every = Merge(None)
    assert explainer.accepts(gold, render(every.query(mine, theirs)))
    assert name in {name_of(edit) for edit in every.edits.values()}
