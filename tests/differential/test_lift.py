"""Lifting against SQLite itself: a query's own rows must be one of the answers its lifted form allows.

Golds and every tenth prediction by default, on one instance; all of them on all instances where the environment
variable TESTSUITE_WHOLE is set (six minutes).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from data import data_root

from testsuite.engine.referee import Limits, Referee
from testsuite.query.lift import NotLiftable, lift
from testsuite.query.parse import parse
from testsuite.schema.sqlite_file import read_sqlite_rows, read_sqlite_schema
from testsuite.suite.stack import stack_rows

WHOLE = bool(os.environ.get("TESTSUITE_WHOLE"))


def queries(root: Path, step: int) -> Iterator[tuple[str, list[str]]]:
    """All golds and every ``step``-th prediction of all models, once each, by database."""
    golds = [line.split("\t") for line in (root / "spider" / "dev_gold.sql").read_text().splitlines()]
    found: dict[str, dict[str, None]] = {}
    for sql, db_id in golds:
        found.setdefault(db_id.strip(), {})[sql] = None
    for file in sorted((root / "spider" / "predictions").glob("*.txt")):
        lines = file.read_text(errors="surrogateescape").split("\n")
        for number, (line, gold) in enumerate(zip(lines, golds, strict=False)):
            if number % step == 0:
                found[gold[1].strip()][line.split("\t")[0]] = None
    for db_id, texts in found.items():
        if (root / "spider" / "database" / db_id).is_dir():
            yield db_id, list(texts)


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
