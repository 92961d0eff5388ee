"""How many ways a cut leaves, and instances on which equal readings do not settle the answer."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from testsuite.compare.answer import UNSURE, Answer
from testsuite.compare.canonical import cells_from_python
from testsuite.compare.open import compare_open, determined
from testsuite.engine.evaluate import Evaluator
from testsuite.engine.opened import cut_ways
from testsuite.engine.referee import Referee
from testsuite.engine.session import Session
from testsuite.schema.sql_text import read_sql_schema
from testsuite.suite.stack import Row, stack_rows

SCHEMA = read_sql_schema(
    "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, g INTEGER); CREATE TABLE u (v INTEGER);", "s"
)
NOW = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("values", "rank", "limit", "offset", "ways"),
    [
        ([1, 2, 3], [1, 2, 3], 2, 0, 1),
        ([1, 2, 3], [1, 2, 2], 2, 0, 2),
        ([1, 2, 2, 2], [1, 2, 2, 2], 2, 0, 1),
        ([1, 2, 3], [1, 1, 1], 1, 0, 3),
        ([1, 1, 2], [1, 1, 1], 1, 0, 2),
        ([1, 1, 2], [1, 1, 1], 2, 0, 2),
        ([1, 1, 2, 2], [1, 1, 1, 1], 2, 0, 3),
        ([1, 2], [1, 1], 2, 0, 1),
        ([1, 2, 3], [1, 1, 3], None, 1, 3),
        ([1, 1, 3], [1, 1, 3], None, 1, 1),
        ([1, None], [1, 1], 1, 0, 2),
        ([1, 1.0, "1"], [1, 1, 1], 1, 0, 2),
    ],
)
def test_ways_of_a_cut(values: list[object], rank: list[int], limit: int | None, offset: int, ways: int) -> None:
    place = np.zeros(len(values), dtype=np.int32)
    answer = Answer(2, place, (cells_from_python(values),), ("v",), True, np.asarray(rank), limit, offset)
    assert cut_ways(answer).tolist() == [ways, 1]


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    contents: list[dict[str, list[Row]]] = [
        {"t": [(1, 10, 1), (2, 20, 1), (3, 30, 1), (4, 40, 1)], "u": [(1,), (4,)]},
        {"t": [(1, 10, 1), (2, 20, 2), (3, 30, 3), (4, 40, 4)], "u": [(1,), (4,)]},
    ]
    stack = stack_rows(SCHEMA, contents)
    session = Session()
    session.load(stack)
    return Evaluator(stack, session, Referee(stack), NOW)


@pytest.mark.parametrize("engine", ["both", "sqlite"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) FROM u WHERE v IN (SELECT id FROM t ORDER BY g LIMIT 2)",  # {1,2} and {3,4}, but {2,3}
        "SELECT COUNT(*) FROM u WHERE v = (SELECT id FROM t ORDER BY g LIMIT 1)",
        "SELECT COUNT(*) FROM (SELECT g, id FROM t GROUP BY g) WHERE id = 2 AND g = 1",
        "SELECT g FROM t GROUP BY g HAVING id = 2",
    ],
)
def test_a_middle_choice_is_no_evidence(evaluator: Evaluator, engine: str, sql: str) -> None:
    answers = evaluator.answers(sql) if engine == "both" else evaluator.sqlite_answers(sql, range(2))
    assert answers.high is not None
    assert determined(answers.low, answers.high).tolist() == [False, True]
    assert answers.high.errors == {0: UNSURE}
    # As a prediction it is not refuted by what it might have given.
    same = Answer(2, answers.low.instance, answers.low.columns)
    seen = compare_open(same, None, answers.low, answers.high)
    assert seen.usable.tolist() == [False, True] and seen.equal.tolist() == [False, True]


def test_a_low_reading_that_differs_refutes_though_another_is_unsure(evaluator: Evaluator) -> None:
    answers = evaluator.answers("SELECT COUNT(*) FROM u WHERE v IN (SELECT id FROM t ORDER BY g LIMIT 2)")
    gold = evaluator.answers("SELECT 7").low
    seen = compare_open(gold, None, answers.low, answers.high)
    assert seen.usable.all() and not seen.equal.any()


@pytest.mark.parametrize(
    ("sql", "differ"),
    [
        # Not lifted: as SQLite happens to order ties, so the other layouts show that they are open.
        ("SELECT a % 20 FROM t UNION ALL SELECT g FROM t ORDER BY 1 COLLATE rtrim LIMIT 1", [False, False]),
        ("SELECT id FROM t ORDER BY g LIMIT (SELECT 2)", [True, False]),
    ],
)
def test_what_is_not_lifted_is_asked_in_other_layouts(evaluator: Evaluator, sql: str, differ: list[bool]) -> None:
    answers = evaluator.answers(sql)
    assert answers.worst_path == "sqlite"
    known = np.ones(2, dtype=bool) if answers.high is None else determined(answers.low, answers.high)
    assert (~known).tolist() == differ


@pytest.mark.parametrize(
    ("sql", "closed"),
    [
        # DISTINCT hides the sort key: one g has several ids on the first instance.
        ("SELECT DISTINCT g FROM t ORDER BY a", [False, True]),
        ("SELECT DISTINCT g FROM t ORDER BY g, a LIMIT 1", [False, True]),
        ("SELECT DISTINCT a, g FROM t ORDER BY id", [True, True]),
        ("SELECT id FROM t ORDER BY random() LIMIT 4", [True, True]),
    ],
)
def test_hidden_and_random_sort_keys(evaluator: Evaluator, sql: str, closed: list[bool]) -> None:
    answers = evaluator.answers(sql)
    high = answers.low if answers.high is None else answers.high
    assert determined(answers.low, high).tolist() == closed
    assert answers.worst_path == "stacked"


def test_a_random_order_admits_any_row(evaluator: Evaluator) -> None:
    cut = evaluator.answers("SELECT id FROM t ORDER BY random() LIMIT 1")
    gold, other = (evaluator.answers(f"SELECT {number}").low for number in (1, 3))
    for prediction in (gold, other):
        assert compare_open(cut.low, cut.high, prediction, None).equal.all()
    assert not compare_open(gold, None, cut.low, cut.high).equal.any()
