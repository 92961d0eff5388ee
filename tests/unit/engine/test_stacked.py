"""Stacked answers: instance numbers, ranks, subsets, and instances that fail."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from testsuite.dialect import translate
from testsuite.engine.session import Session
from testsuite.engine.stacked import StackedResult, answer_stacked
from testsuite.query.lift import lift
from testsuite.query.parse import parse
from testsuite.schema.sql_text import read_sql_schema
from testsuite.suite.stack import stack_rows

SCHEMA = read_sql_schema("CREATE TABLE t (a INTEGER, w TEXT)", "stacked")
BIG = 2**63 - 1
STACK = stack_rows(
    SCHEMA,
    [
        {"t": [(1, "x"), (3, "y"), (3, "z"), (None, "n")]},
        {},
        {"t": [(BIG, "big"), (2, "two")]},
        {"t": [(5, "x")]},
    ],
)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session() as made:
        made.load(STACK)
        yield made


def _answer(session: Session, sql: str, instances: list[int] | None = None) -> StackedResult:
    lifted = lift(parse(sql), SCHEMA)
    return answer_stacked(session, lifted, translate(lifted.core, SCHEMA, STACK.storage), instances)


def test_rows_are_grouped_by_instance(session: Session) -> None:
    answer = _answer(session, "SELECT count(*), 'x' AS label FROM t").answer
    assert answer.instance.tolist() == [0, 1, 2, 3]
    assert answer.columns[0].number.tolist() == [4, 0, 2, 1]
    assert answer.names[1] == "label"
    assert answer.rank is None and not answer.ordered


def test_ties_share_a_rank_and_keys_are_dropped(session: Session) -> None:
    answer = _answer(session, "SELECT w FROM t ORDER BY a DESC").answer
    assert len(answer.columns) == 1
    assert answer.ordered and answer.rank is not None
    ranks: dict[int, list[int]] = {}
    for place, rank in zip(answer.instance.tolist(), answer.rank.tolist(), strict=True):
        ranks.setdefault(place, []).append(rank)
    assert {place: sorted(r) for place, r in ranks.items()} == {0: [1, 1, 3, 4], 2: [1, 2], 3: [1]}


def test_a_cut_keeps_the_whole_tie_group(session: Session) -> None:
    answer = _answer(session, "SELECT w FROM t ORDER BY a DESC LIMIT 1").answer
    assert answer.limit == 1
    assert answer.instance.tolist().count(0) == 2


def test_a_limit_without_order_is_left_to_the_reader(session: Session) -> None:
    answer = _answer(session, "SELECT w FROM t LIMIT 1 OFFSET 1").answer
    assert (answer.limit, answer.offset, answer.rows) == (1, 1, 7)


def test_a_subset_is_numbered_in_the_order_asked(session: Session) -> None:
    answer = _answer(session, "SELECT count(*) FROM t", [3, 0]).answer
    assert answer.instances == 2
    assert answer.columns[0].number[answer.instance.argsort()].tolist() == [1, 4]


def test_failing_instances_are_found_and_the_rest_answered(session: Session) -> None:
    result = _answer(session, "SELECT a + 1 FROM t")
    assert result.failed == (2,)
    assert result.answer.instances == 3
    assert sorted(result.answer.instance.tolist()) == [0, 0, 0, 0, 2]
    result = _answer(session, "SELECT a + 1 FROM t", [2, 3])
    assert result.failed == (0,)
    assert result.answer.columns[0].number.tolist() == [6]


def test_no_instance_succeeds(session: Session) -> None:
    result = _answer(session, "SELECT a + 1 FROM t", [2])
    assert result.failed == (0,)
    assert result.answer.instances == 0 and result.answer.rows == 0
