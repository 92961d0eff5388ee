"""``distill counterexample`` as a user runs it."""

from __future__ import annotations

import json
import sqlite3

import pytest
from commands import command

from testsuite.benchmark import materialise

LESS = "SELECT name FROM item WHERE price < 50"
AT_MOST = "SELECT name FROM item WHERE price <= 50"


@pytest.fixture
def schema(tmp_path):
    path = tmp_path / "shop.sql"
    path.write_text("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price INTEGER NOT NULL);")
    return path


def test_found(schema):
    done = command("distill", "counterexample", schema, LESS, AT_MOST)
    assert done.returncode == 1, done.stderr
    assert "INSERT INTO \"item\" VALUES (1, 'a', 50);" in done.stdout
    assert "counterexample with 1 row, content-plausible" in done.stdout
    assert "no rows" in done.stdout


def test_json_replays_and_is_the_same_for_a_seed(schema):
    runs = [command("distill", "counterexample", schema, LESS, AT_MOST, "--json", "--seed", 3) for _ in range(2)]
    assert runs[0].returncode == 1 and runs[0].stdout == runs[1].stdout
    data = json.loads(runs[0].stdout)
    found = data["counterexample"]
    assert data["found"] and data["options"]["seed"] == 3 and found["rows"] == 1
    assert found["difference"] == {"row": None, "a": None, "b": ["a"]}
    with sqlite3.connect(":memory:") as connection:
        connection.executescript("\n".join(found["ddl"] + found["inserts"]))
        for name, sql in (("a", LESS), ("b", AT_MOST)):
            assert list(map(list, connection.execute(sql))) == found[name]["rows"]


def test_none_found(schema):
    same = "SELECT name FROM item WHERE NOT price >= 50"
    done = command("distill", "counterexample", schema, LESS, same, "--instances", 60)
    assert done.returncode == 0 and "no counterexample found" in done.stdout
    done = command("distill", "counterexample", schema, LESS, LESS, "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["counterexample"] is None


def test_bad_input(schema, tmp_path):
    for arguments, said in (
        ((tmp_path / "absent.sql", LESS, LESS), "absent.sql"),
        ((schema, "SELECT nam FROM item", LESS), "SQL A: SQLite does not take this as a query on shop: no such column"),
        ((schema, LESS, "DROP TABLE item"), "SQL B: "),
        ((schema, LESS, LESS, "--content", tmp_path / "absent.sqlite"), "absent.sqlite"),
        ((schema, LESS), "SQL_B"),
        ((schema, LESS, LESS, "--nulls", "always"), "always"),
    ):
        done = command("distill", "counterexample", *arguments)
        assert done.returncode == 2, done
        assert said in done.stderr and "Traceback" not in done.stderr


def test_a_schema_of_tables_json_and_the_content_of_a_file(tmp_path):
    paths = materialise(tmp_path)
    file = paths.database / "ferry_lines" / "ferry_lines.sqlite"
    with sqlite3.connect(file) as connection:
        (table,) = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 1").fetchone()
    queries = f'SELECT count(*) FROM "{table}"', f'SELECT 1 + count(*) FROM "{table}"'
    for arguments in ((f"{paths.tables}:ferry_lines", *queries, "--content", file), (file, *queries)):
        done = command("distill", "counterexample", *arguments)
        assert done.returncode == 1, done.stderr
        assert "counterexample with 0 rows" in done.stdout
