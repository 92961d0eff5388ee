"""``testsuite score`` for people who come from Spider's and BIRD's scripts: their options, files and folders."""

from __future__ import annotations

import json

import pytest
from commands import command

SEPARATOR = "\t----- bird -----\t"


def records(folder):
    lines = (folder / "items.jsonl").read_text().splitlines()
    return {record["id"]: record for record in map(json.loads, lines)}


def refused(done, *said):
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert "Traceback" not in done.stderr + done.stdout
    for words in said:
        assert words in done.stderr, done.stderr


@pytest.fixture
def files(bench):
    """The suite's instances as SQLite files, and a cache beside them."""
    folder = bench.folder / "database"
    assert command("distill", "export", bench.suites, "-o", folder).returncode == 0
    return folder


def evaluation(bench, files, *extra, pred=None, gold=None):
    """The command line of evaluation.py, with another first word."""
    arguments = ["--gold", gold or bench.gold, "--pred", pred or bench.pred, "--db", files, "--etype", "exec"]
    return command("testsuite", "score", *arguments, "--cache", bench.folder / "cache", "--json", *extra)


def test_the_options_of_the_published_script(bench, files):
    flags = ["--plug_value", "--keep_distinct", "--progress_bar_for_each_datapoint"]
    first = evaluation(bench, files, *flags, "-o", bench.folder / "r")
    assert first.returncode == 0, first.stderr
    assert "1 databases were made into suites" in first.stderr
    summary = json.loads(first.stdout)
    assert (summary["options"]["semantics"], summary["options"]["plug_value"]) == ("strict", True)
    assert summary["accuracy"]["test_suite"] == {"correct": 2, "of": 4}
    assert summary["accuracy"]["execution"] == {"correct": 4, "of": 4}
    again = evaluation(bench, files, *flags)
    assert "made into suites" not in again.stderr
    assert json.loads(again.stdout)["accuracy"] == summary["accuracy"]
    over_suite = bench.score("--plug-value", "--json")
    assert json.loads(over_suite.stdout)["accuracy"] == summary["accuracy"]
    assert {record["plug_tried"] for record in records(bench.folder / "r").values()} >= {0}


def test_a_changed_file_is_another_suite_and_a_damaged_entry_is_made_again(bench, files):
    assert evaluation(bench, files).returncode == 0
    entry = next((bench.folder / "cache").glob("*/shop/manifest.json"))
    entry.write_text("{}", encoding="utf-8")
    done = evaluation(bench, files)
    assert done.returncode == 0 and "made into suites" in done.stderr
    (files / "shop" / "shop_0001.sqlite").unlink()
    done = evaluation(bench, files)
    assert done.returncode == 0 and "made into suites" in done.stderr
    assert len(list((bench.folder / "cache").iterdir())) == 2


def test_official_semantics_run_on_the_files_themselves(bench, files):
    done = evaluation(bench, files, "--semantics", "official")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["accuracy"]["test_suite"] == {"correct": 2, "of": 4}
    assert not (bench.folder / "cache").exists()


def test_one_shipped_database_is_told_of(bench, files):
    for path in (files / "shop").glob("shop_*.sqlite"):
        path.unlink()
    done = evaluation(bench, files)
    assert "one instance each for shop" in done.stderr
    assert json.loads(done.stdout)["accuracy"]["test_suite"] == {"correct": 4, "of": 4}


def test_bad_directories(bench, files):
    refused(evaluation(bench, files, "--suite", bench.suites), "not both")
    refused(evaluation(bench, bench.folder / "none"), "holds no suite for any database")
    (files / "shop" / "shop_0001.sqlite").write_bytes(b"no database")
    refused(evaluation(bench, files), "shop_0001.sqlite", "not an SQLite database")
    refused(command("testsuite", "score", "--gold", bench.gold, "--pred", bench.pred), "'--suite' or '--db'")


