"""What models get wrong, and which operators imitate it.

    python tests/quality/mistake_kinds.py SUITES [--model NAME]... [--sample N] [--results DIR] [--list KIND]

Scores predictions of Spider dev (found by tests/data.py) over SUITES, takes those that are valid SQL and refuted, and
compares each with its gold: clause by clause for its kind, and by the operators for how near it is. A prediction is
reached in one step if an operator makes it of the gold, in two if some query is one step from both, all up to
``distill.equivalent``; on the way back from the prediction operators that leave something out do not count, for no
operator puts it in again. A prediction may count for several kinds.
"""

# ruff: noqa: E402 (a script finds its modules first)
from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table as Grid
from sqlglot import exp

sys.path[:0] = [str(folder) for folder in Path(__file__).resolve().parents[1:3]]

from data import data_root
from edit_kinds import kinds_of, parts_of

from distill.equivalent import Equivalence
from distill.operators import OPERATORS, Context
from distill.operators.constants import constants_by_column
from distill.operators.scope import prepare
from testsuite.query.parse import Unparsed, parse
from testsuite.schema.model import Schema
from testsuite.schema.sqlite_file import read_sqlite_schema
from testsuite.schema.tables_json import merge, read_tables_json

# What these leave out could be anything, so that they lead back from anywhere.
LOSSY = {"dropped condition", "dropped join", "set operation", "subquery filter", "having", "merged roles"}


@dataclass(frozen=True)
class Mistake:
    """A refuted prediction."""

    db_id: str
    gold: str
    wrong: str


class Reach:
    """The queries one operator away from a query of one schema, by canonical form."""

    def __init__(self, schema: Schema, golds: Sequence[str]) -> None:
        self.schema = schema
        self.equivalence = Equivalence(schema)
        trees = [tree for gold in dict.fromkeys(golds) if (tree := self.read(gold)) is not None]
        self._context = Context(schema, constants_by_column(trees, schema))
        self._known: dict[str, dict[str, str]] = {}

    def read(self, sql: str) -> exp.Expr | None:
        """The prepared tree; None for what cannot be read."""
        try:
            return prepare(parse(sql), self.schema)
        except Unparsed:
            return None

    def near(self, sql: str) -> dict[str, str]:
        """Canonical form to the operator that makes it."""
        if sql not in self._known:
            self._known[sql] = {}
            tree = self.read(sql)
            for operator in OPERATORS if tree is not None else ():
                assert tree is not None
                for candidate in operator.apply(tree, self._context):
                    try:
                        self._known[sql].setdefault(self.equivalence.canonical(candidate), operator.name)
                    except (ValueError, TypeError, AttributeError):
                        continue
        return self._known[sql]

    def steps(self, mistake: Mistake) -> tuple[str, ...] | None:
        """The operators that lead from the gold to the prediction, one or two; None where none do."""
        wrong = self.read(mistake.wrong)
        if wrong is None:
            return None
        target = self.equivalence.canonical(wrong)
        from_gold = self.near(mistake.gold)
        if target in from_gold:
            return (from_gold[target],)
        from_wrong = {form: name for form, name in self.near(mistake.wrong).items() if name not in LOSSY}
        gold = self.read(mistake.gold)
        if gold is not None and (form := self.equivalence.canonical(gold)) in from_wrong:
            # Only the way back is an operator's: the mistake itself is not one step away.
            return (f"inverse of {from_wrong[form]}", "")
        meeting = next((form for form in from_gold if form in from_wrong), None)
        return None if meeting is None else (from_gold[meeting], from_wrong[meeting])


