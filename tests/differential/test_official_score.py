"""``score_files`` with official semantics gives the published script's verdicts, over files and over a suite."""

from __future__ import annotations

import json

import pytest
from data import data_root
from official_parity import models

from distill.importing import import_suites
from testsuite.score.options import ScoreOptions
from testsuite.score.run import score_files

DATABASES = ("pets_1", "world_1")
# With which options each published measure was made.
MEASURES = {
    "exec": {},
    "exec_keep_distinct": {"keep_distinct": True},
    "exec_plug_value": {"plug_value": True},
}


def chosen(root, model):
    """Published rows of the sample, and their golds and predictions as lines."""
    rows = (root / "official_parity" / "verdicts" / f"{model}.jsonl").read_text(encoding="utf-8").splitlines()
    found = [row for row in map(json.loads, rows) if row["db_id"] in DATABASES]
    golds = (root / "spider" / "dev_gold.sql").read_text(encoding="utf-8").split("\n")
    predictions = (root / "spider" / "predictions" / f"{model}.txt").read_text(encoding="utf-8").split("\n")
    return found, [(golds[row["index"]], predictions[row["index"]]) for row in found]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("imported", [False, True], ids=["files", "suite"])
def test_verdicts(measure, imported, tmp_path):
    root = data_root()
    names = [name for name in models(root) if measure != "exec_plug_value" or name.startswith("leaderboard")][:2]
    if not names:
        pytest.skip("needs official_parity/verdicts beside the Spider data")
    suites = root / "official_parity" / "database"
    if imported:
        for db_id in DATABASES:
            (tmp_path / "some").mkdir(exist_ok=True)
            (tmp_path / "some" / db_id).symlink_to(suites / db_id)
        import_suites(tmp_path / "some", tmp_path / "suites", root / "spider" / "tables.json")
        suites = tmp_path / "suites"
    compared = 0
    for name in names:
        rows, pairs = chosen(root, name)
        gold, prediction = tmp_path / f"{name}.gold", tmp_path / f"{name}.pred"
        gold.write_text("".join(f"{line}\n" for line, _ in pairs), encoding="utf-8")
        prediction.write_text("".join(f"{line}\n" for _, line in pairs), encoding="utf-8")
        options = ScoreOptions(etype="all", semantics="official", timeout=20.0, **MEASURES[measure])
        report = score_files(gold, prediction, suites, options, tables=root / "spider" / "tables.json")
        for row, result in zip(rows, report.results, strict=True):
            where = (name, row["index"], pairs[int(result.id)], result)
            assert result.hardness == row["hardness"], where
            assert result.exact == bool(row["exact"]), where
            assert ("exact_not_parsed" in result.flags) != row["parsed"], where
            if row.get(measure) in (0, 1):
                assert result.test_suite == bool(row[measure]), where
                compared += 1
    assert compared > 100
