"""``testsuite doctor`` through the command: findings, JSON, exit codes."""

from __future__ import annotations

import json

from commands import command

QUERIES = [
    "SELECT name FROM item WHERE price > 5",
    "SELECT name FROM item ORDER BY price LIMIT 1",
    "SELECT count(CASE WHEN price > 5 THEN 1 ELSE 0 END) FROM item",
    "SELECT name FROM item WHERE price > 5",
]


def doctor(bench, text=None, *extra):
    gold = bench.gold if text is None else bench.write("golds.sql", text)
    return command("testsuite", "doctor", "--gold", gold, "--suite", bench.suites, *extra)


def lines(queries, db_id="shop"):
    return "".join(f"{sql}\t{db_id}\n" for sql in queries)


def test_healthy_golds(bench):
    done = doctor(bench)
    assert done.returncode == 0, done.stderr
    assert "4 items, 4 of them without error or warning, 0 can't be scored" in done.stdout


def test_findings_as_json(bench):
    outputs = []
    for jobs in (1, 2):
        done = doctor(bench, lines(QUERIES), "--json", "--jobs", jobs)
        assert done.returncode == 0, done.stderr
        outputs.append(json.loads(done.stdout))
    assert outputs[0] == outputs[1]
    report = outputs[0]
    assert (report["items"], report["healthy"], report["unscorable"]) == (4, 2, 0)
    assert [gold["id"] for gold in report["golds"]] == ["0", "1", "2", "3"]
    names = [[found["finding"] for found in gold["findings"]] for gold in report["golds"]]
    assert names == [[], ["tie_cut", "null_first"], ["count_zero"], []] or names == [
        [],
        ["null_first"],
        ["count_zero"],
        [],
    ]
    assert report["findings"]["null_first"] == {"items": 1, "error": 0, "warning": 1, "note": 0}
    assert report["golds"][0]["instances"] == report["golds"][0]["determined"] == 3
    assert report["golds"][0]["where"].endswith("golds.sql:1")
    assert report["options"]["now"] == "2020-01-01T00:00:00"


def test_findings_as_tables(bench):
    done = doctor(bench, lines([*QUERIES, "SELECT name FROM item ORDER BY price + 0 LIMIT 1"]))
    assert done.returncode == 0, done.stderr
    assert "item.price holds NULL on 1 of 3 instances, and NULLs sort first" in done.stdout
    assert "count_zero" in done.stdout


def test_a_gold_that_cannot_be_scored(bench):
    done = doctor(bench, lines([*QUERIES, "SELECT missing_one FROM item", "SELECT random() FROM item"]), "--json")
    assert done.returncode == 3
    report = json.loads(done.stdout)
    assert report["unscorable"] == 2
    assert [gold["scorable"] for gold in report["golds"]] == [True] * 4 + [False] * 2
    assert report["golds"][4]["findings"][0]["detail"] == "gold_error: no such column: missing_one"


def test_a_gold_that_never_ends(bench):
    endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
    done = doctor(bench, lines([endless, *QUERIES]), "--gold-timeout", 1, "--json")
    assert done.returncode == 3
    found = json.loads(done.stdout)["golds"]
    assert "gold_timeout" in found[0]["findings"][0]["detail"]
    assert [gold["scorable"] for gold in found] == [False, True, True, True, True]


def test_a_database_without_suite(bench):
    done = doctor(bench, lines(QUERIES) + lines(["SELECT 1"], "other"))
    assert done.returncode == 3
    assert "no suite for database 'other'" in done.stderr


def test_bad_input(bench):
    for text, extra, words in (
        ("SELECT 1\n", (), "golds.sql:1: expected SQL<TAB>db_id"),
        (lines(["SELECT 1"], "other"), (), "holds no suite"),
        (lines(QUERIES), ("--now", "yesterday"), "not an ISO instant"),
        (lines(QUERIES), ("--gold-timeout", "0"), "above 0 seconds"),
    ):
        done = doctor(bench, text, *extra)
        assert (done.returncode, done.stdout) == (2, "")
        assert words in done.stderr
        assert "Traceback" not in done.stderr
