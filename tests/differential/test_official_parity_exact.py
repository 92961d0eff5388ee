"""Exact set match, hardness and `parsed` equal the published script's on every item that has a verdict."""

from __future__ import annotations

import json

import pytest
from data import data_root
from official_parity import models, official_tables, rows

from testsuite.official import exact_match, executed_text, parse_official
from testsuite.official.strict import exact_strict
from testsuite.schema import read_tables_json


def test_every_verdict() -> None:
    root = data_root()
    names = models(root)
    if not names:
        pytest.skip("needs official_parity/verdicts beside the Spider data")
    found = [row for model in names for row in rows(root, model, ("exact", "hardness", "parsed"))]
    assert len(found) > 20_000
    assert [row for row in found if row.published != row.ours] == []


@pytest.mark.parametrize("name", ["spider", "sparc", "cosql"])
def test_every_gold_matches_itself(name: str) -> None:
    """Golds of three benchmarks are parsed, and equal to themselves."""
    root = data_root()
    source = root / name / "tables.json"
    if not source.is_file():
        pytest.skip(f"needs {name}/tables.json")
    tables = official_tables(root)
    lines = (root / name / ("dev_gold.sql" if name == "spider" else "dev_gold.txt")).read_text(encoding="utf-8")
    golds = [line.split("\t") for line in lines.split("\n") if line.strip()]
    assert len(golds) > 800
    entries = json.loads(source.read_text(encoding="utf-8"))
    assert {db_id for _, db_id in golds} <= {entry["db_id"] for entry in entries}
    for sql, db_id in golds:
        query = parse_official(sql, tables[db_id])
        assert exact_match(query, query, tables[db_id].key_columns).equal, sql


@pytest.mark.parametrize("model", ["DAIL-SQL_GPT-4", "GPT4_zero_shot"])
def test_equal_forms_answer_alike(model: str) -> None:
    """No prediction of the same form as its gold, values counted, has another answer."""
    root = data_root()
    if model not in models(root):
        pytest.skip(f"needs official_parity/verdicts/{model}.jsonl beside the Spider data")
    schemas = read_tables_json(root / "spider" / "tables.json")
    golds = (root / "spider" / "dev_gold.sql").read_text(encoding="utf-8").split("\n")
    same = 0
    for row in rows(root, model, ("exec_keep_distinct",)):
        db_id = golds[row.index].split("\t")[1]
        form = exact_strict(executed_text(row.gold), executed_text(row.prediction), schemas[db_id], values=True)
        if form:
            same += 1
            assert row.published == 1, row
    assert same > 350
