"""How long a whole run of ``testsuite score`` takes, start-up included, against the plain baseline of baseline.py.

    python tests/bench/scoring.py --gold GOLD --pred PRED [--pred PRED] --tables TABLES --database DIR
                                  [--instances 40 1000] [--sample 60] [--jobs 2] [--work DIR] [--json]

Makes a suite of each size for every database of GOLD (kept in ``--work`` for the next time), scores each prediction
file with the command, and runs the baseline on every ``972 / sample``-th item over the same instances as SQLite files.
Both use ``--jobs`` processes. The baseline's time for all items is its time for the sample, scaled by the number of
items; ``--sample 0`` runs it on all. Databases' sizes, cut short, and both times are in the output.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from baseline import equal_everywhere  # noqa: E402 - after the path

from distill.build import BuildOptions  # noqa: E402
from distill.fuzz import generate  # noqa: E402
from distill.run import read_tasks  # noqa: E402
from testsuite.score.files import read_items  # noqa: E402
from testsuite.suite import (  # noqa: E402
    InstanceNote,
    Manifest,
    concat,
    export_sqlite,
    instance_id,
    load_suite,
    save_suite,
    stack_rows,
)


def make_suites(arguments: argparse.Namespace, count: int) -> Path:
    """Suites of ``count`` instances, not distilled, and the same instances as SQLite files; made once."""
    work = arguments.work / f"instances{count}"
    suites, files = work / "suites", work / "files"
    tasks, _ = read_tasks(arguments.tables, arguments.database, [arguments.gold], suites, BuildOptions())
    for task in tasks:
        db_id = task.schema.db_id
        if (files / db_id).is_dir() and (suites / db_id / "manifest.json").exists():
            continue
        shipped = None if task.shipped is None else stack_rows(task.schema, [task.shipped])
        made = generate(task.schema, task.golds, shipped, count - (shipped is not None), np.random.default_rng(1))
        stack = made if shipped is None else concat([shipped, made])
        notes = tuple(
            InstanceNote(instance_id(stack, n), "shipped" if shipped is not None and n == 0 else "generated", 0, 0)
            for n in range(stack.count)
        )
        manifest = Manifest(db_id, notes, seed=1)
        save_suite(suites, stack, manifest)
        export_sqlite(load_suite(suites / db_id), files)
    return work


def _baseline(job: tuple[str, str, str]) -> tuple[float, bool]:
    gold, prediction, folder = job
    instances = sorted(Path(folder).glob("*.sqlite"))
    started = time.perf_counter()
    equal = equal_everywhere(gold, prediction, instances)
    return time.perf_counter() - started, equal


def run_baseline(jobs: Sequence[tuple[str, str, str]], workers: int) -> tuple[float, float, int]:
    """Wall seconds, seconds of all processes, and pairs found equal."""
    started = time.perf_counter()
    with ProcessPoolExecutor(workers) as pool:
        done = list(pool.map(_baseline, jobs, chunksize=1))
    return time.perf_counter() - started, sum(s for s, _ in done), sum(equal for _, equal in done)


def run_ours(arguments: argparse.Namespace, prediction: Path, suites: Path) -> tuple[float, dict[str, object], int]:
    """Wall seconds of the command, its summary, and the largest process's memory in KiB."""
    command = [sys.executable, "-m", "testsuite", "score", "--gold", arguments.gold, "--pred", prediction]
    command += ["--suite", suites, "--jobs", arguments.jobs, "--json"]
    started = time.perf_counter()
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, cwd=ROOT)
    seconds = time.perf_counter() - started
    if done.returncode not in (0, 3):
        raise SystemExit(done.stderr)
    return seconds, json.loads(done.stdout), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("gold", "tables", "database"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--pred", type=Path, action="append", required=True)
    parser.add_argument("--instances", type=int, nargs="+", default=[40, 1000])
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", type=Path, default=Path(os.environ.get("TMPDIR", "/tmp")) / "testsuite-bench")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = []
    for count in arguments.instances:
        work = make_suites(arguments, count)
        for prediction in arguments.pred:
            items = [i for i in read_items(arguments.gold, prediction) if (work / "files" / i.db_id).is_dir()]
            step = max(1, len(items) // arguments.sample) if arguments.sample else 1
            chosen = [(i.gold, i.prediction, str(work / "files" / i.db_id)) for i in items[::step]]
            ours, summary, memory = run_ours(arguments, prediction, work / "suites")
            wall, _, equal = run_baseline(chosen, arguments.jobs)
            scaled = wall * len(items) / len(chosen)
            rows.append(
                {
                    "predictions": prediction.stem,
                    "instances": count,
                    "items": len(items),
                    "baseline_items": len(chosen),
                    "baseline_equal": equal,
                    "baseline_seconds": round(scaled, 2),
                    "seconds": round(ours, 2),
                    "ratio": round(scaled / ours, 1),
                    "milliseconds_per_pair": round(1000 * ours / len(items), 2),
                    "largest_process_mib": memory // 1024,
                    "paths": summary.get("paths"),
                }
            )
    if arguments.json:
        print(json.dumps(rows, indent=1))
        return
    table = Table(*("predictions", "instances", "items", "baseline s", "ours s", "times faster", "ms a pair", "MiB"))
    for row in rows:
        keys = ("predictions", "instances", "items", "baseline_seconds", "seconds", "ratio", "milliseconds_per_pair")
        table.add_row(*(str(row[k]) for k in (*keys, "largest_process_mib")))
    Console().print(table)


# A script of benchmarks only: the guard lets process pools import it.
if __name__ == "__main__":
    main()
