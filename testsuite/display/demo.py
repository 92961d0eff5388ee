"""Tables of the demo: models side by side, and the predictions that passed by luck."""

from __future__ import annotations

import json
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from testsuite.metrics import figures_of, is_lucky
from testsuite.metrics.measures import verdicts
from testsuite.score.files import read_gold, read_predictions
from testsuite.score.run import ScoreReport

_LUCKY_ROWS_PER_MODEL = 5


def model_table() -> Table:
    """An empty table of models."""
    table = Table()
    table.add_column("model")
    for name in ("items", "execution accuracy", "test-suite accuracy", "lucky passes", "known right verdicts"):
        table.add_column(name, justify="right")
    return table


def lucky_table() -> Table:
    """An empty table of lucky passes."""
    table = Table(show_lines=True)
    table.add_column("model, item", no_wrap=True)
    table.add_column("gold")
    table.add_column("prediction")
    table.add_column("why it is wrong")
    return table


def right_verdicts(path: Path) -> dict[str, tuple[bool, str]]:
    """The known verdict of each item of a prediction set, and why."""
    found = {}
    for raw in path.read_text(encoding="utf-8").splitlines():
        data = json.loads(raw)
        found[str(data["id"])] = (bool(data["right"]), str(data.get("why", "")))
    return found


def model_row(
    models: Table,
    lucky: Table,
    name: str,
    report: ScoreReport,
    known: dict[str, tuple[bool, str]],
    gold: Path,
    prediction: Path,
) -> int:
    """Add one model to both tables; gives how many of its verdicts are not the known right ones."""
    total = figures_of(report.results).total
    execution, suite = total.shares["execution"], total.shares["test_suite"]
    agreed = sum(result.test_suite == known[result.id][0] for result in report.results)
    models.add_row(
        name,
        str(len(report.results)),
        f"{execution}  {execution.correct}/{execution.of}",
        f"{suite}  {suite.correct}/{suite.of}",
        str(total.lucky_passes),
        f"{agreed}/{len(report.results)}",
    )
    golds = read_gold(gold)
    texts = {line.id: line.sql for line in golds}
    predicted = {line.id: line.sql for line in read_predictions(prediction, golds)}
    for result in [r for r in report.results if is_lucky(verdicts(r))][:_LUCKY_ROWS_PER_MODEL]:
        lucky.add_row(
            f"{name}, {result.id}",
            escape(texts[result.id]),
            escape(predicted[result.id]),
            escape(known[result.id][1]),
        )
    return len(report.results) - agreed
