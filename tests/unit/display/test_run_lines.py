"""The facts of a run that stand under its tables."""

from __future__ import annotations

from testsuite.display.tables import run_lines
from testsuite.records import Fate, ItemResult
from testsuite.score.options import ScoreOptions
from testsuite.score.summary import summarise


def record(number: int, fate: Fate = Fate.OK, path: str | None = "stacked", reason: str = "") -> ItemResult:
    return ItemResult(str(number), "shop", fate, fate is Fate.OK, True, path=path, path_reason=reason)


def test_paths_with_their_reasons_and_what_decided() -> None:
    records = [
        record(0),
        record(1, path="sqlite", reason="unary plus"),
        record(2, path="sqlite", reason="unary plus"),
        record(3, path="instance", reason="engine error on some instances"),
        record(4, Fate.INVALID_PREDICTION, None),
    ]
    options = ScoreOptions(columns="name", tolerance=1e-6, absolute_tolerance=0.01)
    said = run_lines(summarise(records, options.deciding(), {}, {}))
    assert "fates: invalid_prediction 1, ok 4" in said
    assert (
        "ran stacked 1, per instance 1, on SQLite 2, not run 1; "
        "why not stacked: unary plus (2), engine error on some instances (1)" in said
    )
    decided = next(line for line in said if line.startswith("decided by: "))
    for words in ("columns name", "keep_distinct True", "tolerance 1e-06", "absolute_tolerance 0.01"):
        assert words in decided
