"""Execution as the script does it, on files made here; and that queries can do no harm."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, perf_counter

import pytest

from testsuite.errors import InputError
from testsuite.official import OfficialVerdict, ReadOnlyFiles, instance_files, official_equal
from testsuite.official.readonly import QueryFailed, QueryTimeout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "db"
    place.mkdir()
    contents: dict[str, Sequence[tuple[object, ...]]] = {
        "db.sqlite": [(1, "a", 10), (2, "b", 20), (3, "c", 20)],
        "db_0000.sqlite": [(1, "a", 5), (2, "a", 10), (3, "b", 10), (4, b"x\xff".decode("latin-1"), 7)],
    }
    for name, rows in contents.items():
        connection = sqlite3.connect(place / name)
        connection.execute("CREATE TABLE t (id INTEGER, name TEXT, age INTEGER)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        connection.commit()
        connection.close()
    (place / "schema.sql").write_text("")
    return place


def verdict(folder: Path, gold: str, prediction: str, **options: bool) -> OfficialVerdict:
    return official_equal(gold, prediction, instance_files(folder), timeout=5, **options)


@pytest.mark.parametrize(
    ("gold", "prediction", "reason"),
    [
        ("SELECT name FROM t", "SELECT name FROM t;", "equal"),
        ("SELECT name, age FROM t", "SELECT age, name FROM t", "equal"),
        ("SELECT DISTINCT name FROM t", "SELECT name FROM t", "equal"),
        ("SELECT name FROM t ORDER BY id", "SELECT name FROM t ORDER BY id DESC", "different"),
        # The order counts where the text says so, however deep.
        ("SELECT name FROM (SELECT * FROM t ORDER BY id)", "SELECT name FROM t ORDER BY id DESC", "different"),
        ("SELECT name FROM t ORDER  BY id", "SELECT name FROM t ORDER BY id DESC", "equal"),
        # Equal on the first instance, not on the second.
        ("SELECT count(*) FROM t WHERE age >= 10", "SELECT count(*) FROM t", "different"),
        ("SELECT name FROM t WHERE age < 0", "SELECT 1, 2, 3 WHERE 0", "equal"),
        ("SELECT id FROM t WHERE age > = 10", "SELECT id FROM t WHERE age >= 10", "equal"),
        # The gold's rows, and more.
        ("SELECT name FROM t", "SELECT name FROM t UNION ALL SELECT name FROM t", "different"),
        ("SELECT name FROM t", "SELECT nothing FROM t", "prediction_error"),
        ("SELECT nothing FROM t", "SELECT name FROM t", "gold_error"),
    ],
)
def test_verdicts(folder: Path, gold: str, prediction: str, reason: str) -> None:
    found = verdict(folder, gold, prediction)
    assert found.reason == reason
    assert found.equal is (None if reason == "gold_error" else reason == "equal")
    assert (found.instance is None) == (reason == "equal")


def test_keep_distinct(folder: Path) -> None:
    gold, prediction = "SELECT DISTINCT age FROM t", "SELECT age FROM t"
    assert verdict(folder, gold, prediction).equal
    assert not verdict(folder, gold, prediction, keep_distinct=True).equal


def test_only_the_first_statement_unless_distinct_is_kept(folder: Path) -> None:
    sql = "SELECT age FROM t; SELECT 1"
    assert verdict(folder, "SELECT age FROM t", sql).equal
    assert verdict(folder, "SELECT age FROM t", sql, keep_distinct=True).reason == "prediction_error"


def test_plugging(folder: Path) -> None:
    gold = "SELECT name FROM t WHERE age = 10 AND name = 'a'"
    wrong = 'SELECT name FROM t WHERE name = "1" AND age = 7'
    assert verdict(folder, gold, wrong).reason == "different"
    found = verdict(folder, gold, wrong, plug_value=True)
    # 10 and 10, 10 and 'a' come first.
    assert (found.equal, found.reason, found.candidates) == (True, "equal_plugged", 5)
    assert verdict(folder, gold, gold, plug_value=True).reason == "equal"
    hopeless = verdict(folder, gold, "SELECT age FROM t WHERE age = 3", plug_value=True)
    assert (hopeless.equal, hopeless.reason, hopeless.candidates, hopeless.tried) == (False, "different", 3, 3)


def test_plugging_is_capped(folder: Path) -> None:
    gold = "SELECT name FROM t WHERE age = 10 OR age = 20"
    many = "SELECT id FROM t WHERE " + " OR ".join("age = 1" for _ in range(20))
    found = official_equal(gold, many, instance_files(folder), plug_value=True, max_candidates=50)
    assert (found.equal, found.reason, found.candidates, found.tried) == (False, "capped", 2**20 + 1, 51)


ENDLESS = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r"


def test_endless_queries(folder: Path) -> None:
    start = perf_counter()
    found = official_equal("SELECT 1", ENDLESS, instance_files(folder), timeout=0.5)
    assert (found.equal, found.reason) == (False, "prediction_timeout")
    found = official_equal(ENDLESS, "SELECT 1", instance_files(folder), timeout=0.5)
    assert (found.equal, found.reason) == (None, "gold_timeout")
    assert perf_counter() - start < 5


def test_a_slow_instance_is_put_off(folder: Path) -> None:
    """Endless on the first instance, wrong on the second: the second decides, soon."""
    gold = "SELECT count(*) FROM t WHERE name = 'a'"
    slow = (
        "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE (SELECT count(*) FROM t) = 3) "
        "SELECT count(*) + 7 FROM r"
    )
    start = perf_counter()
    found = official_equal(gold, slow, instance_files(folder), timeout=20)
    assert (found.reason, found.instance) == ("different", "db_0000.sqlite")
    assert perf_counter() - start < 5


@pytest.mark.parametrize(
    "sql",
    [
        "ATTACH DATABASE '{place}/new.db' AS new",
        "VACUUM INTO '{place}/new.db'",
        "CREATE TABLE u (a)",
        "CREATE TEMP TABLE t (a)",
        "INSERT INTO t VALUES (1, 2, 3)",
        "DELETE FROM t",
        "DROP TABLE t",
        "PRAGMA case_sensitive_like = 1",
        "SELECT load_extension('x')",
        "SELECT randomblob(1000000000)",
        "SELECT 1 \x00",
        "SELECT '\ud800'",
        "BEGIN",
        "SELECT {parentheses}",
    ],
)
def test_hostile_queries(folder: Path, sql: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    text = sql.format(place=folder, parentheses="(" * 3000 + "1" + ")" * 3000)
    for keep in (False, True):
        found = official_equal("SELECT name FROM t", text, instance_files(folder), timeout=2, keep_distinct=keep)
        assert found.reason == "prediction_error"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_read_only_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "db.sqlite"
    with ReadOnlyFiles() as files:
        soon = monotonic() + 5
        assert files.rows(path, "SELECT id FROM t ORDER BY id", soon) == [(1,), (2,), (3,)]
        assert files.rows(path, "SELECT id FROM t ORDER BY id", soon, at_most=2) == [(1,), (2,)]
        assert files.rows(path, "SELECT CAST(x'61ff62' AS TEXT)", soon) == [("ab",)]
        assert files.rows(path, "SELECT value FROM json_each('[5]')", soon) == [(5,)]
        with pytest.raises(QueryFailed, match="no such table"):
            files.rows(path, "SELECT * FROM u", soon)
        with pytest.raises(QueryTimeout):
            files.rows(path, ENDLESS, monotonic() + 0.1)
        with pytest.raises(QueryFailed):
            files.rows(folder / "absent.sqlite", "SELECT 1", soon)
        # No more than so many are open at a time.
        monkeypatch.setattr("testsuite.official.readonly.MAX_OPEN", 1)
        for name in ("db_0000.sqlite", "db.sqlite") * 2:
            assert files.rows(folder / name, "SELECT min(id) FROM t", soon) == [(1,)]
    assert not (folder / "absent.sqlite").exists()


def test_no_instances(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.sqlite file"):
        instance_files(tmp_path)
    with pytest.raises(InputError, match=r"no \.sqlite file"):
        instance_files(tmp_path / "absent")
    with pytest.raises(InputError):
        official_equal("SELECT 1", "SELECT 1", [])
