"""All golds and all models' predictions of Spider dev, stacked against SQLite, instance by instance.

    python tests/differential/spider_models.py [--official 8] [--generated 50] [--db ID ...] [--jobs 2] [-o OUT.json]

Prints coverage, the reasons for refusals, and every disagreement with its query and instance. Exit code 1 where
there is any disagreement.
"""

# ruff: noqa: E402 (a script finds the project beside it first)
from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2])]

from harness import Bench

from testsuite.engine.session import Session
from testsuite.schema.model import Schema
from testsuite.schema.sqlite_file import read_sqlite_rows, read_sqlite_schema
from testsuite.schema.tables_json import merge, read_tables_json
from testsuite.suite.stack import Stack, stack_rows


def golds_of(data: Path) -> dict[str, dict[str, None]]:
    """Distinct golds by database, in order."""
    found: dict[str, dict[str, None]] = {}
    for line in (data / "spider" / "dev_gold.sql").read_text(encoding="utf-8").splitlines():
        sql, _, db_id = line.rpartition("\t")
        if sql and (data / "spider" / "database" / db_id).is_dir():
            found.setdefault(db_id, {})[sql.strip()] = None
    return found


def predictions_of(data: Path) -> dict[str, dict[str, None]]:
    """Distinct predictions of all models by database."""
    items = json.loads((data / "spider" / "dev.json").read_text(encoding="utf-8"))
    found: dict[str, dict[str, None]] = {}
    for path in sorted((data / "spider" / "predictions").glob("*.txt")):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        for item, line in zip(items, lines, strict=False):
            sql = line.split("\t")[0].strip()
            if sql:
                found.setdefault(item["db_id"], {})[sql] = None
    return found


def stacks_of(
    data: Path, db_id: str, golds: list[str], official: int, generated: int, seed: int
) -> list[tuple[str, Stack]]:
    """The shipped and random official instances as one stack, and generated ones as another."""
    schema: Schema = read_sqlite_schema(data / "spider" / "database" / db_id / f"{db_id}.sqlite", db_id)
    schema = merge(schema, read_tables_json(data / "spider" / "tables.json")[db_id])
    shipped = read_sqlite_rows(data / "spider" / "database" / db_id / f"{db_id}.sqlite", schema)
    contents = [shipped]
    for path in sorted((data / "official_parity" / "database" / db_id).glob(f"{db_id}_*.sqlite"))[:official]:
        contents.append(read_sqlite_rows(path, schema))
    stacks = [("official", stack_rows(schema, contents))]
    if generated:
        from distill.fuzz import generate

        first = stack_rows(schema, [shipped])
        made = generate(schema, golds, first, generated, np.random.default_rng(seed))
        stacks.append(("generated", made))
    return stacks


def run_db(arguments: tuple[str, str, int, int, int]) -> list[dict[str, object]]:
    """Every query of one database."""
    root, db_id, official, generated, seed = arguments
    data = Path(root)
    golds = golds_of(data).get(db_id, {})
    queries = [(sql, "gold") for sql in golds]
    queries += [(sql, "prediction") for sql in predictions_of(data).get(db_id, {}) if sql not in golds]
    out: list[dict[str, object]] = []
    session = Session()
    for name, stack in stacks_of(data, db_id, list(golds), official, generated, seed):
        bench = Bench(stack, session)
        for sql, role in queries:
            found = bench.check(sql)
            if found.state == "DISAGREE":
                print(f"DISAGREE [{db_id} {name} {role} {found.reading}] {sql}\n    {found.detail}", flush=True)
            out.append({"db_id": db_id, "stack": name, "role": role, "sql": sql, **asdict(found)})
        bench.close()
    print(f"{db_id}: {len(queries)} queries", flush=True)
    return out


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=str(Path(__file__).resolve().parents[3] / "shared" / "data"))
    parser.add_argument("--official", type=int, default=8, help="random official instances beside the shipped one")
    parser.add_argument("--generated", type=int, default=50)
    parser.add_argument("--db", nargs="*")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-o", "--out")
    options = parser.parse_args(arguments)
    databases = options.db or sorted(golds_of(Path(options.data)))
    work = [(options.data, db_id, options.official, options.generated, options.seed) for db_id in databases]
    started = time.perf_counter()
    if options.jobs > 1:
        with ProcessPoolExecutor(options.jobs) as pool:
            results = [item for part in pool.map(run_db, work) for item in part]
    else:
        results = [item for part in map(run_db, work) for item in part]
    for role in ("gold", "prediction"):
        for stack in ("official", "generated"):
            chosen = [r for r in results if r["role"] == role and r["stack"] == stack]
            states = Counter(str(r["state"]) for r in chosen)
            valid = len(chosen) - states["invalid"]
            ran = states["agree"] + states["partial"] + states["DISAGREE"]
            share = 100 * ran / valid if valid else 0.0
            print(f"{role:10} {stack:9} valid {valid}  stacked {ran} ({share:.2f} %)  {dict(states)}")
    reasons = Counter(str(r["detail"]) for r in results if r["state"] == "refused")
    print("refused because:")
    for reason, count in reasons.most_common(40):
        print(f"  {count:5} {reason}")
    bad = [r for r in results if r["state"] == "DISAGREE"]
    print(f"{len(bad)} disagreements, {time.perf_counter() - started:.0f} s")
    if options.out:
        Path(options.out).write_text(json.dumps(results, indent=1, ensure_ascii=False), encoding="utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