def mistakes_of(suites: Path, model: str, results: Path) -> Iterator[Mistake]:
    """The refuted valid predictions of one model."""
    spider = data_root() / "spider"
    built = {path.name for path in suites.iterdir()}
    golds = (spider / "dev_gold.sql").read_text(encoding="utf-8").splitlines()
    predictions = (spider / "predictions" / f"{model}.txt").read_text(encoding="utf-8").splitlines()
    lines = [(g, p) for g, p in zip(golds, predictions, strict=True) if g.rpartition("\t")[2].strip() in built]
    directory = results / model
    if not (directory / "summary.json").is_file():
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "gold.sql").write_text("".join(g + "\n" for g, _ in lines), encoding="utf-8")
        (directory / "pred.txt").write_text("".join(p + "\n" for _, p in lines), encoding="utf-8")
        command = [sys.executable, "-m", "testsuite", "score", "--jobs", "1", "--suite", str(suites)]
        command += ["--gold", str(directory / "gold.sql"), "--pred", str(directory / "pred.txt"), "-o", str(directory)]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for line in (directory / "items.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["fate"] == "ok" and record["test_suite"] is False:
            gold, prediction = lines[int(record["id"])]
            yield Mistake(record["db_id"], gold.rpartition("\t")[0], prediction)


def main() -> None:
    """Print the table of kinds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", type=Path)
    parser.add_argument("--model", action="append", help="a file of spider/predictions without .txt [default: all]")
    parser.add_argument("--sample", type=int, default=400, help="distinct mistakes looked at, drawn by seed 0")
    parser.add_argument("--results", type=Path, default=Path("mistakes"), help="where scored runs are kept")
    parser.add_argument("--list", help="print the mistakes of kinds that start so and that no operator reaches")
    options = parser.parse_args()
    spider = data_root() / "spider"
    models = options.model or sorted(path.stem for path in (spider / "predictions").glob("*.txt"))
    found = list(dict.fromkeys(m for model in models for m in mistakes_of(options.suites, model, options.results)))
    chosen = np.random.default_rng(0).permutation(len(found))[: options.sample]
    listed = read_tables_json(spider / "tables.json")
    by_db: dict[str, list[str]] = defaultdict(list)
    for line in (spider / "dev_gold.sql").read_text(encoding="utf-8").splitlines():
        by_db[line.rpartition("\t")[2].strip()].append(line.rpartition("\t")[0])
    reach: dict[str, Reach] = {}
    shares: Counter[str] = Counter()
    steps: dict[str, Counter[int]] = defaultdict(Counter)
    names: dict[str, Counter[str]] = defaultdict(Counter)
    total: Counter[int] = Counter()
    for number in sorted(chosen):
        mistake = found[number]
        if mistake.db_id not in reach:
            path = spider / "database" / mistake.db_id / f"{mistake.db_id}.sqlite"
            schema = merge(read_sqlite_schema(path, mistake.db_id), listed[mistake.db_id])
            reach[mistake.db_id] = Reach(schema, by_db[mistake.db_id])
        near = reach[mistake.db_id]
        gold, wrong = near.read(mistake.gold), near.read(mistake.wrong)
        if gold is None or wrong is None:
            continue
        kinds = list(kinds_of(parts_of(gold, near.equivalence), parts_of(wrong, near.equivalence))) or ["(none seen)"]
        way = near.steps(mistake)
        total[len(way or ())] += 1
        for kind in kinds:
            shares[kind] += 1
            steps[kind][len(way or ())] += 1
            names[kind].update(name for name in way or () if name)
        if way is None and options.list is not None and any(kind.startswith(options.list) for kind in kinds):
            print(f"{mistake.db_id}: {'; '.join(kinds)}\n  {mistake.gold}\n  {mistake.wrong}")
    seen = sum(total.values())
    grid = Grid(title=f"{seen} of {len(found)} distinct mistakes of {len(models)} models")
    for title in ("kind", "share", "one step", "two steps", "not reached", "operators on the way"):
        grid.add_column(title, justify="left" if title in ("kind", "operators on the way") else "right")
    for kind, count in shares.most_common():
        counts = [f"{100 * steps[kind][n] / count:.0f} %" for n in (1, 2, 0)]
        ways = ", ".join(f"{name} {n}" for name, n in names[kind].most_common(4))
        grid.add_row(kind, f"{100 * count / seen:.1f} %", *counts, ways)
    grid.add_row("all", "", *(f"{100 * total[n] / seen:.0f} %" for n in (1, 2, 0)), "")
    Console(width=150).print(grid)


if __name__ == "__main__":
    main()
