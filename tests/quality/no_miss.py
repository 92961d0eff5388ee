"""Does a suite accept a prediction that some other instance would refute?

    python tests/quality/no_miss.py RESULTS [RESULTS ...] --suite SUITES --gold GOLD --pred PRED [PRED ...]
        --tables TABLES --database DIR [--extra DIR] [--fresh 2000] [--seed 90210] [--jobs 2] [--json]

Takes every prediction that a scored run accepted, leaves out those that are the gold but for spelling, and runs the
others beside their gold on instances the suite has never seen: those of ``--extra`` (``<db_id>/*.sqlite``, say random
ones of the published generator), and ``--fresh`` random ones of another seed. A difference counts where the gold is
determined and SQLite confirms it; differences in ties only are counted apart. Exit code 1 where there is any.
"""

# ruff: noqa: E402 (a script finds the project beside it first)
from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from distill.build import BuildOptions
from distill.fuzz import generate
from distill.run import read_tasks
from testsuite.compare import Policy, compare_open
from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Referee
from testsuite.engine.session import QueryTimeout, Session
from testsuite.schema.sqlite_file import read_sqlite_rows
from testsuite.score.files import read_items
from testsuite.score.options import ScoreOptions
from testsuite.score.results import load_items
from testsuite.suite import Stack, load_suite, stack_rows

_CHUNK = 250


@dataclass(frozen=True)
class Miss:
    """An accepted prediction that an unseen instance refutes."""

    db_id: str
    gold: str
    prediction: str
    source: str
    instances: int
    ties_only: bool


def accepted_pairs(arguments: argparse.Namespace) -> dict[str, dict[tuple[str, str], int]]:
    """Accepted (gold, prediction) pairs by database, with the number of items that hold each."""
    pairs: dict[str, dict[tuple[str, str], int]] = {}
    for results, prediction in zip(arguments.results, arguments.pred, strict=True):
        items = {item.id: item for item in read_items(arguments.gold, prediction)}
        for record in load_items(results):
            if record.test_suite:
                item = items[record.id]
                of_db = pairs.setdefault(item.db_id, {})
                of_db[item.gold, item.prediction] = of_db.get((item.gold, item.prediction), 0) + 1
    return pairs


def separated(evaluator: Evaluator, gold: str, prediction: str) -> tuple[int, bool]:
    """On how many instances SQLite confirms a difference (at most three are tried), and whether in ties only."""
    count = evaluator.stack.count
    try:
        one, other = evaluator.answers(gold, timeout=60.0), evaluator.answers(prediction, timeout=60.0)
        seen = compare_open(one.low, one.high, other.low, other.high, Policy())
        places = np.flatnonzero(seen.usable & ~seen.equal)
        if not len(places):
            return 0, False
        # One order of columns must serve all instances, so where each alone agrees all are asked together.
        tried = [[int(p)] for p in places[:3]] if seen.joint else [list(range(count))]
        for instances in tried:
            truth = evaluator.sqlite_answers(gold, instances, 60.0)
            answer = evaluator.sqlite_answers(prediction, instances, 60.0)
            check = compare_open(truth.low, truth.high, answer.low, answer.high, Policy())
            if bool((check.usable & ~check.equal).any()):
                return len(places), bool(seen.tie_only[places].all())
    except QueryTimeout:
        pass
    return 0, False


def check_database(
    job: tuple[str, list[tuple[str, str]], str, str, str, str | None, int, int],
) -> tuple[int, list[Miss]]:
    """All accepted pairs of one database: how many were tried, and the misses."""
    db_id, pairs, gold_file, tables, database, extra, fresh, seed = job
    (task,), _ = read_tasks(Path(tables), Path(database), [Path(gold_file)], Path(), BuildOptions(), [db_id])
    shipped = None if task.shipped is None else stack_rows(task.schema, [task.shipped])
    session, now = Session(), ScoreOptions().instant
    misses: list[Miss] = []
    stacks: list[tuple[str, Stack]] = []
    if extra is not None and (Path(extra) / db_id).is_dir():
        contents = [read_sqlite_rows(p, task.schema) for p in sorted((Path(extra) / db_id).glob("*.sqlite"))]
        stacks.append(("extra", stack_rows(task.schema, contents)))
    rng = np.random.default_rng([seed, len(db_id), *db_id.encode()])
    for start in range(0, fresh, _CHUNK):
        stacks.append(("fresh", generate(task.schema, task.golds, shipped, min(_CHUNK, fresh - start), rng)))
    tried = 0
    open_pairs = list(pairs)
    for source, stack in stacks:
        session.load(stack)
        evaluator = Evaluator(stack, session, Referee(stack), now)
        if not tried:
            open_pairs = [(g, p) for g, p in pairs if evaluator.prepare(g).normal != evaluator.prepare(p).normal]
            tried = len(open_pairs)
        for gold, prediction in list(open_pairs):
            found, ties = separated(evaluator, gold, prediction)
            if found:
                misses.append(Miss(db_id, gold, prediction, source, found, ties))
                open_pairs.remove((gold, prediction))
        evaluator.referee.close()
    return tried, misses


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, nargs="+")
    for name in ("suite", "gold", "tables", "database"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--pred", type=Path, nargs="+", required=True)
    parser.add_argument("--extra", type=Path)
    parser.add_argument("--fresh", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=90210)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(argv)
    pairs = accepted_pairs(arguments)
    for db_id in pairs:
        load_suite(arguments.suite / db_id)  # the run's suites must be whole
    extra = None if arguments.extra is None else str(arguments.extra)
    jobs = [
        (db_id, list(of_db), str(arguments.gold), str(arguments.tables), str(arguments.database), extra,
         arguments.fresh, arguments.seed)
        for db_id, of_db in sorted(pairs.items(), key=lambda entry: -len(entry[1]))
    ]  # fmt: skip
    accepted = sum(sum(of_db.values()) for of_db in pairs.values())
    tried, misses = 0, []
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for number, found in pool.map(check_database, jobs):
            tried += number
            misses += found
    real = [miss for miss in misses if not miss.ties_only]
    if arguments.json:
        print(json.dumps({"accepted": accepted, "tried": tried, "misses": [asdict(m) for m in misses]}, indent=1))
    else:
        for miss in misses:
            print(f"MISS {'(ties) ' if miss.ties_only else ''}[{miss.db_id} {miss.source} x{miss.instances}]")
            print(f"    {miss.gold}\n    {miss.prediction}")
        print(f"{accepted} accepted items, {tried} distinct pairs that differ in more than spelling")
        print(f"{len(real)} misses, {len(misses) - len(real)} more in ties only")
    return 1 if real else 0


if __name__ == "__main__":
    sys.exit(main())
