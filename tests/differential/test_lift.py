"""Lifting against SQLite itself: a query's own rows must be one of the answers its lifted form allows.

Golds and every tenth prediction by default, on one instance; all of them on all instances where the environment
variable TESTSUITE_WHOLE is set (six minutes).
"""

from __future__ import annotations

import os

import pytest
from data import data_root
from spider_queries import queries

from testsuite.engine.referee import Limits, Referee
from testsuite.query.lift import NotLiftable, lift
from testsuite.query.parse import parse
from testsuite.schema.sqlite_file import read_sqlite_rows, read_sqlite_schema
from testsuite.suite.stack import stack_rows

WHOLE = bool(os.environ.get("TESTSUITE_WHOLE"))


@pytest.mark.slow
def test_every_valid_query_is_lifted_to_what_sqlite_answers() -> None:
    root = data_root()
    lifted = hidden = 0
    wrong: list[str] = []
    for db_id, texts in queries(root, 1 if WHOLE else 10):
        files = sorted((root / "official_parity" / "database" / db_id).glob("*.sqlite"))
        if not WHOLE:
            files = files[1:2]
        schema = read_sqlite_schema(root / "spider" / "database" / db_id / f"{db_id}.sqlite", db_id)
        stack = stack_rows(schema, [read_sqlite_rows(file, schema) for file in files])
        referee = Referee(stack, Limits(seconds=2.0, steps=5_000_000))
        for sql in texts:
            if referee.valid(sql) is not None:
                continue
            try:
                lift(parse(sql), schema)
            except NotLiftable:
                hidden += 1
                continue
            lifted += 1
            referee.answer(sql)
        wrong += referee.mismatches
        referee.close()
    assert wrong == []
    assert hidden <= lifted / 1000
    assert lifted > 900
