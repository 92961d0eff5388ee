"""Wrong predictions of finished runs: how many have a verified counterexample, how small, and a confirmed cause.

    python tests/quality/explained.py RESULTS... [--suite SUITES] [--every N] [--items] [--json FILE]

RESULTS are directories that ``testsuite score -o`` wrote. Every wrong item whose SQL is valid is explained in this
process, one after the other, and its processor time taken. ``--every N`` takes one of N, ``--items`` prints those that
have no verified counterexample or no confirmed cause, and those that took over two seconds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from testsuite.engine.session import Session
from testsuite.explain import Explanation
from testsuite.explain.explain import Explainer, open_explainer
from testsuite.explain.run import options_of, wrong_items
from testsuite.records import Fate
from testsuite.score.judge import JudgeOptions
from testsuite.score.results import load_results
from testsuite.suite import load_suite

SLOW = 2.0


@dataclass(frozen=True, slots=True)
class Explained:
    """One item, and the processor seconds it took."""

    why: Explanation
    seconds: float

    @property
    def verified(self) -> bool:
        example = self.why.counterexample
        return example is not None and example.verified


def explained(directory: Path, suites: Path | None, every: int, items: bool) -> dict[str, object]:
    """The figures of one run."""
    results = load_results(directory)
    options = options_of(results)
    folder = suites or Path(str(results.origin.suites))
    valid = [item for item in wrong_items(results) if item.fate is not Fate.INVALID_PREDICTION]
    taken = sorted(valid, key=lambda item: item.db_id)[::every]
    found: list[Explained] = []
    explainers: dict[str, Explainer] = {}
    with Session() as session, Session() as spare:
        for item in taken:
            if item.db_id not in explainers:
                limits = JudgeOptions(options.policy, options.timeout, options.gold_timeout)
                suite = load_suite(folder / item.db_id)
                explainers[item.db_id] = open_explainer(suite, session, spare, options.instant, options.policy, limits)
            start = time.process_time()
            why = explainers[item.db_id].explain(results.pairs[item.id], item)
            found.append(Explained(why, time.process_time() - start))
            one = found[-1]
            if items and (not one.verified or not why.confirmed or one.seconds > SLOW):
                names = ", ".join(cause.name for cause in why.causes)
                print(f"{item.id} {item.db_id} verified {one.verified}, {names} {why.confirmed}, {one.seconds:.1f} s")
                print(f"  gold: {results.pairs[item.id].golds[0]}\n  prediction: {results.pairs[item.id].prediction}")
    rows = [one.why.counterexample.rows for one in found if one.verified and one.why.counterexample is not None]
    causes = Counter(cause.name for one in found if one.why.confirmed for cause in one.why.causes)
    return {
        "run": directory.name,
        "wrong_and_valid": len(found),
        "verified_counterexamples": len(rows),
        "only_open": sum(one.why.counterexample is not None and one.why.counterexample.only_open for one in found),
        "median_rows": statistics.median(rows) if rows else None,
        "confirmed": sum(one.why.confirmed for one in found),
        "confirmed_alone": sum(one.why.confirmed and len(one.why.causes) == 1 for one in found),
        "median_seconds": round(statistics.median(one.seconds for one in found), 3) if found else None,
        "slowest_seconds": round(max((one.seconds for one in found), default=0.0), 3),
        "over_two_seconds": sum(one.seconds > SLOW for one in found),
        "causes": dict(causes.most_common()),
    }


def main() -> None:
    """Print the figures of each run, one JSON line each, and their sums."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("results", nargs="+", type=Path)
    parser.add_argument("--suite", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--items", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    figures = []
    for directory in given.results:
        figures.append(explained(directory, given.suite, given.every, given.items))
        print(json.dumps(figures[-1]), flush=True)
    if given.json is not None:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
