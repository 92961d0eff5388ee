"""Random queries mean the same stacked as in SQLite. The long run is tests/differential/random_queries.py."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "differential"))

from harness import Bench, difference
from random_queries import run_block

from distill.fuzz.grammar.strategies import queries_on_stacks
from testsuite.compare.answer import Answer
from testsuite.compare.canonical import cells_from_python
from testsuite.engine.session import Session
from testsuite.suite.stack import Stack


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@given(queries_on_stacks())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_stacked_means_what_sqlite_means(session: Session, drawn: tuple[Stack, list[str]]) -> None:
    stack, queries = drawn
    bench = Bench(stack, session, steps=100_000)
    try:
        for sql in queries:
            found = bench.check(sql)
            assert found.state != "DISAGREE", (sql, found.detail)
    finally:
        bench.close()


def test_most_random_queries_are_valid_and_stacked() -> None:
    results = run_block((7, 0, 100))
    states = Counter(found.state for *_, found in results)
    assert states["DISAGREE"] == 0, [r for r in results if r[3].state == "DISAGREE"]
    assert states["invalid"] <= 10
    assert states["agree"] + states["partial"] >= 70


def test_a_block_depends_on_its_seed_alone() -> None:
    first, again, other = run_block((3, 1, 20)), run_block((3, 1, 20)), run_block((3, 2, 20))
    assert [r[2] for r in first] == [r[2] for r in again]
    assert [r[2] for r in first] != [r[2] for r in other]


def _answer(values: list[object], rank: list[int] | None = None, limit: int | None = None, offset: int = 0) -> Answer:
    return Answer(
        1,
        np.zeros(len(values), dtype=np.int32),
        (cells_from_python(values),),
        ordered=rank is not None,
        rank=None if rank is None else np.array(rank, dtype=np.int64),
        limit=limit,
        offset=offset,
    )


@pytest.mark.parametrize(
    ("answer", "rows", "same"),
    [
        (_answer([1, 2, 2]), [(2,), (1,), (2,)], True),
        (_answer([1, 2, 2]), [(2,), (1,), (1,)], False),
        (_answer([1, 2]), [(1,)], False),
        (_answer([1]), [(1,), (2,)], False),
        (_answer([1, None]), [(None,), (1.0,)], True),
        (_answer(["1"]), [(1,)], False),
        (_answer([0.1 + 0.2]), [(0.3,)], True),
        (_answer([0.3001]), [(0.3,)], False),
        (_answer([1, 2, 3], [1, 2, 2]), [(1,), (3,), (2,)], True),
        (_answer([1, 2, 3], [1, 2, 2]), [(3,), (1,), (2,)], False),
        (_answer([1, 2, 3], [1, 2, 2], limit=2), [(1,), (3,)], True),
        (_answer([1, 2, 3], [1, 2, 2], limit=2), [(2,), (3,)], False),
        (_answer([1, 2, 3], [1, 2, 2], limit=1, offset=1), [(2,)], True),
        (_answer([1, 2, 3], limit=2), [(3,), (1,)], True),
        (_answer([1, 2, 3], limit=2), [(3,), (4,)], False),
        (_answer([1, 2, 3], [1, 3, 3]), [(1,), (2,), (3,)], False),
    ],
)
def test_the_oracle_sees_differences(answer: Answer, rows: list[tuple[object, ...]], same: bool) -> None:
    assert (difference(answer, 0, rows) == "") is same


def test_the_oracle_sees_errors() -> None:
    assert difference(_answer([1]), 0, "integer overflow")
