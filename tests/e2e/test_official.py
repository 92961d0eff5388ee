"""``testsuite score`` by the published rules, and ``distill import`` / ``export``, through the commands."""

from __future__ import annotations

import json

import pytest
from commands import command

# One table of the fixture's schema in the layout of tables.json.
TABLES = [
    {
        "db_id": "shop",
        "table_names_original": ["item"],
        "column_names_original": [[-1, "*"], [0, "id"], [0, "name"], [0, "price"]],
        "column_types": ["text", "number", "text", "number"],
        "primary_keys": [1],
        "foreign_keys": [],
    }
]


def records(folder):
    lines = (folder / "items.jsonl").read_text().splitlines()
    return {record["id"]: record for record in map(json.loads, lines)}


def refused(done, *said):
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert "Traceback" not in done.stderr + done.stdout
    for words in said:
        assert words in done.stderr, done.stderr


@pytest.fixture
def tables(bench):
    return bench.write("tables.json", json.dumps(TABLES))


def test_both_figures(bench, tables):
    done = bench.score("-o", bench.folder / "r", "--etype", "all", "--tables", tables, "--json")
    assert done.returncode == 0, done.stderr
    assert "foreign keys" not in done.stderr
    summary = json.loads(done.stdout)
    assert summary["accuracy"]["test_suite"] == {"correct": 2, "of": 4}
    assert summary["accuracy"]["exact"] == {"correct": 1, "of": 4}
    assert summary["options"]["etype"] == "all" and summary["inputs"]["tables"]
    found = records(bench.folder / "r")
    # Of several directions the published parser keeps the last that is written: item 2 has another than its gold.
    assert [found[i]["exact"] for i in "0123"] == [False, False, False, True]
    table = bench.score("--etype", "all")
    assert "exact set match" in table.stdout and "test-suite accuracy" in table.stdout
    assert "foreign keys from the suites' schemas" in table.stderr
    assert "exact set match" not in bench.score().stdout


def test_exact_set_match_alone_runs_nothing_and_needs_no_suite(bench, tables):
    arguments = ["--gold", bench.gold, "--pred", bench.pred, "--etype", "match"]
    done = command("testsuite", "score", *arguments, "--tables", tables, "-o", bench.folder / "r", "--fail-under", 25)
    assert done.returncode == 0, done.stderr
    assert "nothing was run" in done.stdout and "test-suite accuracy" not in done.stdout
    found = records(bench.folder / "r")
    assert [found[i]["exact"] for i in "0123"] == [False, False, False, True]
    for record in found.values():
        assert record["test_suite"] is record["execution"] is record["path"] is None
    summary = json.loads((bench.folder / "r" / "summary.json").read_text())
    assert summary["scored"] == 4
    assert command("testsuite", "score", *arguments, "--tables", tables, "--fail-under", 26).returncode == 1
    over_suites = bench.score("--etype", "match", "--json")
    assert json.loads(over_suites.stdout)["accuracy"] == summary["accuracy"]
    refused(command("testsuite", "score", *arguments), "--suite", "--tables")


def test_a_gold_beyond_the_published_parser_is_named(bench):
    gold = bench.write("gold2.sql", bench.gold.read_text().replace("count(*)", "abs(count(*))"))
    done = bench.score("--etype", "all", "--json", gold=gold)
    assert done.returncode == 3
    assert "item 1 (shop)" in done.stderr and "does not take the gold" in done.stderr
    accuracy = json.loads(done.stdout)["accuracy"]
    assert (accuracy["exact"]["of"], accuracy["test_suite"]["of"]) == (3, 4)


