"""``testsuite score`` through the command: verdicts, files, workers, resuming."""

from __future__ import annotations

import json

import pytest


def records(folder):
    lines = (folder / "items.jsonl").read_text().splitlines()
    return {record["id"]: record for record in map(json.loads, lines)}


def timeless(folder):
    return {key: {**value, "seconds": None} for key, value in records(folder).items()}


def test_lucky_passes_are_found(bench):
    done = bench.score("-o", bench.folder / "r", "--json", "--audit", 1)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["items"] == summary["scored"] == 4
    assert summary["accuracy"]["execution"] == {"correct": 4, "of": 4}
    assert summary["accuracy"]["test_suite"] == {"correct": 2, "of": 4}
    assert summary["lucky_passes"] == 2
    assert summary["audit"] == {"pairs": 4, "queries": 8, "disagreements": 0, "tie_dependent": 0}
    assert summary == json.loads((bench.folder / "r" / "summary.json").read_text())
    found = records(bench.folder / "r")
    assert [found[i]["test_suite"] for i in "0123"] == [False, False, True, True]
    assert [found[i]["execution"] for i in "0123"] == [True, True, True, True]
    assert found["0"]["flags"] == ["lucky_pass"]
    assert found["3"]["flags"] == ["columns_permuted"]
    assert len(found["0"]["failed_on"]) == 1
    assert {record["path"] for record in found.values()} == {"stacked"}
    assert found["0"]["hardness"] == "easy"


@pytest.mark.parametrize("engine", ["auto", "duckdb", "sqlite"])
def test_gold_against_itself_is_perfect_on_every_engine(bench, engine):
    lines = [raw.partition("\t")[0] for raw in bench.gold.read_text().splitlines()]
    pred = bench.write("self.txt", "\n".join(lines) + "\n")
    done = bench.score("--engine", engine, "--json", pred=pred)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["accuracy"]["test_suite"] == {"correct": 4, "of": 4}


def test_the_number_of_workers_changes_nothing(bench):
    for jobs in (1, 2):
        assert bench.score("-o", bench.folder / str(jobs), "--jobs", jobs).returncode == 0
    assert timeless(bench.folder / "1") == timeless(bench.folder / "2")


def test_a_run_is_taken_up_where_it_stopped(bench):
    folder = bench.folder / "r"
    assert bench.score("-o", folder).returncode == 0
    whole = timeless(folder)
    lines = (folder / "items.jsonl").read_text().splitlines(keepends=True)
    (folder / "items.jsonl").write_text("".join(lines[:2]) + lines[2][:30])
    assert bench.score("-o", folder).returncode == 0
    assert timeless(folder) == whole
    assert (folder / "items.jsonl").read_text().startswith("".join(lines[:2]))


def test_bad_predictions_cost_only_themselves(bench):
    endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
    pred = bench.write("bad.txt", f"DROP TABLE item\n\n{endless}\nSELECT price, name FROM item\n")
    done = bench.score("-o", bench.folder / "r", "--timeout", 1, pred=pred)
    assert done.returncode == 0, done.stderr
    found = records(bench.folder / "r")
    assert [found[i]["fate"] for i in "0123"] == [
        "invalid_prediction",
        "invalid_prediction",
        "prediction_timeout",
        "ok",
    ]
    assert [found[i]["test_suite"] for i in "0123"] == [False, False, False, True]


def test_a_broken_gold_is_counted_apart(bench):
    gold = bench.write("gold2.sql", bench.gold.read_text().replace("count(*)", "count(nothing)"))
    done = bench.score("-o", bench.folder / "r", gold=gold)
    assert done.returncode == 3
    assert "item 1 (shop): gold_error" in done.stderr
    summary = json.loads((bench.folder / "r" / "summary.json").read_text())
    assert (summary["items"], summary["scored"]) == (4, 3)
    assert summary["accuracy"]["test_suite"] == {"correct": 2, "of": 3}


def test_a_database_without_suite_is_named_and_never_scored(bench):
    gold = bench.write("gold3.sql", bench.gold.read_text() + "SELECT 1\tother\n")
    pred = bench.write("pred3.txt", bench.pred.read_text() + "SELECT 1\n")
    done = bench.score("-o", bench.folder / "r", gold=gold, pred=pred)
    assert done.returncode == 3
    assert "no suite for database 'other'" in done.stderr
    assert records(bench.folder / "r")["4"]["fate"] == "infrastructure"


def test_fail_under(bench):
    assert bench.score("--fail-under", 50).returncode == 0
    assert bench.score("--fail-under", 51).returncode == 1
