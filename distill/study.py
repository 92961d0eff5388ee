"""A benchmark, the models to judge on it, and a place to work: where an analysis of one's own starts.

A study builds suites and scores models only where that was not done before, so a notebook can be run again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from distill.build import BuildOptions
from testsuite.errors import InputError
from testsuite.metrics import is_lucky
from testsuite.metrics.measures import verdicts
from testsuite.score.options import ScoreOptions
from testsuite.score.results import Results, load_results
from testsuite.suite import list_suites

if TYPE_CHECKING:
    from testsuite.explain import Explanation

# Enough for pictures of the embedded benchmark in seconds; real suites are built with the defaults.
QUICK = BuildOptions(instances=20, neighbours=8, search=False)


@dataclass(frozen=True)
class Study:
    """Inputs and working folder of an analysis.

    Attributes:
        tables: Spider's tables.json, None where the database files declare their keys.
        database: directory that holds ``<db_id>/<db_id>.sqlite``.
        gold: the golds.
        predictions: a prediction file by the name of its model.
        work: suites go to ``work/suites``, results to ``work/results/<model>``.
        options: how suites are built.
        scoring: how predictions are scored.
        jobs: worker processes.
    """

    tables: Path | None
    database: Path
    gold: Path
    predictions: Mapping[str, Path]
    work: Path
    options: BuildOptions = field(default_factory=BuildOptions)
    scoring: ScoreOptions = field(default_factory=lambda: ScoreOptions(etype="all"))
    jobs: int = 2

    def suites(self) -> Path:
        """The folder of the suites, which are built where there are none.

        Raises:
            InputError: an input is missing or wrong, or some suite could not be built.
        """
        from distill.run import build_suites

        folder = self.work / "suites"
        if not folder.is_dir() or not any(folder.glob("*/manifest.json")):
            report = build_suites(self.tables, self.database, [self.gold], folder, self.options, jobs=self.jobs)
            failed = [f"{outcome.db_id}: {outcome.message}" for outcome in report.outcomes if outcome.manifest is None]
            if failed:
                raise InputError("suites could not be built: " + "; ".join(failed))
        list_suites(folder)
        return folder

    def score(self, model: str) -> Results:
        """The results of one model, scored over the suites; a finished run is read, an interrupted one goes on.

        Args:
            model: one of ``predictions``.

        Raises:
            InputError: there is no such model, an input is wrong, or the folder holds results of other inputs or
                options.
        """
        from testsuite.score.run import score_files

        if model not in self.predictions:
            raise InputError(f"no predictions of a model {model!r}; there are {', '.join(self.predictions)}")
        folder = self.work / "results" / model
        score_files(
            self.gold, self.predictions[model], self.suites(), self.scoring, self.jobs, folder, tables=self.tables
        )
        return load_results(folder)

    def explain_lucky(self, model: str) -> dict[str, Explanation]:
        """Why each lucky pass of a model is wrong, by item id.

        Read from the results where ``testsuite explain --all`` left it; found out otherwise, without keeping it.

        Args:
            model: one of ``predictions``.

        Raises:
            InputError: as ``score``.
        """
        from testsuite.explain.record import CAUSES_FILE, load_causes
        from testsuite.explain.run import explain_results

        results = self.score(model)
        lucky = [item.id for item in results.items if is_lucky(verdicts(item))]
        if (results.directory / CAUSES_FILE).is_file():
            known = load_causes(results.directory)
            return {name: known[name] for name in lucky if name in known}
        return explain_results(results, self.suites(), lucky, self.jobs)

    def score_all(self) -> dict[str, Results]:
        """The results of every model by its name."""
        return {model: self.score(model) for model in self.predictions}


def embedded_study(work: str | Path | None = None, options: BuildOptions = QUICK) -> Study:
    """The embedded benchmark and its four imagined models.

    Args:
        work: working folder; a new temporary one where None.
        options: how suites are built; by itself quick ones.

    Raises:
        InputError: the folder can't be written.
    """
    from testsuite.benchmark import materialise

    folder = Path(mkdtemp(prefix="testsuite-study-")) if work is None else Path(work)
    paths = materialise(folder / "benchmark")
    return Study(paths.tables, paths.database, paths.gold, dict(sorted(paths.predictions.items())), folder, options)


def spider_study(data: str | Path, work: str | Path, options: BuildOptions | None = None) -> Study:
    """Spider's layout: ``tables.json``, ``database/``, ``dev_gold.sql``, and ``predictions/<model>.txt``.

    Args:
        data: the folder that holds these.
        work: working folder.
        options: how suites are built; the defaults where None.

    Raises:
        InputError: one of them is not there.
    """
    folder = Path(data)
    parts = [folder / name for name in ("tables.json", "database", "dev_gold.sql", "predictions")]
    missing = [str(part) for part in parts if not part.exists()]
    if missing:
        raise InputError(f"{folder}: not laid out as Spider is; missing: {', '.join(missing)}")
    tables, database, gold, models = parts
    predictions = {path.stem: path for path in sorted(models.glob("*.txt"))}
    return Study(tables, database, gold, predictions, Path(work), options or BuildOptions())


__all__ = ["QUICK", "Study", "embedded_study", "spider_study"]