def test_bird_files(bench, files):
    golds = [line.split("\t") for line in bench.gold.read_text().splitlines()]
    levels = ["simple", "simple", "moderate", "challenging"]
    entries = [
        {"question_id": 10 + n, "db_id": db_id, "SQL": sql, "difficulty": level}
        for n, ((sql, db_id), level) in enumerate(zip(golds, levels, strict=True))
    ]
    gold = bench.write("dev.json", json.dumps(entries))
    predictions = {str(10 + n): f"{sql}{SEPARATOR}shop" for n, sql in enumerate(bench.pred.read_text().splitlines())}
    predictions["12"] = f"SELECT nam FROM item{SEPARATOR}shop"
    pred = bench.write("pred.json", json.dumps(predictions))
    expected = {"10": (True, 1.0), "11": (True, 1.0), "12": (False, 0.0), "13": (False, 1.0)}
    for where in (["--db", files, "--cache", bench.folder / "cache"], ["--suite", bench.suites]):
        folder = bench.folder / where[0]
        done = command("testsuite", "score", "--gold", gold, "--pred", pred, *where, "-o", folder)
        assert done.returncode == 0, done.stderr
        found = records(folder)
        assert {i: (r["bird_ex"], r["bird_soft_f1"]) for i, r in found.items()} == expected
        assert [found[i]["difficulty"] for i in sorted(found)] == levels
        accuracy = json.loads((folder / "summary.json").read_text())["accuracy"]
        assert accuracy["bird_ex"] == {"correct": 2, "of": 4}
    plain = records_of(bench)
    assert {record["bird_ex"] for record in plain.values()} == {None}
    forced = records_of(bench, "--bird")
    assert [record["bird_ex"] for record in forced.values()] == [True, True, True, False]


def records_of(bench, *extra):
    folder = bench.folder / ("r" + "".join(extra))
    assert bench.score("-o", folder, *extra).returncode == 0
    return dict(sorted(records(folder).items()))


def test_several_golds_and_interactions(bench):
    rows = [
        {"id": "a", "db_id": "shop", "sql": ["SELECT 1", "SELECT count(*) FROM item"]},
        {"id": "b", "db_id": "shop", "golds": ["SELECT nonsense", "SELECT name FROM item"]},
        {"id": "c", "db_id": "shop", "golds": ["SELECT nonsense", "SELECT price FROM item"]},
    ]
    gold = bench.write("g.jsonl", "\n".join(map(json.dumps, rows)))
    answers = {"a": "SELECT count(id) FROM item", "b": "SELECT item.name FROM item", "c": "SELECT name FROM item"}
    pred = bench.write("p.jsonl", "\n".join(json.dumps({"id": i, "sql": sql}) for i, sql in answers.items()))
    done = bench.score("-o", bench.folder / "several", gold=gold, pred=pred)
    assert done.returncode == 3, done.stderr
    found = records(bench.folder / "several")
    assert [(found[i]["fate"], found[i]["test_suite"], found[i]["matched_gold"]) for i in "abc"] == [
        ("ok", True, 1),
        ("ok", True, 1),
        ("gold_error", None, None),
    ]
    lines = bench.gold.read_text().splitlines()
    talk = bench.write("talk.sql", "\n".join([*lines[:3], "", *lines[3:]]) + "\n")
    said = bench.pred.read_text().splitlines()
    answers = bench.write("talk.txt", "\n".join([*said[:3], "", *said[3:]]) + "\n")
    assert bench.score("-o", bench.folder / "talk", gold=talk, pred=answers).returncode == 0
    found = records(bench.folder / "talk")
    assert [(found[i]["interaction"], found[i]["turn"]) for i in "0123"] == [(0, 1), (0, 2), (0, 3), (1, 1)]
    refused(bench.score(gold=talk, pred=bench.write("t.txt", "\n".join([*said[:2], "", *said[2:]]))), "talk.sql:1")
