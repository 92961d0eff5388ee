"""Columns declared with a collation: read, kept, and never compared on the fast path."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from testsuite.compare.canonical import cells_from_python
from testsuite.compare.open import determined
from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Referee
from testsuite.engine.session import Session
from testsuite.schema import empty_ddl
from testsuite.schema.model import Schema
from testsuite.schema.sql_text import read_sql_schema
from testsuite.schema.sqlite_file import read_sqlite_schema
from testsuite.suite.stack import stack_rows

TEXT = (
    "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT COLLATE nocase, pad VARCHAR(9) COLLATE RTRIM NOT NULL,"
    " note TEXT CHECK (note <> 'COLLATE NOCASE'), \"d e\" TEXT COLLATE BINARY)"
)
SCHEMA = read_sql_schema(TEXT, "c")
ROWS = [(1, "Ann", "x", "n", "p"), (2, "ann", "x ", "n", "P"), (3, "Bob", "y", "m", "p")]


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    stack = stack_rows(SCHEMA, [{"t": ROWS}, {"t": ROWS[1:]}])
    session = Session()
    session.load(stack)
    return Evaluator(stack, session, Referee(stack), datetime(2024, 1, 1, tzinfo=UTC))


def test_collations_are_read_and_written(tmp_path: Path) -> None:
    expected = {"id": None, "name": "NOCASE", "pad": "RTRIM", "note": None, "d e": None}
    assert {column.name: column.collation for column in SCHEMA.table("t").columns} == expected
    again = read_sql_schema(";".join(empty_ddl(SCHEMA)) + ";", "c")
    assert {column.name: column.collation for column in again.table("t").columns} == expected
    with sqlite3.connect(tmp_path / "c.sqlite") as connection:
        connection.execute(TEXT)
    file = read_sqlite_schema(tmp_path / "c.sqlite")
    assert {column.name: column.collation for column in file.table("t").columns} == expected
    assert Schema.from_dict(SCHEMA.to_dict()) == SCHEMA


def test_schemas_without_collations_keep_their_form() -> None:
    assert "collation" not in str(read_sql_schema("CREATE TABLE t (a TEXT)", "c").to_dict())


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM t WHERE name = 'ANN'",
        "SELECT id FROM t WHERE name IN ('ANN')",
        "SELECT id FROM t ORDER BY name",
        "SELECT COUNT(DISTINCT name) FROM t",
        "SELECT a.id, b.id FROM t AS a JOIN t AS b ON a.name = b.name",
        "SELECT a.id FROM t AS a JOIN t AS b USING (name)",
        "SELECT COUNT(*) FROM t AS a NATURAL JOIN t AS b",
        "SELECT COUNT(*) FROM (SELECT name FROM t) AS x WHERE x.name > 'ANN'",
        "SELECT id FROM t WHERE pad = 'x'",
        "SELECT COUNT(*) FROM t GROUP BY pad",
        "SELECT id FROM t WHERE name BETWEEN 'ANN' AND 'ANO'",
        "SELECT id FROM t WHERE CASE name WHEN 'ANN' THEN 1 END",
        "SELECT id, rank() OVER (ORDER BY name) FROM t",
        "SELECT 'ANN' INTERSECT SELECT name FROM t",
    ],
)
def test_queries_on_them_answer_as_sqlite_does(evaluator: Evaluator, sql: str) -> None:
    answers = evaluator.answers(sql)
    assert answers.worst_path == "sqlite"
    truth = [cells_from_python(column).code.tolist() for column in zip(*evaluator.referee.run(sql, 0), strict=True)]
    here = answers.low.instance == 0
    got = [column.code[here].tolist() for column in answers.low.columns]
    assert sorted(zip(*got, strict=True)) == sorted(zip(*truth, strict=True))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name, COUNT(*) FROM t GROUP BY name",
        "SELECT DISTINCT name FROM t",
        "SELECT MAX(name) FROM t WHERE name < 'b'",
        "SELECT name FROM t UNION SELECT name FROM t",
    ],
)
def test_texts_that_a_collation_takes_for_one_are_open(evaluator: Evaluator, sql: str) -> None:
    answers = evaluator.answers(sql)
    assert answers.high is not None
    # "Ann" and "ann" stand together on the first instance only.
    assert determined(answers.low, answers.high).tolist() == [False, True]


def test_other_columns_stay_on_the_fast_path(evaluator: Evaluator) -> None:
    answers = evaluator.answers('SELECT note, "d e" FROM t WHERE id > 1 ORDER BY note')
    assert answers.worst_path == "stacked"
    assert np.array_equal(answers.path, [0, 0])
