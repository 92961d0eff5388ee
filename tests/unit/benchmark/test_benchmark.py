"""The embedded benchmark is what it says: golds run, verdicts are right, luck is luck."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from small_instances import answers, differs, draw, filled, pools

from testsuite.benchmark import BenchmarkPaths, materialise
from testsuite.schema import (
    Affinity,
    merge,
    read_sql_script,
    read_sqlite_rows,
    read_sqlite_schema,
    read_tables_json,
)

Pair = tuple[sqlite3.Connection, sqlite3.Connection]
INSTANCES = 300


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> BenchmarkPaths:
    return materialise(tmp_path_factory.mktemp("benchmark"))


@cache
def golds(file: Path) -> list[tuple[str, str]]:
    return [(sql, db) for sql, db in (line.split("\t") for line in file.read_text().splitlines())]


def verdicts(paths: BenchmarkPaths, model: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in paths.verdicts[model].read_text().splitlines()]


def predictions(paths: BenchmarkPaths, model: str) -> list[str]:
    return paths.predictions[model].read_text().split("\n")[:-1]


@pytest.fixture(scope="module")
def shipped(paths: BenchmarkPaths) -> dict[str, Pair]:
    found = {}
    for db in sorted({db for _, db in golds(paths.gold)}):
        file = paths.database / db / f"{db}.sqlite"
        schema = read_sqlite_schema(file)
        rows = read_sqlite_rows(file, schema)
        found[db] = filled(schema, rows), filled(schema, rows, backwards=True)
    return found


@pytest.fixture(scope="module")
def instances(paths: BenchmarkPaths) -> dict[str, list[Pair]]:
    """Random instances of each schema, each twice: with its rows forwards and backwards."""
    listed = read_tables_json(paths.tables)
    found: dict[str, list[Pair]] = {}
    rng = np.random.default_rng(11)
    for db in listed:
        file = paths.database / db / f"{db}.sqlite"
        schema = merge(read_sqlite_schema(file), listed[db])
        queries = [sql for sql, name in golds(paths.gold) if name == db]
        for model in paths.predictions:
            both = zip(golds(paths.gold), predictions(paths, model), strict=True)
            queries += [p for (_, name), p in both if name == db]
        values = pools(schema, read_sqlite_rows(file, schema), queries)
        drawn = [draw(schema, values, rng) for _ in range(INSTANCES)]
        found[db] = [(filled(schema, rows), filled(schema, rows, backwards=True)) for rows in drawn]
    return found


def test_the_files_line_up(paths: BenchmarkPaths) -> None:
    assert len(golds(paths.gold)) >= 80
    assert len(read_tables_json(paths.tables)) >= 6
    questions = json.loads(paths.questions.read_text())
    assert [(q["query"], q["db_id"]) for q in questions] == golds(paths.gold)
    assert all(q["question"].strip() for q in questions)
    assert len(paths.predictions) >= 3 and paths.predictions.keys() == paths.verdicts.keys()
    for model in paths.predictions:
        assert len(predictions(paths, model)) == len(golds(paths.gold))
        assert [v["id"] for v in verdicts(paths, model)] == [str(i) for i in range(len(golds(paths.gold)))]


def test_the_same_bytes_again(paths: BenchmarkPaths, tmp_path: Path) -> None:
    materialise(tmp_path)
    again = materialise(tmp_path)
    for file in sorted(paths.database.rglob("*.sqlite")):
        assert (again.database / file.relative_to(paths.database)).read_bytes() == file.read_bytes()
    assert list(tmp_path.rglob("*.part")) == []


def test_databases_keep_their_own_constraints(paths: BenchmarkPaths) -> None:
    for file in paths.database.rglob("*.sqlite"):
        with sqlite3.connect(file) as connection:
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.close()


def test_the_schemas_have_what_is_hard(paths: BenchmarkPaths) -> None:
    listed = read_tables_json(paths.tables)
    schemas = [merge(read_sqlite_schema(paths.database / db / f"{db}.sqlite"), schema) for db, schema in listed.items()]
    keys = [(s, t, k) for s in schemas for t in s.tables for k in t.foreign_keys]
    assert any(len(t.primary_key) > 1 for s in schemas for t in s.tables)
    assert any(len(k.columns) > 1 for _, _, k in keys)
    assert any(k.parent == t.name for _, t, k in keys)
    assert any(
        t.column(k.columns[0]).affinity is Affinity.TEXT
        and s.table(k.parent).column(k.parent_columns[0]).affinity is Affinity.INTEGER
        for s, t, k in keys
    )
    assert any(not k.declared for _, _, k in keys)
    assert any(" " in c.name for s in schemas for _, c in s.columns())
    assert any(t.name == "order" for s in schemas for t in s.tables)
    assert any(t.checks for s in schemas for t in s.tables)


def test_schema_scripts_and_tables_json_agree(paths: BenchmarkPaths) -> None:
    for db, listed in read_tables_json(paths.tables).items():
        script = Path(materialise.__code__.co_filename).parent / "data" / db / "schema.sql"
        schema, rows = read_sql_script(script.read_text(), db)
        assert [[c.name for c in t.columns] for t in schema.tables] == [
            [c.name for c in t.columns] for t in listed.tables
        ]
        assert all(10 <= len(found) <= 40 for found in rows.values())


def test_golds_answer_on_shipped_content(paths: BenchmarkPaths, shipped: dict[str, Pair]) -> None:
    for sql, db in golds(paths.gold):
        rows = answers(shipped[db][0], sql)
        assert rows and any(cell is not None for row in rows for cell in row), sql
        assert not differs(shipped[db], sql, sql)


@pytest.mark.parametrize("model", ["heron", "otter", "vole", "gull"])
def test_verdicts(
    model: str, paths: BenchmarkPaths, shipped: dict[str, Pair], instances: dict[str, list[Pair]]
) -> None:
    counts = Counter[str]()
    for (gold, db), prediction, verdict in zip(
        golds(paths.gold), predictions(paths, model), verdicts(paths, model), strict=True
    ):
        assert verdict["why"]
        passes = not differs((shipped[db][0],) * 2, gold, prediction)
        runs = answers(shipped[db][0], prediction) is not None
        separated = not runs or any(differs(pair, gold, prediction) for pair in (*instances[db], shipped[db]))
        assert separated is not verdict["right"], (gold, prediction)
        assert (passes and not verdict["right"]) is verdict["lucky"], (gold, prediction)
        counts["invalid"] += not runs
        counts["lucky"] += bool(verdict["lucky"])
        counts["right"] += bool(verdict["right"])
        counts["other words"] += bool(verdict["right"]) and prediction != gold
    assert counts["lucky"] >= 8
    if model in ("heron", "otter"):
        assert counts["other words"] >= 20
    if model == "vole":
        assert counts["invalid"] >= 10 and "" in predictions(paths, model)


def test_models_differ_in_strength(paths: BenchmarkPaths) -> None:
    right = [sum(bool(v["right"]) for v in verdicts(paths, m)) for m in ("heron", "otter", "vole", "gull")]
    assert all(a > b + 4 for a, b in pairwise(right))
