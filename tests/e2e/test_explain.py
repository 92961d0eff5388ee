"""``testsuite explain`` as a user starts it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing

import pytest
from commands import command

from testsuite.errors import InputError
from testsuite.explain import load_causes


@pytest.fixture
def run(bench):
    """A finished run of which the first two items are lucky passes."""
    directory = bench.folder / "run"
    assert bench.score("-o", directory).returncode == 0
    return directory


def refused(done, *said):
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr + done.stdout
    for words in said:
        assert words in done.stderr, done.stderr


def test_one_item_in_full(bench, run):
    wrong = [json.loads(raw) for raw in (run / "items.jsonl").read_text().splitlines()]
    name = next(item["id"] for item in wrong if "lucky_pass" in item["flags"] and item["failed_on"])
    done = command("testsuite", "explain", run, name)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    for words in ("different, fate ok", "lucky_pass", "i01", "confirmed", "INSERT INTO", "gold's answer"):
        assert words in done.stdout, done.stdout
    data = json.loads(command("testsuite", "explain", run, name, "--json").stdout)
    assert sorted(data) == ["explanation", "item", "pair"]
    example = data["explanation"]["counterexample"]
    assert example["verified"] and data["explanation"]["lucky"]
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(example["script"])
        for sql, side in ((data["pair"]["golds"][0], "gold"), (data["pair"]["prediction"], "prediction")):
            assert [list(row) for row in connection.execute(sql)] == example[side]["rows"]
    right = next(item["id"] for item in wrong if item["test_suite"])
    done = command("testsuite", "explain", run, right)
    assert done.returncode == 0 and "equal, fate ok" in done.stdout and "cause" not in done.stdout


def test_all_items_are_written_whatever_the_number_of_workers(bench, run):
    listed = command("testsuite", "explain", run)
    assert listed.returncode == 0 and "2 items are wrong, 2 of them lucky passes" in listed.stdout
    assert "--all" in listed.stdout
    with pytest.raises(InputError, match="--all"):
        load_causes(run)
    one = command("testsuite", "explain", run, "--all", "--jobs", 1)
    assert one.returncode == 0 and "boundary" in one.stdout, one.stderr
    written = (run / "causes.jsonl").read_bytes()
    data = json.loads(command("testsuite", "explain", run, "--all", "--jobs", 2, "--json").stdout)
    assert (run / "causes.jsonl").read_bytes() == written
    found = load_causes(run)
    assert [row["id"] for row in data] == list(found)
    assert [cause.name for why in found.values() for cause in why.causes] == ["boundary", "aggregate"]
    assert [json.loads(json.dumps(why.to_dict())) for why in found.values()] == data
    again = command("testsuite", "explain", run)
    assert "boundary" in again.stdout and "--all" not in again.stdout


def test_suites_that_moved(bench, run):
    moved = bench.folder / "moved"
    shutil.move(bench.suites, moved)
    refused(command("testsuite", "explain", run, "--all"), "--suite")
    assert command("testsuite", "explain", run, "--all", "--suite", moved).returncode == 0


def test_bad_input(bench, run):
    refused(command("testsuite", "explain", run, "nothing"), "has no item 'nothing'")
    refused(command("testsuite", "explain", bench.folder), "no results directory")
    refused(command("testsuite", "explain", run, "1", "--all"), "not both")
    assert command("testsuite", "explain", run, "--all").returncode == 0
    (run / "causes.jsonl").write_text("{}\n")
    refused(command("testsuite", "explain", run), "causes.jsonl:1", "anew")
    (run / "pairs.jsonl").unlink()
    refused(command("testsuite", "explain", run, "--all"), "pairs.jsonl", "score again")
    official = bench.folder / "official"
    assert bench.score("-o", official, "--semantics", "official").returncode == 0
    refused(command("testsuite", "explain", official, "--all"), "strict semantics")
