"""Results on disk: appending, taking up an interrupted run, refusing another run's directory."""

import json
import sys
from types import SimpleNamespace

import pytest

from testsuite.errors import InputError
from testsuite.records import Fate, ItemResult
from testsuite.score.results import ITEMS, SUMMARY, load_items, load_results, open_results

FINGERPRINT = {"inputs": {"gold": "1"}, "options": {"columns": "any"}}


def result(number: int) -> ItemResult:
    return ItemResult(str(number), "db", Fate.OK, True, False, flags=("lucky_pass",), audit=(2, 0, 0))


def test_records_survive_a_round_trip(tmp_path):
    writer = open_results(tmp_path / "r", FINGERPRINT)
    writer.add(result(0))
    writer.finish({"items": 1}, ["0"])
    assert list(load_items(tmp_path / "r")) == [result(0)]
    assert json.loads((tmp_path / "r" / SUMMARY).read_text()) == {"items": 1}


def test_a_torn_last_line_is_dropped_and_the_rest_is_kept(tmp_path):
    writer = open_results(tmp_path, FINGERPRINT)
    writer.add(result(0))
    writer.add(result(1))
    writer._file.close()
    items = tmp_path / ITEMS
    items.write_text(items.read_text()[:-20])
    again = open_results(tmp_path, FINGERPRINT)
    assert list(again.done) == ["0"]
    again.add(result(1))
    again.finish({}, ["0", "1"])
    assert [r.id for r in load_items(tmp_path)] == ["0", "1"]


def test_another_runs_directory_is_refused_and_left_alone(tmp_path):
    writer = open_results(tmp_path, FINGERPRINT)
    writer.add(result(0))
    writer._file.close()
    before = (tmp_path / ITEMS).read_bytes()
    with pytest.raises(InputError, match="another run"):
        open_results(tmp_path, {**FINGERPRINT, "inputs": {"gold": "2"}})
    assert (tmp_path / ITEMS).read_bytes() == before


def test_a_file_in_the_way_is_one_message(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="can't be written here"):
        open_results(tmp_path / "file", FINGERPRINT)


def test_a_damaged_record_names_its_line(tmp_path):
    (tmp_path / ITEMS).write_text(json.dumps(result(0).to_dict()) + "\n{}\n")
    with pytest.raises(InputError, match=r"items.jsonl:2: not a result record"):
        list(load_items(tmp_path))


def finished(folder, count: int = 3, **changes):
    writer = open_results(folder, FINGERPRINT)
    for number in reversed(range(count)):
        writer.add(result(number))
    writer.finish({"items": count, "options": {"etype": "exec"}, **changes}, [str(n) for n in range(count)])
    return folder


def test_a_finished_run_is_read_whole_and_in_order(tmp_path):
    found = load_results(finished(tmp_path / "r", 12))
    assert [item.id for item in found.items] == [str(n) for n in range(12)]
    assert found.etype == "exec"
    assert found.figures.total.shares["execution"].of == 12


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (ITEMS, None, "no results directory"),
        (SUMMARY, None, "did not finish"),
        (SUMMARY, "{", "can't be read"),
        (SUMMARY, "[]", "not a summary"),
        (SUMMARY, '{"items": 4, "options": {}}', "has 3 items and summary.json tells of 4"),
        (ITEMS, "{}\n", "items.jsonl:1: not a result record"),
    ],
)
def test_what_is_no_finished_run(tmp_path, name, content, said):
    folder = finished(tmp_path / "r")
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(content)
    with pytest.raises(InputError, match=said):
        load_results(folder)


def test_records_as_a_data_frame_or_one_message(tmp_path, monkeypatch):
    found = load_results(finished(tmp_path / "r"))
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="pip install pandas"):
        found.to_pandas()
    made = {}
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=lambda rows, columns: made.update(r=rows)))
    found.to_pandas()
    assert [row["id"] for row in made["r"]] == ["0", "1", "2"] and made["r"][0]["fate"] == "ok"
