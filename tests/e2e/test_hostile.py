"""Predictions that attack: each is contained, costs only itself, and leaves the suite's bytes as they were."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from testsuite.score.guard import GRACE

# {out} is a path that must not come to be, {secret} a file that must not be read.
WRITES = (
    "DROP TABLE item",
    "DELETE FROM item",
    "INSERT INTO item VALUES (9, 'x', 1)",
    "REPLACE INTO item VALUES (1, 'x', 1)",
    "UPDATE item SET price = 0 RETURNING name",
    "CREATE TABLE evil (a)",
    "CREATE TABLE evil AS SELECT * FROM item",
    "CREATE TEMP VIEW item AS SELECT 1",
    "CREATE TRIGGER evil AFTER INSERT ON item BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE evil USING fts5(a)",
    "ALTER TABLE item RENAME TO evil",
    "WITH x AS (SELECT 1) DELETE FROM item",
    "WITH x AS (SELECT 1) INSERT INTO item SELECT 7, 'x', 1 FROM x",
    "SELECT name FROM item; DROP TABLE item",
    "SELECT name FROM item; SELECT name FROM item",
    "BEGIN; DELETE FROM item; COMMIT",
    "SAVEPOINT a",
    "REINDEX",
    "ANALYZE",
    "VACUUM",
    "VACUUM INTO '{out}'",
    "EXPLAIN SELECT name FROM item",
)
FILES = (
    "ATTACH DATABASE '{out}' AS evil",
    "ATTACH '{secret}' AS evil",
    "DETACH main",
    "COPY (SELECT 1) TO '{out}'",
    "COPY item FROM '{secret}'",
    "EXPORT DATABASE '{out}'",
    "IMPORT DATABASE '{out}'",
    "SELECT * FROM '{secret}'",
    "SELECT * FROM read_text('{secret}')",
    "SELECT * FROM read_csv('{secret}')",
    "SELECT * FROM read_csv_auto('{secret}', header=false)",
    "SELECT * FROM read_parquet('{secret}')",
    "SELECT * FROM read_blob('{secret}')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM parquet_metadata('{secret}')",
    "SELECT * FROM 'https://example.com/a.parquet'",
    "SELECT * FROM read_json('http://127.0.0.1:1/x')",
    "SELECT readfile('{secret}')",
    "SELECT writefile('{out}', 'x')",
    "SELECT load_extension('{out}')",
    "SELECT fts3_tokenizer('x', x'00')",
    "SELECT getenv('HOME')",
)
ENGINE = (
    "PRAGMA user_version = 7",
    "PRAGMA writable_schema = ON",
    "PRAGMA table_info(item)",
    "SELECT * FROM pragma_table_info('item')",
    "SELECT * FROM pragma_database_list",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET memory_limit = '1TB'",
    "SET threads = 64",
    "RESET ALL",
    "CALL pragma_version()",
    "SELECT current_setting('memory_limit')",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_tables()",
    "SELECT * FROM instances",
    "SELECT * FROM stack1.instances",
    "SELECT __instance FROM item",
    "SELECT * FROM information_schema.tables",
    "SELECT sql FROM sqlite_master",
    "SELECT * FROM sqlite_temp_master",
    "SELECT * FROM stack",
    "SELECT * FROM suites",
    "SELECT query('SELECT 1')",
    "SELECT * FROM query('SELECT 42')",
    "SELECT * FROM query_table('item')",
)
HEAVY = (
    "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r",
    "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r",
    "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r LIMIT 100000000) SELECT x FROM r ORDER BY -x",
    "WITH RECURSIVE r(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM r) SELECT length(x) FROM r",
    "SELECT count(*) FROM " + ", ".join(f"item AS i{n}" for n in range(40)),
    "SELECT * FROM " + ", ".join(f"item AS i{n}" for n in range(20)) + " ORDER BY 1",
    "SELECT DISTINCT i1.name || i5.name FROM " + ", ".join(f"item AS i{n}" for n in range(30)),
    "SELECT printf('%.*c', 2000000000, 'x')",
    "SELECT length(zeroblob(2000000000))",
    "SELECT hex(zeroblob(900000000)) FROM item",
    "SELECT randomblob(1000000000)",
    "SELECT replace(hex(zeroblob(40000000)), '00', 'aaaaaaaaaaaaaaaaaaaaaaaa')",
    "SELECT group_concat(hex(zeroblob(20000000))) FROM item AS a, item AS b, item AS c, item AS d",
    "SELECT name FROM item WHERE replace(hex(zeroblob(15000)), '00', 'a') LIKE '" + "%a" * 200 + "b'",
    "SELECT name FROM item WHERE replace(hex(zeroblob(15000)), '00', 'a') GLOB '" + "*a" * 200 + "b'",
)
TEXTS = (
    "",
    ";",
    " \t\n ",
    "-- SELECT name FROM item",
    "/* SELECT name FROM item",
    "SELECT name FROM item\0; DROP TABLE item",
    "SELECT '\ud800'",
    "'",
    '"',
    "(" * 100_000,
    "SELECT " + "(" * 3_000 + "1" + ")" * 3_000,
    "SELECT " + "-" * 20_000 + "1",
    "SELECT " + "NOT " * 20_000 + "1",
    "SELECT " + " + ".join(["1"] * 20_000),
    "SELECT name FROM item WHERE " + " OR ".join(["id = 1"] * 5_000),
    "SELECT name FROM item " + "UNION SELECT name FROM item " * 3_000,
    "SELECT " + ", ".join(["name"] * 5_000) + " FROM item",
    "SELECT * FROM " + "(SELECT * FROM " * 500 + "item" + ")" * 500,
    "SELECT 'I am a helpful assistant: the answer is " + "x" * 1_000_000 + "'",
    "import os; os.system('touch {out}')",
    "$(touch {out})",
    "__import__('os').system('touch {out}')",
)
HOSTILE = WRITES + FILES + ENGINE + HEAVY + TEXTS
GOLD = "SELECT name FROM item WHERE price > 5"


@pytest.fixture(scope="module")
def digest() -> Any:
    return lambda folder: {
        str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def jsonl(path: Path, lines: list[dict[str, str]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def read_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_every_attack_is_contained(bench, digest, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    secret, out = tmp_path / "secret.csv", tmp_path / "out.db"
    secret.write_text("name\nink\ncup\n")
    golds, predictions = [], []
    for number, text in enumerate(HOSTILE):
        attack = text.replace("{out}", str(out)).replace("{secret}", str(secret))
        # A good pair stands behind every attack: what the attack leaves behind would show there.
        for suffix, prediction in (("attack", attack), ("good", GOLD)):
            golds.append({"id": f"{number:03}-{suffix}", "db_id": "shop", "sql": GOLD})
            predictions.append({"id": f"{number:03}-{suffix}", "db_id": "shop", "sql": prediction})
    before, timeout = digest(bench.suites), 1.5
    done = bench.score(
        "--jobs", 2, "--timeout", timeout, "-o", tmp_path / "results",
        gold=jsonl(tmp_path / "gold.jsonl", golds), pred=jsonl(tmp_path / "pred.jsonl", predictions),
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr[-3000:]
    items = {item["id"]: item for item in map(json.loads, read_lines(tmp_path / "results" / "items.jsonl"))}
    assert len(items) == 2 * len(HOSTILE)
    for number, text in enumerate(HOSTILE):
        attack, good = items[f"{number:03}-attack"], items[f"{number:03}-good"]
        assert good["fate"] == "ok" and good["test_suite"] is True, (text[:80], good)
        assert attack["test_suite"] is False, (text[:80], attack)
        assert attack["fate"] != "infrastructure", (text[:80], attack)
        # Whatever a query does, its worker is back, or gone, in time; the rest is for starting the next worker.
        assert attack["seconds"] < timeout + GRACE + 3.0, (text[:80], attack)
    assert digest(bench.suites) == before
    assert not out.exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        ["gold.jsonl", "gold.sql", "pred.jsonl", "pred.txt", "results", "secret.csv", "suites"]
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_gold_without_end_costs_one_worker(bench, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    endless = "SELECT printf('%.*c', 2000000000, 'x')"
    golds = [{"id": str(n), "db_id": "shop", "sql": endless if n < 12 else GOLD} for n in range(20)]
    done = bench.score(
        "--jobs", 2, "--gold-timeout", 1, "-o", tmp_path / "results",
        gold=jsonl(tmp_path / "gold.jsonl", golds),
        pred=jsonl(tmp_path / "pred.jsonl", [{**gold, "sql": GOLD} for gold in golds]),
    )  # fmt: skip
    assert done.returncode == 3 and "Traceback" not in done.stderr, done.stderr[-2000:]
    items = [json.loads(line) for line in read_lines(tmp_path / "results" / "items.jsonl")]
    assert [item["fate"] for item in items] == ["gold_timeout"] * 12 + ["ok"] * 8
    # No more than one worker each may have come to it before its end was known.
    assert sum(item["seconds"] > 0 for item in items[:12]) <= 2


def test_official_semantics_end_an_endless_step_too(bench, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    golds = [{"id": str(n), "db_id": "shop", "sql": GOLD} for n in range(3)]
    endless = "SELECT name FROM item WHERE length(printf('%.*c', 2000000000, 'x')) > 5"
    done = bench.score(
        "--semantics", "official", "--jobs", 1, "--timeout", 1, "-o", tmp_path / "results",
        gold=jsonl(tmp_path / "gold.jsonl", golds),
        pred=jsonl(tmp_path / "pred.jsonl", [{**golds[n], "sql": endless if n == 1 else GOLD} for n in range(3)]),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    items = [json.loads(line) for line in read_lines(tmp_path / "results" / "items.jsonl")]
    assert [item["fate"] for item in items] == ["ok", "prediction_timeout", "ok"]
    assert items[1]["test_suite"] is False and items[1]["seconds"] < 1 + GRACE + 3


def test_there_are_enough_attacks() -> None:
    assert len(set(HOSTILE)) == len(HOSTILE) >= 60
