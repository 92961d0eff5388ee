"""How many verdicts a second a warm ``Scorer`` gives, and how long one takes, beside the plain baseline.

    python tests/bench/warm.py --gold GOLD --pred PRED [--pred PRED] --suite SUITES [--jobs 2]
                               [--sample 40] [--engine auto] [--work DIR] [--json]

The scorer is warmed: suites are loaded, golds answered and, where there are several prediction files, the pairs of the
first one scored. Measured are the pairs of the other files that are not in the first (of the first itself where there
is only one), each once:

distinct   pairs a second that no cache of verdicts knows,
repeated   pairs a second that it knows,
check      milliseconds of ``check`` on pairs not known, one at a time: median and 99th percentile,
baseline   pairs a second of baseline.py, the same instances as SQLite files (written once to ``--work``), in as many
           processes, on every ``items / sample``-th pair.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from baseline import equal_everywhere  # noqa: E402 - after the path

from testsuite import ScoreOptions, Scorer  # noqa: E402
from testsuite.records import Item  # noqa: E402
from testsuite.score.files import read_items  # noqa: E402
from testsuite.suite import export_sqlite, load_suite  # noqa: E402


def _baseline(job: tuple[str, str, str]) -> bool:
    return equal_everywhere(job[0], job[1], sorted(Path(job[2]).glob("*.sqlite")))


def baseline_rate(items: list[Item], suites: Path, work: Path, jobs: int, sample: int) -> float:
    """Pairs a second of the baseline on some of the items."""
    chosen = items[:: max(1, len(items) // sample)]
    for db_id in {item.db_id for item in chosen}:
        if not (work / db_id).is_dir():
            export_sqlite(load_suite(suites / db_id), work)
    with ProcessPoolExecutor(jobs) as pool:
        list(pool.map(_baseline, [("SELECT 1", "SELECT 1", str(work))] * jobs))
        started = time.perf_counter()
        list(pool.map(_baseline, [(i.gold, i.prediction, str(work / i.db_id)) for i in chosen]))
        return len(chosen) / (time.perf_counter() - started)


def distinct(files: list[list[Item]]) -> list[Item]:
    """The pairs of all files but the first, each once, without those of the first."""
    seen = {(i.db_id, i.gold, i.prediction) for i in files[0]}
    found: dict[tuple[str, str, str], Item] = {}
    for items in files[1:] or files:
        for item in items:
            key = (item.db_id, item.gold, item.prediction)
            if len(files) == 1 or key not in seen:
                found.setdefault(key, item)
    return list(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--pred", type=Path, action="append", required=True)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--engine", choices=("auto", "sqlite"), default="auto")
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--work", type=Path, default=Path(os.environ.get("TMPDIR", "/tmp")) / "testsuite-warm")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    files = [list(read_items(arguments.gold, path)) for path in arguments.pred]
    pairs = distinct(files)
    options = ScoreOptions(engine=arguments.engine)
    with Scorer(arguments.suite, options, arguments.jobs, cache_size=max(1_000, 4 * len(pairs))) as scorer:
        files = [[item for item in items if item.db_id in scorer.db_ids] for items in files]
        pairs = [item for item in pairs if item.db_id in scorer.db_ids]
        # Every worker meets every gold, since an idle one takes what another would.
        warming = [Item(f"{n}", i.db_id, i.gold, i.gold + " " * n) for n in range(2) for i in files[0]]
        started = time.perf_counter()
        scorer.score([*warming, *files[0]] if len(files) > 1 else warming)
        warm_up = time.perf_counter() - started
        single, batch = pairs[::8], [item for n, item in enumerate(pairs) if n % 8]
        started = time.perf_counter()
        scorer.score(batch)
        distinct_rate = len(batch) / (time.perf_counter() - started)
        rounds = max(1, 20_000 // len(batch))
        started = time.perf_counter()
        for _ in range(rounds):
            scorer.score(batch)
        repeated_rate = rounds * len(batch) / (time.perf_counter() - started)
        waits = []
        for item in single:
            started = time.perf_counter()
            scorer.check(item.gold, item.prediction, item.db_id)
            waits.append(1000 * (time.perf_counter() - started))
    plain = baseline_rate(pairs, arguments.suite, arguments.work, arguments.jobs, arguments.sample)
    figures = {
        "pairs": len(pairs),
        "engine": arguments.engine,
        "jobs": arguments.jobs,
        "warm_up_seconds": round(warm_up, 1),
        "distinct_per_second": round(distinct_rate),
        "repeated_per_second": round(repeated_rate),
        "check_ms_p50": round(float(np.percentile(waits, 50)), 2),
        "check_ms_p99": round(float(np.percentile(waits, 99)), 2),
        "baseline_per_second": round(plain, 1),
        "distinct_ratio": round(distinct_rate / plain, 1),
        "repeated_ratio": round(repeated_rate / plain, 1),
    }
    if arguments.json:
        print(json.dumps(figures, indent=1))
        return
    table = Table("figure", "value")
    for name, value in figures.items():
        table.add_row(name.replace("_", " "), str(value))
    Console().print(table)


# A script of benchmarks only: the guard lets process pools import it.
if __name__ == "__main__":
    main()
