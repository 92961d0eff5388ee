"""``testsuite show`` and ``testsuite compare`` on finished runs."""

from __future__ import annotations

import csv
import io
import json

import pytest
from commands import command


@pytest.fixture
def runs(bench):
    """Two runs: predictions of which two pass by luck, and the golds themselves."""
    own = bench.write("own.txt", "".join(line.split("\t")[0] + "\n" for line in bench.gold.read_text().splitlines()))
    a, b = bench.folder / "a", bench.folder / "b"
    assert bench.score("-o", a, "--etype", "all").returncode == 0
    assert bench.score("-o", b, "--etype", "all", pred=own).returncode == 0
    return a, b


def refused(done, *said):
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr + done.stdout
    for words in said:
        assert words in done.stderr, done.stderr


def test_show_says_what_score_said(bench, runs):
    a, _ = runs
    summary = (a / "summary.json").read_text()
    for form in ("table", "csv", "markdown", "latex"):
        scored = bench.score("-o", a, "--etype", "all", "--format", form)
        shown = command("testsuite", "show", a, "--format", form)
        assert (scored.returncode, shown.returncode) == (0, 0), shown.stderr
        assert scored.stdout == shown.stdout
        assert "test-suite accuracy" in shown.stdout or form == "csv"
    assert json.loads(command("testsuite", "show", a, "--format", "json").stdout) == json.loads(summary)
    by = command("testsuite", "show", a, "--by", "database")
    assert "shop" in by.stdout and "fates" not in by.stdout
    data = json.loads(command("testsuite", "show", a, "--by", "component", "--format", "json").stdout)
    assert list(data["by"]) == ["component"] and data["by"]["component"]["where"]["items"] == 1


def test_show_refuses_what_is_no_run(bench, runs):
    a, _ = runs
    refused(command("testsuite", "show", bench.folder), "no results directory")
    refused(command("testsuite", "show", a, "--by", "turn"), "its items have no turn", "hardness")
    (a / "summary.json").unlink()
    refused(command("testsuite", "show", a), "did not finish")


def test_compare_lists_what_changed(runs):
    a, b = runs
    done = command("testsuite", "compare", a, b)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert "gained (2)" in done.stdout and "lost" not in done.stdout
    assert "p = 0.5, not significant" in done.stdout
    data = json.loads(command("testsuite", "compare", b, a, "--json").stdout)
    assert [change["id"] for change in data["lost"]] == ["0", "1"] and data["gained"] == []
    assert (data["difference"], data["p"], data["differing_inputs"]) == (-0.5, 0.5, [])
    rows = list(csv.DictReader(io.StringIO(command("testsuite", "compare", a, b, "--format", "csv").stdout)))
    assert [(row["change"], row["id"], row["db_id"]) for row in rows] == [
        ("gained", "0", "shop"),
        ("gained", "1", "shop"),
    ]
    execution = json.loads(command("testsuite", "compare", a, b, "--metric", "execution", "--json").stdout)
    assert execution["difference"] == 0 and execution["p"] == 1


def test_a_gate_on_worse_runs(bench):
    gold = bench.write("many.sql", "SELECT count(*) FROM item\tshop\n" * 8)
    good, bad = bench.write("good.txt", "SELECT count(*) FROM item\n" * 8), bench.write("bad.txt", "SELECT 77\n" * 8)
    a, b = bench.folder / "ga", bench.folder / "gb"
    bench.score("-o", a, gold=gold, pred=good)
    bench.score("-o", b, gold=gold, pred=bad)
    assert command("testsuite", "compare", a, b).returncode == 0
    assert command("testsuite", "compare", a, b, "--fail-if-worse").returncode == 1
    assert command("testsuite", "compare", b, a, "--fail-if-worse").returncode == 0


def test_runs_that_cannot_be_compared(bench, runs):
    a, b = runs
    gold = bench.write("other.sql", bench.gold.read_text().replace("price > 5", "price > 6"))
    other = bench.folder / "other"
    bench.score("-o", other, gold=gold)
    refused(command("testsuite", "compare", a, other), "different gold files", "gold")
    refused(command("testsuite", "compare", a, bench.folder / "none"), "no results directory")
    by_name = bench.folder / "by_name"
    bench.score("-o", by_name, "--etype", "all", "--columns", "strict")
    done = command("testsuite", "compare", a, by_name)
    assert done.returncode == 0
    assert "warning: the runs differ in more than predictions: --columns (any and strict)" in done.stderr
    refused(command("testsuite", "compare", a, b, "--metric", "bird_ex"), "no item has a verdict of bird_ex")
