"""Two runs item by item: what changed, what cannot be compared."""

from __future__ import annotations

import pytest

from testsuite.errors import InputError
from testsuite.metrics import compare_items, differing_inputs
from testsuite.records import Fate, ItemResult


def run(*verdicts: bool | None, db: str = "a") -> list[ItemResult]:
    return [ItemResult(str(n), db, Fate.OK, verdict, True) for n, verdict in enumerate(verdicts)]


def test_changes_are_found_in_any_order():
    a, b = run(True, True, False, False, None, True), run(True, False, True, False, True, False)
    for ours, theirs in ((a, b), (a[::-1], b)):
        found = compare_items(ours, theirs)
        assert [change.id for change in found.lost] == ["1", "5"]
        assert [change.id for change in found.gained] == ["2"]
        assert [change.id for change in found.no_verdict] == ["4"]
        assert (found.test.both, found.test.only_a, found.test.only_b, found.test.neither) == (1, 2, 1, 1)
        data = found.to_dict()
        assert data["a"] == {"correct": 3, "of": 5} and data["b"] == {"correct": 2, "of": 5}
        assert data["lost"][0] == {"id": "1", "db_id": "a", "hardness": None, "fate_a": "ok", "fate_b": "ok"}


def test_what_cannot_be_compared_is_named():
    with pytest.raises(InputError, match=r"2 items are in the first run only \(1, 2\)"):
        compare_items(run(True, True, True), run(True))
    with pytest.raises(InputError, match="1 items are in the second run only"):
        compare_items(run(True), run(True, True))
    with pytest.raises(InputError, match="item 0 is of database 'a' in the first run and 'b'"):
        compare_items(run(True), run(True, db="b"))
    with pytest.raises(InputError, match="no item has a verdict of exact"):
        compare_items(run(True), run(True), "exact")


def test_inputs_that_differ_are_named():
    a = {
        "inputs": {"gold": "1", "predictions": "p", "suites": {"x": "1", "y": "1"}, "tables": None},
        "options": {"columns": "any", "fail_under": 1},
        "versions": {"sqlite": "3.1"},
    }
    b = {
        "inputs": {"gold": "1", "predictions": "q", "suites": {"x": "1", "y": "2", "z": "1"}, "tables": None},
        "options": {"columns": "name", "fail_under": 1},
        "versions": {"sqlite": "3.2"},
    }
    assert differing_inputs(a, a) == []
    assert differing_inputs(a, b) == ["suites (y, z)", "--columns (any and name)", "version of sqlite (3.1 and 3.2)"]
    assert differing_inputs(a, {**a, "inputs": {**a["inputs"], "gold": "2"}}) == ["gold"]
