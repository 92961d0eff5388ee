"""Finished runs as data frames."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from testsuite.display.frames import accuracy_frame, causes_frame, items_frame
from testsuite.errors import InputError
from testsuite.explain import Explanation, FoundCause
from testsuite.records import Fate, Item, ItemResult
from testsuite.score.pairs import Origin, write_origin
from testsuite.score.results import Results

RECORDS = (
    ItemResult("0", "shop", Fate.OK, True, True, hardness="easy", instances=4, informative=3),
    ItemResult("1", "shop", Fate.OK, False, True, hardness="hard", instances=4, failed_on=("i1",)),
    ItemResult("2", "shop", Fate.UNDETERMINED, None, None, hardness="hard"),
)
ITEMS = [Item(record.id, "shop", f"SELECT {record.id}", "SELECT 9") for record in RECORDS]


@pytest.fixture
def run(tmp_path: Path) -> Results:
    write_origin(tmp_path, ITEMS, Origin())
    return Results(tmp_path, RECORDS, {"options": {"etype": "exec"}, "items": 3})


def test_accuracy(run: Results) -> None:
    pytest.importorskip("pandas")
    frame = accuracy_frame({"m": run})
    found = frame[["model", "group", "measure", "correct", "of"]].to_numpy().tolist()
    assert found == [["m", "all", "execution accuracy", 2, 2], ["m", "all", "test-suite accuracy", 1, 2]]
    assert frame["low"].between(0, 1).all() and frame["share"].tolist() == [1.0, 0.5]


def test_accuracy_by(run: Results) -> None:
    pytest.importorskip("pandas")
    frame = accuracy_frame({"m": run, "n": run}, by="hardness")
    hard = frame[(frame["group"] == "hard") & (frame["measure"] == "test-suite accuracy")]
    assert hard[["model", "correct", "of"]].to_numpy().tolist() == [["m", 0, 1], ["n", 0, 1]]
    with pytest.raises(InputError, match="turn"):
        accuracy_frame({"m": run}, by="turn")


def test_items(run: Results) -> None:
    pytest.importorskip("pandas")
    frame = items_frame({"m": run})
    assert frame["lucky"].tolist() == [False, True, False]
    assert frame[["gold", "prediction"]].to_numpy().tolist() == [[f"SELECT {n}", "SELECT 9"] for n in range(3)]
    assert frame["fate"].tolist() == ["ok", "ok", "undetermined"]


def test_without_pandas(run: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="pip install pandas"):
        accuracy_frame({"m": run})


def test_causes() -> None:
    pytest.importorskip("pandas")
    causes = (FoundCause("literal", True, "SELECT 1"), FoundCause("order", True, "SELECT 1"))
    found = {"1": Explanation("1", "shop", True, causes, None)}
    frame = causes_frame({"m": found, "n": {}})
    assert frame[["model", "id", "cause", "confirmed", "repair"]].to_numpy().tolist() == [
        ["m", "1", "literal", True, "SELECT 1"],
        ["m", "1", "order", True, "SELECT 1"],
    ]
    assert frame["rows"].isna().all()
