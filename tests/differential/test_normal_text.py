"""Normal text against SQLite: it answers as the query does, and queries that share it answer alike."""

from __future__ import annotations

import os
from collections import Counter

from data import data_root
from spider_queries import queries

from testsuite.engine.referee import Limits, Referee, RunStoppedError
from testsuite.query.normal import normal_text
from testsuite.query.parse import parse
from testsuite.schema.sqlite_file import read_sqlite_rows, read_sqlite_schema
from testsuite.suite.stack import stack_rows

WHOLE = bool(os.environ.get("TESTSUITE_WHOLE"))


def test_normal_text_answers_as_the_query_and_merges_no_two_meanings() -> None:
    root = data_root()
    checked = merged = 0
    for db_id, texts in queries(root, 1 if WHOLE else 12):
        file = sorted((root / "official_parity" / "database" / db_id).glob("*_0*.sqlite"))[0]
        schema = read_sqlite_schema(file, db_id)
        referee = Referee(stack_rows(schema, [read_sqlite_rows(file, schema)]), Limits(1.0, 2_000_000))
        seen: dict[str, Counter[tuple[object, ...]]] = {}
        for sql in texts:
            if referee.valid(sql) is not None or "random" in sql.lower():
                continue
            text = normal_text(parse(sql))
            assert referee.valid(text) is None, (sql, text)
            try:
                answer = Counter(referee.run(sql, 0))
                assert Counter(referee.run(text, 0)) == answer, (sql, text)
            except RunStoppedError:
                continue
            checked += 1
            if text in seen:
                merged += 1
                assert seen[text] == answer, (sql, text)
            seen[text] = answer
        referee.close()
    assert checked > 900
    assert merged > 50
