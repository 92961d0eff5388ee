"""``distill build`` and ``distill inspect`` through the commands, on one database of the embedded benchmark."""

from __future__ import annotations

import json
import shutil

import pytest
from commands import command

from testsuite.benchmark import materialise


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    return materialise(tmp_path_factory.mktemp("benchmark"))


@pytest.fixture(scope="module")
def built(paths, tmp_path_factory):
    """One suite, built by two workers; and the same by one."""
    folders = []
    for jobs in (2, 1):
        folder = tmp_path_factory.mktemp(f"suites{jobs}")
        done = build(paths, folder, "--jobs", jobs, "--db", "bee_yard", "--db", "ferry_lines")
        assert done.returncode == 0, done.stderr
        folders.append(folder)
    return folders


def build(paths, folder, *extra):
    arguments = ["--tables", paths.tables, "--database", paths.database, "--gold", paths.gold, "-o", folder]
    return command("distill", "build", *arguments, "--instances", 80, "--neighbours", 20, *extra)


def test_same_seed_same_bytes_for_any_number_of_workers(built):
    one, two = (sorted(p for p in folder.rglob("*") if p.is_file()) for folder in built)
    assert [p.name for p in one] == [p.name for p in two]
    for left, right in zip(one, two, strict=True):
        assert left.read_bytes() == right.read_bytes(), left.name


def test_inspect_counts_add_up(built):
    done = command("distill", "inspect", built[0], "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    fields = ("instances", "rows", "golds", "neighbours", "separated", "equivalent", "unknown")
    for name in fields:
        assert data["total"][name] == sum(row[name] for row in data["databases"])
    assert [row["db_id"] for row in data["databases"]] == ["bee_yard", "ferry_lines"]
    assert data["total"]["separated"] + data["total"]["unknown"] == data["total"]["neighbours"]
    assert data["total"]["separated"] >= 0.9 * data["total"]["neighbours"]
    assert data["total"]["audit"]["disagreements"] == 0


def test_the_shipped_instance_comes_first(built):
    manifest = json.loads((built[0] / "bee_yard" / "manifest.json").read_text())
    assert [note["origin"] for note in manifest["instances"]].index("shipped") == 0
    assert len({note["id"] for note in manifest["instances"]}) == len(manifest["instances"])


def refused(done, said):
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert said in done.stderr, done.stderr


def test_bad_input(paths, tmp_path):
    out = tmp_path / "out"
    good = {"--tables": paths.tables, "--database": paths.database, "--gold": paths.gold}

    def run(**changes):
        arguments = {**good, **{f"--{name}": value for name, value in changes.items()}}
        return command("distill", "build", *[x for pair in arguments.items() for x in pair], "-o", out)

    refused(run(gold=tmp_path / "absent.sql"), "absent.sql: no such file")
    refused(run(tables=tmp_path / "absent.json"), "absent.json")
    refused(run(database=tmp_path / "absent"), "absent: no such directory")
    (tmp_path / "empty").mkdir()
    refused(run(database=tmp_path / "empty"), "holds none of the databases")
    (tmp_path / "g.sql").write_text("SELECT 1\tnowhere\n")
    refused(run(gold=tmp_path / "g.sql"), "g.sql:1: database 'nowhere'")
    refused(run(db="nowhere"), "nowhere")
    refused(command("distill", "inspect", tmp_path / "none"), "no such directory")
    assert not out.exists()


def test_a_gold_that_does_not_run_is_named_and_the_rest_is_built(paths, tmp_path):
    gold = tmp_path / "gold.sql"
    lines = [raw for raw in paths.gold.read_text().splitlines() if raw.endswith("\tbee_yard")][:4]
    gold.write_text("\n".join([*lines, "SELECT missing FROM missing\tbee_yard"]) + "\n")
    done = command(
        "distill", "build", "--database", paths.database, "--gold", gold, "-o", tmp_path / "s", "--instances", 20
    )
    assert done.returncode == 3
    assert "gold does not run" in done.stderr and "SELECT missing" in done.stderr
    assert (tmp_path / "s" / "bee_yard" / "manifest.json").is_file()


def test_a_database_without_file_is_built_from_tables_json(paths, tmp_path):
    database = tmp_path / "database"
    shutil.copytree(paths.database / "bee_yard", database / "bee_yard")
    arguments = ["--tables", paths.tables, "--database", database, "--gold", paths.gold, "-o", tmp_path / "s"]
    done = command(
        "distill", "build", *arguments, "--instances", 20, "--neighbours", 3, "--db", "bee_yard", "--db", "ferry_lines"
    )
    assert done.returncode == 0, done.stderr
    assert "ferry_lines: no database file" in done.stderr
    manifest = json.loads((tmp_path / "s" / "ferry_lines" / "manifest.json").read_text())
    assert {note["origin"] for note in manifest["instances"]} <= {"generated", "searched"}
