"""How many real predictions do suites refute that the shipped database lets pass? Compares variants of suites.

    python tests/quality/suite_strength.py SUITES [SUITES ...] --gold GOLD --pred PRED [PRED ...] [--db ID ...]
        [--fresh 0] [--tables TABLES --database DIR] [--list] [--json]

Takes the databases that all suites have, and of them every distinct pair of gold and prediction that differ in more
than spelling. A pair is refuted where the gold is determined on some instance and the prediction answers otherwise or
fails. With ``--fresh N``, N random instances of another seed stand as one more variant: what they refute and a suite
does not is what the suite misses. ``--list`` shows the pairs on which the variants differ.
"""

# ruff: noqa: E402 (a script finds the project beside it first)
from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from distill.build import BuildOptions
from distill.fuzz import generate
from distill.run import read_tasks
from testsuite.compare import Policy, compare_open
from testsuite.engine.evaluate import Answers, Evaluator
from testsuite.engine.referee import Referee
from testsuite.engine.session import QueryTimeout, Session
from testsuite.query.normal import normal_text
from testsuite.query.parse import Unparsed, parse
from testsuite.score.files import read_items
from testsuite.score.options import ScoreOptions
from testsuite.suite import Stack, list_suites, load_suite, stack_rows

FRESH = "fresh"


@dataclass
class Variant:
    """What one variant of the suites refutes.

    ``shipped`` and ``refuted`` count pairs that the shipped instance, and any instance, tells apart; ``single`` those
    of ``refuted`` that exactly one instance does.
    """

    name: str
    instances: int = 0
    rows: int = 0
    pairs: int = 0
    shipped: int = 0
    refuted: int = 0
    single: int = 0


def _normal(sql: str) -> str:
    try:
        return normal_text(parse(sql))
    except Unparsed:
        return sql


def pairs_of(gold: Path, predictions: Sequence[Path]) -> dict[str, list[tuple[str, str]]]:
    """Distinct pairs by database that differ in more than spelling, in order."""
    found: dict[str, dict[tuple[str, str], tuple[str, str]]] = {}
    for path in predictions:
        for item in read_items(gold, path):
            if not item.prediction.strip():
                continue
            mine, theirs = _normal(item.gold), _normal(item.prediction)
            if mine != theirs:
                found.setdefault(item.db_id, {}).setdefault((mine, theirs), (item.gold, item.prediction))
    return {db_id: list(pairs.values()) for db_id, pairs in found.items()}


def judge(stack: Stack, session: Session, pairs: Sequence[tuple[str, str]]) -> Iterator[NDArray[np.bool_] | None]:
    """Per pair where its prediction is refuted, per instance; None where SQLite does not take the prediction."""
    session.load(stack)
    evaluator = Evaluator(stack, session, Referee(stack), ScoreOptions().instant)
    golds: dict[str, Answers] = {}
    for gold, prediction in pairs:
        if evaluator.referee.valid(prediction) is not None:
            yield None
            continue
        if gold not in golds:
            golds[gold] = evaluator.answers(gold, timeout=120.0)
        truth = golds[gold]
        try:
            answers = evaluator.answers(prediction, timeout=30.0)
        except QueryTimeout:
            yield np.ones(stack.count, dtype=bool)
            continue
        seen = compare_open(truth.low, truth.high, answers.low, answers.high, Policy())
        failed = np.zeros(stack.count, dtype=bool)
        failed[list(answers.low.errors)] = True
        yield seen.usable & (failed | ~seen.equal)


def fresh_stack(arguments: argparse.Namespace, db_id: str) -> Stack:
    """Random instances of another seed, made for all golds of the database, the shipped one first."""
    options = BuildOptions(seed=arguments.seed)
    tasks, _ = read_tasks(arguments.tables, arguments.database, [arguments.gold], Path(), options, [db_id])
    task = tasks[0]
    assert task.shipped is not None
    shipped = stack_rows(task.schema, [task.shipped])
    return generate(task.schema, task.golds, shipped, arguments.fresh, np.random.default_rng(arguments.seed))


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", nargs="+", type=Path)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--pred", type=Path, nargs="+", required=True)
    parser.add_argument("--db", nargs="*", default=[])
    parser.add_argument("--fresh", type=int, default=0)
    parser.add_argument("--seed", type=int, default=90210)
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--database", type=Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(argv)
    folders = [{folder.name: folder for folder in list_suites(directory)} for directory in arguments.suites]
    pairs = pairs_of(arguments.gold, arguments.pred)
    shared = [db_id for db_id in sorted(pairs) if all(db_id in found for found in folders)]
    names = [str(directory) for directory in arguments.suites] + ([FRESH] if arguments.fresh else [])
    variants = [Variant(name) for name in names]
    differing: list[dict[str, object]] = []
    session = Session()
    for db_id in [d for d in shared if not arguments.db or d in arguments.db]:
        by_variant: list[list[NDArray[np.bool_] | None]] = []
        for number, variant in enumerate(variants):
            if number < len(folders):
                suite = load_suite(folders[number][db_id])
                stack, shipped = suite.stack, suite.manifest.shipped
            else:
                stack, shipped = fresh_stack(arguments, db_id), None
            found = list(judge(stack, session, pairs[db_id]))
            seen = [row for row in found if row is not None]
            variant.instances += stack.count
            variant.rows += int(stack.row_counts.sum())
            variant.pairs += len(seen)
            variant.shipped += sum(bool(row[shipped]) for row in seen) if shipped is not None else 0
            variant.refuted += sum(bool(row.any()) for row in seen)
            variant.single += sum(int(row.sum()) == 1 for row in seen)
            by_variant.append(found)
            session.unload(db_id)
        for place, pair in enumerate(pairs[db_id]):
            rows = [found[place] for found in by_variant]
            hits = [0 if row is None else int(row.sum()) for row in rows]
            if any(hits) and not all(hits):
                killed = dict(zip(names, hits, strict=True))
                differing.append({"db_id": db_id, "gold": pair[0], "prediction": pair[1], "instances": killed})
    if arguments.json:
        print(json.dumps({"variants": [asdict(v) for v in variants], "differing": differing}, indent=1))
        return 0
    for variant in variants:
        print(
            f"{variant.name}: {variant.instances} instances, {variant.rows} rows; of {variant.pairs} pairs refuted "
            f"{variant.refuted} (shipped alone {variant.shipped}), {variant.single} of them by one instance only"
        )
    print(f"pairs on which the variants differ: {len(differing)}")
    if arguments.list:
        for entry in differing:
            print(f"{entry['db_id']} {entry['instances']}\n  gold {entry['gold']}\n  pred {entry['prediction']}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
