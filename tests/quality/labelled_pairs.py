"""Pairs of queries that others labelled equivalent or not: how many of them ``distill counterexample`` refutes.

    python tests/quality/labelled_pairs.py [--file NAME]... [--nulls observed|declared|never] [--instances N]
                                           [--every N] [--id ID]... [--seed S] [--misses] [--json FILE]

Needs pairs/ beside the Spider data (see tests/data.py). Pairs that SQLite cannot run are counted apart. Every
refutation is a verified counterexample: the script prints those of pairs labelled equivalent, and, with ``--misses``,
the pairs labelled different of which none was found.

``zhong-esm-false-negatives`` is scored as its labels were made: the first query is the gold, DISTINCT is left out of
both, and values of the second are placeholders: it is refuted if it is under every assignment of the gold's values.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[1])]
sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np  # noqa: E402 - run as a script, it finds the project first
from data import data_root  # noqa: E402
from pair_files import LabelledPair, read_pairs  # noqa: E402

from distill.counterexample import Counterexample, CounterexampleOptions, Finder, PairOfQueries  # noqa: E402
from testsuite.engine.session import Session  # noqa: E402
from testsuite.errors import InputError  # noqa: E402
from testsuite.official.plug import plugged  # noqa: E402
from testsuite.official.sqltokens import without_distinct  # noqa: E402
from testsuite.official.text import executed_text, replaced_value  # noqa: E402

PLUGGED = "zhong-esm-false-negatives"
FILES = ("cosette", "llm-sql-solver", "verieql-literature", PLUGGED)
ASSIGNMENTS = 64


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a pair. ``seconds`` is CPU time of this process; ``sql`` the two queries that were compared."""

    pair: LabelledPair
    runnable: bool
    found: Counterexample | None
    seconds: float
    sql: tuple[str, str]
    message: str = ""
    tried: int = 1

    def to_dict(self) -> dict[str, object]:
        return {
            "id": self.pair.id,
            "label": self.pair.label,
            "runnable": self.runnable,
            "message": self.message,
            "seconds": round(self.seconds, 3),
            "a": self.sql[0],
            "b": self.sql[1],
            "assignments": self.tried,
            "counterexample": None if self.found is None else self.found.to_dict(),
        }


def readings(pair: LabelledPair, plug: bool) -> Iterator[tuple[str, str]]:
    """The queries to compare: one reading of the pair, or one per assignment of values."""
    if not plug:
        yield pair.a, pair.b
        return
    gold, prediction = without_distinct(executed_text(pair.a)), without_distinct(executed_text(replaced_value(pair.b)))
    yield gold, prediction
    for text in islice(plugged(gold, prediction)[1], ASSIGNMENTS):
        yield gold, text


def examine(pair: LabelledPair, finder: Finder, options: CounterexampleOptions, seed: int, plug: bool) -> Outcome:
    """Look for a counterexample of one pair."""
    started = time.process_time()
    if pair.schema is None:
        return Outcome(pair, False, None, 0.0, (pair.a, pair.b), pair.problem)
    message, best, tried = "", None, 0
    for queries in dict.fromkeys(readings(pair, plug)):
        try:
            found = finder.find(
                PairOfQueries(pair.schema, *queries, pair.shipped), np.random.default_rng(seed), options
            )
        except InputError as error:
            # An assignment can make a query that is none, such as one with a text after LIMIT.
            message = str(error)
            continue
        tried += 1
        if found is None:
            return Outcome(pair, True, None, time.process_time() - started, queries, tried=tried)
        # Of wrong assignments any content tells; the one that needs most rows is nearest to the gold.
        if best is None or tried == 2 or found.rows >= best[0].rows:
            best = found, queries
    seconds = time.process_time() - started
    if best is None:
        return Outcome(pair, False, None, seconds, (pair.a, pair.b), message)
    return Outcome(pair, True, best[0], seconds, best[1], tried=tried)


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def report(name: str, outcomes: list[Outcome], show_misses: bool) -> None:
    """Print the figures of one file, then what needs a look."""
    run = [o for o in outcomes if o.runnable]
    print(f"{name}: {len(outcomes)} pairs, {len(run)} runnable on SQLite")
    for truth, word in ((False, "different"), (True, "equivalent"), (None, "unlabelled or open")):
        some = [o for o in run if o.pair.equivalent is truth]
        if not some:
            continue
        refuted = [o for o in some if o.found is not None]
        opened = sum(o.found.only_open for o in refuted if o.found)
        legal = sum(o.found.label == "schema-legal" for o in refuted if o.found)
        print(
            f"  labelled {word}: {len(some)}, refuted {len(refuted)} ({100 * len(refuted) / len(some):.1f} %)"
            f", of these {opened} only in what SQL leaves open, {legal} only schema-legal"
        )
    if run:
        cpu = [o.seconds for o in run]
        print(
            f"  CPU seconds a pair: median {statistics.median(cpu):.2f}, 95 % {quantile(cpu, 0.95):.2f}, "
            f"max {max(cpu):.2f}, all {sum(cpu):.0f}"
        )
    rows = [o.found.rows for o in run if o.found is not None]
    if rows:
        print(f"  rows of a counterexample: median {statistics.median(rows):g}, max {max(rows)}")
    for outcome in run:
        if outcome.found is not None and outcome.pair.equivalent:
            tell("LABELLED EQUIVALENT, REFUTED", outcome)
        elif outcome.found is None and outcome.pair.equivalent is False and show_misses:
            tell("LABELLED DIFFERENT, NOT REFUTED", outcome)


def tell(what: str, outcome: Outcome) -> None:
    print(f"\n{what}: {outcome.pair.id} ({outcome.pair.label}) {outcome.pair.note}")
    print(f"  A: {outcome.sql[0]}\n  B: {outcome.sql[1]}")
    found = outcome.found
    if found is not None:
        print(f"  {found.label}, gold {found.gold}, {'only open, ' if found.only_open else ''}{found.source}")
        print("".join(f"    {line}\n" for line in found.inserts), end="")
        print(f"    A answers {list(found.a.rows)[:6]}\n    B answers {list(found.b.rows)[:6]}")


def main() -> int:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", action="append", choices=FILES, dest="files")
    parser.add_argument("--nulls", choices=("observed", "declared", "never"), default="observed")
    parser.add_argument("--instances", type=int, default=CounterexampleOptions().instances)
    parser.add_argument("--empty-tables", type=float, default=CounterexampleOptions().empty_tables)
    parser.add_argument("--every", type=int, default=1, help="only each N-th pair")
    parser.add_argument("--id", action="append", dest="ids", help="only this pair")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--misses", action="store_true", help="list pairs labelled different that are not refuted")
    parser.add_argument("--json", type=Path, help="write one record per pair here")
    options = parser.parse_args()
    root = data_root()
    search = CounterexampleOptions(
        nulls=options.nulls, instances=options.instances, empty_tables=options.empty_tables, timeout=60.0
    )
    records = []
    with Session() as session:
        finder = Finder(session)
        for name in options.files or FILES:
            pairs = list(islice(read_pairs(root, name), 0, None, options.every))
            if options.ids:
                pairs = [p for p in pairs if p.id in options.ids]
            plug = name == PLUGGED
            chosen = replace(search, gold="a") if plug else search
            outcomes = [examine(pair, finder, chosen, options.seed, plug) for pair in pairs]
            report(name, outcomes, options.misses)
            records += [{"file": name, **outcome.to_dict()} for outcome in outcomes]
    if options.json is not None:
        options.json.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))
    return 0


if __name__ == "__main__":
    sys.exit(main())
