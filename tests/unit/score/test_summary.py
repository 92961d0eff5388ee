"""Figures and their denominators."""

from testsuite.records import Fate, ItemResult
from testsuite.score.summary import summarise


def item(name: str, fate: Fate = Fate.OK, suite: bool | None = True, execution: bool | None = True, db: str = "a"):
    return ItemResult(name, db, fate, suite, execution, path="stacked", hardness="easy")


def test_unscored_items_leave_the_denominator_and_are_counted():
    results = [
        item("0"),
        item("1", suite=False),
        item("2", Fate.INVALID_PREDICTION, False, False),
        item("3", Fate.GOLD_ERROR, None, None),
        item("4", Fate.UNDETERMINED, None, True, db="b"),
    ]
    summary = summarise(results, {}, {}, {})
    assert summary["items"] == 5
    assert summary["scored"] == 3
    assert summary["accuracy"]["test_suite"] == {"correct": 1, "of": 3}
    assert summary["accuracy"]["execution"] == {"correct": 3, "of": 4}
    assert summary["accuracy"]["exact"] == {"correct": 0, "of": 0}
    assert summary["no_verdict"] == {"execution": 1, "test_suite": 2}
    assert summary["lucky_passes"] == 1
    assert summary["fates"] == {"gold_error": 1, "invalid_prediction": 1, "ok": 2, "undetermined": 1}
    assert summary["by"]["database"]["b"]["test_suite"] == {"correct": 0, "of": 0}
