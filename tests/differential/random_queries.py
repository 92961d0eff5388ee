"""Random SQLite queries over random contents, stacked against SQLite, instance by instance.

    python tests/differential/random_queries.py [--count 200000] [--seed 0] [--jobs 2] [--show 30]

Every block of queries has a schema and a stack of its own and depends on nothing but the seed and its number. Prints
coverage, reasons for refusals and each disagreement; exit code 1 where there is any.
"""

# ruff: noqa: E402 (a script finds the project beside it first)
from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2])]

from harness import Bench, Found

from distill.fuzz.grammar import SeededChance, random_query, random_schema, random_stack
from testsuite.engine.session import Session

PER_BLOCK = 200
INSTANCES = 20


def run_block(arguments: tuple[int, int, int]) -> list[tuple[int, int, str, Found]]:
    """All queries of one block: (block, place, query, what became of it)."""
    seed, block, size = arguments
    chance = SeededChance(np.random.default_rng([seed, block]))
    schema = random_schema(chance, block)
    bench = Bench(random_stack(chance, schema, INSTANCES), Session(), steps=200_000)
    out = []
    for place in range(size):
        sql = random_query(chance, schema)
        out.append((block, place, sql, bench.check(sql)))
    bench.close()
    return out


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=30)
    options = parser.parse_args(arguments)
    work = [
        (options.seed, block, min(PER_BLOCK, options.count - start))
        for block, start in enumerate(range(0, options.count, PER_BLOCK))
    ]
    started = time.perf_counter()
    states: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    bad = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for results in pool.map(run_block, work):
            for block, place, sql, found in results:
                states[found.state] += 1
                if found.state in ("refused", "invalid", "reading"):
                    reasons[f"{found.state}: {found.detail[:90]}"] += 1
                if found.state == "DISAGREE":
                    bad += 1
                    if bad <= options.show:
                        print(
                            f"DISAGREE [block {block}, {place}, {found.reading}] {sql}\n    {found.detail}", flush=True
                        )
    for reason, count in reasons.most_common(30):
        print(f"  {count:6} {reason}")
    seconds = time.perf_counter() - started
    print(f"{sum(states.values())} queries, seed {options.seed}: {dict(states)}, {bad} disagreements, {seconds:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