def test_official_semantics_over_a_suite_and_over_its_files(bench):
    exported = bench.folder / "files"
    done = command("distill", "export", bench.suites, "-o", exported)
    assert done.returncode == 0 and "shop: 3 instances" in done.stdout, done.stderr
    assert sorted(path.name for path in (exported / "shop").iterdir()) == [
        "shop.sqlite",
        "shop_0001.sqlite",
        "shop_0002.sqlite",
    ]
    pred = bench.write("p.txt", bench.pred.read_text().replace("SELECT price,", "SELECT DISTINCT price,"))
    outcomes = []
    for suites in (bench.suites, exported):
        arguments = ["--gold", bench.gold, "--pred", pred, "--suite", suites, "--semantics", "official"]
        folder = bench.folder / f"r{len(outcomes)}"
        done = command("testsuite", "score", *arguments, "-o", folder, "--jobs", 2)
        assert done.returncode == 0, done.stderr
        outcomes.append({i: (r["fate"], r["test_suite"], r["execution"]) for i, r in records(folder).items()})
    right, lucky = ("ok", True, True), ("ok", False, True)
    assert outcomes[0] == outcomes[1] == {"0": lucky, "1": lucky, "2": right, "3": right}
    options = json.loads((bench.folder / "r0" / "summary.json").read_text())["options"]
    assert options["semantics"] == "official" and options["keep_distinct"] is False
    plugged = bench.write("v.txt", "SELECT name FROM item WHERE price > 77\n" + "SELECT 1\n" * 3)
    for flag, correct in (((), 0), (("--plug-value",), 1)):
        done = bench.score("--semantics", "official", *flag, "--json", pred=plugged)
        assert json.loads(done.stdout)["accuracy"]["test_suite"] == {"correct": correct, "of": 4}


def test_options_of_a_run_are_part_of_it(bench):
    folder = bench.folder / "r"
    assert bench.score("-o", folder, "--semantics", "official").returncode == 0
    for extra in (["--keep-distinct"], ["--plug-value"], ["--etype", "all"]):
        refused(bench.score("-o", folder, "--semantics", "official", *extra), "another run")
    assert bench.score("-o", folder, "--semantics", "official").returncode == 0


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (["--plug-value", "--etype", "match"], "changes how queries run"),
        (["--keep-distinct", "--etype", "match"], "changes how queries run"),
        (["--semantics", "official", "--audit", "1"], "--audit does not go with"),
        (["--semantics", "loose"], "--semantics"),
        (["--etype", "some"], "--etype"),
        (["--etype", "match", "--tables", "absent.json"], "absent.json"),
    ],
)
def test_bad_flags(bench, extra, said):
    refused(bench.score(*extra), said)


def test_a_database_that_is_not_in_tables_json(bench):
    tables = bench.write("tables.json", json.dumps([{**TABLES[0], "db_id": "other"}]))
    refused(bench.score("--etype", "match", "--tables", tables), "has no database 'shop'", "pred.txt:1")


def test_import_makes_the_same_suite_again(bench):
    exported, suites = bench.folder / "files", bench.folder / "again"
    assert command("distill", "export", bench.suites, "-o", exported).returncode == 0
    arguments = ["--gold", bench.gold, "--pred", bench.pred, "--suite", exported]
    refused(command("testsuite", "score", *arguments), "distill import", "--semantics official")
    done = command("distill", "import", exported, "-o", suites)
    assert done.returncode == 0 and "shop: 3 instances" in done.stdout, done.stderr
    old, new = (json.loads((s / "shop" / "manifest.json").read_text()) for s in (bench.suites, suites))
    assert [note["id"] for note in old["instances"]] == [note["id"] for note in new["instances"]]
    assert [note["origin"] for note in new["instances"]] == ["shipped", "imported", "imported"]
    assert new["schema"] == old["schema"]
    done = command("testsuite", "score", "--gold", bench.gold, "--pred", bench.pred, "--suite", suites, "--json")
    assert json.loads(done.stdout)["accuracy"]["test_suite"] == {"correct": 2, "of": 4}
    assert command("distill", "inspect", suites).returncode == 0


def test_bad_imports_and_exports(bench):
    exported, out = bench.folder / "files", bench.folder / "out"
    refused(command("distill", "import", bench.folder / "none", "-o", out), "no such directory")
    refused(command("distill", "import", bench.suites, "-o", out), "holds no SQLite files")
    assert command("distill", "export", bench.suites, "-o", exported).returncode == 0
    refused(command("distill", "export", bench.suites, "-o", exported), "already")
    refused(command("distill", "export", exported, "-o", out), "holds no suite")
    file = exported / "shop" / "shop_0002.sqlite"
    file.write_bytes(b"no database")
    refused(command("distill", "import", exported, "-o", out), "shop_0002.sqlite", "not an SQLite database")
    import sqlite3
    from contextlib import closing

    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE item (id INTEGER, name TEXT)")
    refused(command("distill", "import", exported, "-o", out), "shop_0002.sqlite", "columns of table item")
    assert not out.exists()


def test_strict_semantics_keep_distinct_in_any_case(bench):
    done = bench.score("--keep-distinct", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["options"] == json.loads(bench.score("--json").stdout)["options"]
