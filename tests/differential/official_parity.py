"""Our verdicts against the published script's, for every item that has one.

    python tests/differential/official_parity.py [--jobs 2] [--model NAME]... [--every N]

Needs the verdict files in official_parity/ beside the Spider data (see tests/data.py). Prints, per model and measure,
how many of ours are the same as published, of how many rows with a verdict, and every row that is not. Exit code 1
if there is one.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[1])]

from testsuite.official import (  # noqa: E402 - run as a script, it finds the project first
    EMPTY,
    OfficialTables,
    ReadOnlyFiles,
    exact_match,
    hardness,
    instance_files,
    official_equal,
    parse_official,
    parse_prediction,
    prediction_text,
    read_official_tables,
)

EXECUTED = ("exec", "exec_keep_distinct", "exec_plug_value")
MEASURES = ("exact", "hardness", "parsed", *EXECUTED)
TIMEOUT = 20.0


@dataclass(frozen=True, slots=True)
class Row:
    """A published verdict and ours. measure: one of MEASURES."""

    model: str
    index: int
    measure: str
    published: object
    ours: object
    gold: str
    prediction: str


def models(root: Path) -> list[str]:
    """Models with a verdict file under the data folder."""
    return sorted(path.stem for path in (root / "official_parity" / "verdicts").glob("*.jsonl"))


def official_tables(root: Path) -> dict[str, OfficialTables]:
    """Spider's tables.json, by database."""
    entries = json.loads((root / "spider" / "tables.json").read_text(encoding="utf-8"))
    return {entry["db_id"]: read_official_tables(entry) for entry in entries}


def rows(root: Path, model: str, measures: Sequence[str] = MEASURES, every: int = 1) -> Iterator[Row]:
    """Every row of one model that has a verdict (every n-th item only)."""
    spider, parity = root / "spider", root / "official_parity"
    tables = official_tables(root)
    golds = [line.split("\t")[0] for line in (spider / "dev_gold.sql").read_text(encoding="utf-8").split("\n")]
    predictions = (spider / "predictions" / f"{model}.txt").read_text(encoding="utf-8").split("\n")
    verdicts = (parity / "verdicts" / f"{model}.jsonl").read_text(encoding="utf-8").splitlines()
    with ReadOnlyFiles() as files:
        for line in verdicts[::every]:
            published = json.loads(line)
            index, db_id = published["index"], published["db_id"]
            gold, prediction = golds[index], prediction_text(predictions[index])
            parsed = parse_official(gold, tables[db_id])
            guess = parse_prediction(prediction, tables[db_id])
            for measure in measures:
                ours: object
                if measure == "exact":
                    ours = int(exact_match(parsed, guess or EMPTY, tables[db_id].key_columns).equal)
                elif measure == "hardness":
                    ours = hardness(parsed)
                elif measure == "parsed":
                    ours = guess is not None
                elif published.get(measure) in (0, 1):
                    verdict = official_equal(
                        gold,
                        prediction,
                        instance_files(parity / "database" / db_id),
                        keep_distinct=measure == "exec_keep_distinct",
                        plug_value=measure == "exec_plug_value",
                        timeout=TIMEOUT,
                        files=files,
                    )
                    ours = None if verdict.equal is None else int(verdict.equal)
                else:
                    # `timeout`, `crash:...`, or not measured: there is no verdict to match.
                    continue
                yield Row(model, index, measure, published[measure], ours, gold, prediction)


def main() -> int:
    """The command."""
    from data import data_root

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=1, help="processes; each takes some of the models")
    parser.add_argument("--model", action="append", help="only this model (may be repeated)")
    parser.add_argument("--every", type=int, default=1, help="every n-th item only")
    options = parser.parse_args()
    root = data_root()
    chosen = options.model or models(root)
    if options.jobs > 1:
        # Plain processes of this script: their output is theirs, and comes whole.
        shares = [chosen[at :: options.jobs] for at in range(options.jobs)]
        running = [
            subprocess.Popen(
                [sys.executable, __file__, "--every", str(options.every)]
                + [word for model in share for word in ("--model", model)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for share in shares
            if share
        ]
        outputs = [process.communicate()[0] for process in running]
        print("".join(outputs), end="")
        return max(process.returncode for process in running)
    wrong = 0
    for model in chosen:
        counts = {measure: [0, 0] for measure in MEASURES}
        for row in rows(root, model, every=options.every):
            counts[row.measure][0] += 1
            if row.published == row.ours:
                counts[row.measure][1] += 1
            else:
                wrong += 1
                print(row)
        figures = "  ".join(f"{measure} {same}/{of}" for measure, (of, same) in counts.items() if of)
        print(f"{model:24}{figures}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
