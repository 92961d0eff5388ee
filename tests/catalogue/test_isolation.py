"""Predictions that change data, files or settings: they are wrong, and what they aim at stays as it is."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from faults import NOW, Case, judged, session, suite_of

from distill.importing import import_suites
from testsuite.records import Fate, Item
from testsuite.score.judge import JudgeOptions, open_judge
from testsuite.suite import load_suite

STOCK = "CREATE TABLE stock(id INTEGER, amount INTEGER)"
ROWS = ("INSERT INTO stock VALUES (1,5),(2,8)",)

# The gold is empty, so whatever gives no rows would pass.
ATTACKS = (
    "DROP TABLE stock",
    "DELETE FROM stock",
    "DELETE FROM stock RETURNING id",
    "INSERT INTO stock VALUES (3,9)",
    "UPDATE stock SET amount = 0",
    "REPLACE INTO stock VALUES (1,0)",
    "ALTER TABLE stock RENAME TO gone",
    "CREATE TABLE more(id)",
    "CREATE TEMP TABLE stock(id)",
    "CREATE VIEW stock2 AS SELECT 1",
    "CREATE TRIGGER t AFTER INSERT ON stock BEGIN DELETE FROM stock; END",
    "WITH x AS (SELECT 1) DELETE FROM stock",
    "WITH x AS (SELECT 3) INSERT INTO stock SELECT 3, 3 FROM x",
    "WITH x AS (SELECT 1) UPDATE stock SET amount = (SELECT * FROM x)",
    "/* SELECT */ DELETE FROM stock",
    "SELECT id FROM stock WHERE 0; DELETE FROM stock",
    "ATTACH '{path}' AS other",
    "ATTACH ':memory:' AS other",
    "DETACH main",
    "VACUUM",
    "VACUUM INTO '{path}'",
    "PRAGMA user_version = 7",
    "PRAGMA writable_schema = 1",
    "PRAGMA query_only = 0",
    "PRAGMA table_info(stock)",
    "EXPLAIN SELECT id FROM stock",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT a",
    "ANALYZE",
    "REINDEX",
    "SELECT load_extension('{path}')",
    "SELECT writefile('{path}', 'x')",
    "SELECT readfile('/etc/hostname')",
    "SELECT * FROM read_text('/etc/hostname')",
    "SELECT * FROM '/etc/hostname'",
    "SELECT * FROM glob('/etc/host*')",
    "SELECT * FROM read_csv('/etc/passwd')",
    "COPY (SELECT 1) TO '{path}'",
    "COPY stock FROM '/etc/hostname'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET memory_limit = '1TB'",
    "SET threads = 64",
    "SELECT * FROM duckdb_settings()",
    "SELECT __instance FROM stock",
)


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_is_wrong_and_changes_nothing(attack: str, tmp_path: Path) -> None:
    suite = suite_of(STOCK, ROWS)
    judge = open_judge(suite, session(), NOW, JudgeOptions())
    gold = "SELECT id FROM stock WHERE amount > 99"
    result = judge.judge(Item("0", "case", gold, attack.replace("{path}", str(tmp_path / "made"))))
    assert (result.fate, result.test_suite, result.execution) == (Fate.INVALID_PREDICTION, False, False), result
    assert not list(tmp_path.iterdir())
    assert suite.stack.rows(0) == {"stock": [(1, 5), (2, 8)]}
    # The same judge goes on with the same rows, on both engines.
    for sql in ("SELECT id, amount FROM stock", "SELECT +id, amount FROM stock"):
        assert judge.judge(Item("1", "case", sql, "VALUES (1,5),(2,8)")).test_suite is True


def test_a_prediction_cannot_empty_the_table_under_the_gold() -> None:
    case = Case("", STOCK, ROWS, "SELECT id FROM stock", "DELETE FROM stock", False)
    assert judged(case).test_suite is False


def test_a_locked_database_is_read_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "files" / "stock" / "stock.sqlite"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.executescript(f"{STOCK}; {ROWS[0]}")
        holder.execute("BEGIN EXCLUSIVE")
        before = path.read_bytes()
        import_suites(tmp_path / "files", tmp_path / "suites")
    assert load_suite(tmp_path / "suites" / "stock").stack.rows(0) == {"stock": [(1, 5), (2, 8)]}
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["stock.sqlite"]
