"""SUM of integers beyond 64 bits: what may fail in SQLite is handed to it, also if only a sum on the way overflows."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from testsuite.compare.answer import Answer
from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Referee
from testsuite.engine.session import Session
from testsuite.schema.sql_text import read_sql_schema
from testsuite.suite.stack import Row, stack_rows

BIG = 2**63 - 1
SCHEMA = read_sql_schema("CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, g INTEGER);", "s")


def rows(*values: int | None) -> dict[str, list[Row]]:
    return {"t": [(n, value, n % 2) for n, value in enumerate(values)]}


CONTENTS = [
    rows(1, 2, None),
    rows(BIG, -5, BIG, -BIG),
    rows(BIG, BIG),
    rows(-BIG, -1),
    rows(-BIG - 1),
    rows(BIG),
    rows(),
]


def _bag(answer: Answer) -> list[tuple[int, ...]]:
    columns = [column.code.tolist() for column in answer.columns]
    return sorted(zip(answer.instance.tolist(), *columns, strict=True))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(i) FROM t",
        "SELECT SUM(DISTINCT i) FROM t",
        "SELECT SUM(i) FILTER (WHERE g = 0) FROM t",
        "SELECT g, SUM(i) FROM t GROUP BY g HAVING SUM(i) > 0",
        "SELECT id, SUM(i) OVER (PARTITION BY g ORDER BY id) FROM t",
        "SELECT AVG(i), TOTAL(i) FROM t",
        "SELECT SUM(i > 0), SUM(1), SUM(CASE WHEN i > 2 THEN 1 ELSE 0 END) FROM t",
    ],
)
def test_sums_answer_or_fail_as_in_sqlite(sql: str) -> None:
    with Session() as session:
        stack = stack_rows(SCHEMA, CONTENTS)
        session.load(stack)
        evaluator = Evaluator(stack, session, Referee(stack), datetime(2024, 1, 1, tzinfo=UTC))
        fast = evaluator.answers(sql)
        slow = evaluator.sqlite_answers(sql, range(stack.count))
        assert fast.low.errors == slow.low.errors
        assert _bag(fast.low) == _bag(slow.low)
        assert fast.path[0] < 2 and fast.path[6] < 2
