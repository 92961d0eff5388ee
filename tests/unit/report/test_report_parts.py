"""What the page is made of: statuses, positions, the kill matrix, the strength of suites, embedded data."""

from __future__ import annotations

import json

import pytest
from made_runs import EXPLANATIONS, HOSTILE, INSTANCES, MANIFEST, RECORDS, make_run, make_suites, record

from testsuite.errors import InputError, SuiteFileError
from testsuite.metrics import Share
from testsuite.report.charts import bars, mark
from testsuite.report.items import NO_CAUSE, embedded, item_data, lucky_causes, wrong_causes
from testsuite.report.matrix import matrices, matrix_of
from testsuite.report.runs import notes_of, read_manifests, read_runs
from testsuite.report.status import STATUSES, status_of
from testsuite.report.strength import strength_of


def test_statuses():
    found = [status_of(r, "test_suite") for r in RECORDS]
    assert found == ["right", "right", "lucky", "wrong", "wrong", "failed", "no verdict"]
    assert {status.name for status in STATUSES} == set(found)
    assert len({status.mark for status in STATUSES}) == len(STATUSES)
    assert status_of(record(0, None, None, exact=False), "exact") == "wrong"


def test_marks_are_placed_by_share_and_interval():
    found = mark("test_suite", Share(3, 4))
    assert (found.at, found.text, found.counts) == ("75.00%", "75.0", "3 of 4")
    assert float(found.low[:-1]) < 75 < float(found.high[:-1])
    nothing = mark("test_suite", Share(0, 0))
    assert (nothing.at, nothing.low, nothing.text) == ("", "", "–")
    assert [bar.width for bar in bars({"a": 1, "b": 4})] == ["25.00%", "100.00%"]
    assert [bar.width for bar in bars({"a": 0})] == ["0.00%"]


def test_matrix_has_a_row_for_every_prediction_that_differs():
    found = matrix_of("shop", [r for r in RECORDS if r.db_id == "shop"], INSTANCES)
    assert found is not None
    assert [row.id for row in found.rows] == ["2", "4"] and found.shipped and found.known
    assert found.lucky == "M8 0h7v7h-7zM24 0h7v7h-7z"
    assert found.differs.count("M") == 5
    # Five instances are named of item 4, the fifth of seven: nothing is known of the last two.
    assert found.unknown == "M40 8h7v7h-7zM48 8h7v7h-7z"
    assert "luck" in found.rows[0].title and "at least 5" in found.rows[1].title
    assert [m.db_id for m in matrices(RECORDS, {})] == ["shop", "zoo"]


def test_matrix_of_an_explained_run_has_every_instance(tmp_path):
    (run,) = read_runs([make_run(tmp_path / "run", explanations=EXPLANATIONS)])
    results = [r for r in RECORDS if r.id == "2"]
    found = matrix_of("shop", results, INSTANCES, run.explanations)
    assert found is not None and found.lucky == "M8 0h7v7h-7zM24 0h7v7h-7zM48 0h7v7h-7z" and not found.unknown
    # Of a suite with another number of instances it says nothing.
    other = matrix_of("shop", results, INSTANCES[:5], run.explanations)
    assert other is not None and other.lucky.count("M") == 2


@pytest.mark.parametrize("instances", [[], INSTANCES[:2]])
def test_matrix_of_a_suite_that_is_gone_or_another_has_the_named_instances_only(instances):
    found = matrix_of("shop", RECORDS, instances)
    assert found is not None
    assert found.columns == 5 and not found.known and not found.shipped and not found.unknown
    assert matrix_of("shop", RECORDS[:2], INSTANCES) is None


def test_strength_counts_near_misses_by_operator():
    found = strength_of({"shop": MANIFEST, "zoo": MANIFEST})
    assert found is not None
    assert [name for name, _, _ in found.rows] == ["distinct", "join path"]
    assert (found.total.correct, found.total.of, found.instances) == (26, 28, 14)
    cells = found.rows[1][1]
    assert cells[0] is not None and (cells[0].step, cells[0].left) == ("s2", 1)
    assert strength_of({"shop": {"instances": [], "operators": {}}}) is None


def test_embedded_data_cannot_leave_its_script():
    text = embedded({"sql": HOSTILE, "half": "\ud800"})
    assert not set("<>&\u2028") & set(text) and text.isascii()
    assert json.loads(text) == {"sql": HOSTILE, "half": "\ud800"}
    # Scripts read no NaN, and round whole numbers beyond 2**53.
    assert (
        embedded([float("nan"), -float("inf"), 2**53, 2**53 + 1, True])
        == '["nan","-inf",9007199254740992,"9007199254740993",true]'
    )


def test_items_and_causes(tmp_path):
    (run,) = read_runs([make_run(tmp_path / "run", explanations=EXPLANATIONS)])
    items = item_data([run], "test_suite")["items"]
    assert [i["id"] for i in items] == [r.id for r in RECORDS]
    assert items[2]["runs"][0]["prediction"] == HOSTILE
    assert items[2]["runs"][0]["causes"] == ["missing_distinct"]
    assert items[4]["runs"][0]["causes"] == [NO_CAUSE] and "causes" not in items[0]["runs"][0]
    assert lucky_causes(run) == {"missing_distinct": 1}
    assert wrong_causes(run) == {NO_CAUSE: 2, "missing_distinct": 1}


def test_runs_of_the_same_golds_stand_side_by_side(tmp_path):
    a = make_run(tmp_path / "x" / "run")
    b = make_run(tmp_path / "y" / "run", pairs=False)
    runs = read_runs([a, b])
    assert [run.name for run in runs] == ["x/run", "y/run"]
    assert runs[1].pairs == {} and runs[1].explanations is None and notes_of(runs) == []
    other = make_run(tmp_path / "other", gold="9")
    fewer = make_run(tmp_path / "fewer", RECORDS[:-1])
    for wrong in (other, fewer):
        with pytest.raises(InputError, match="not over the same golds"):
            read_runs([a, wrong])
    with pytest.raises(InputError, match="twice"):
        read_runs([a, a])
    noted = make_run(tmp_path / "noted", etype="all")
    assert "etype" in notes_of(read_runs([a, noted]))[0]


def test_explanations_that_are_damaged_are_refused(tmp_path):
    run = make_run(tmp_path / "run", explanations=EXPLANATIONS)
    for line in ("{", '{"id": "2"}', "[]", '{"id": "2", "causes": [{}]}'):
        (run / "causes.jsonl").write_text(json.dumps(EXPLANATIONS[0]) + "\n" + line + "\n")
        with pytest.raises(InputError, match=r"causes\.jsonl:2: not an explanation"):
            read_runs([run])


def test_suites_are_found_where_the_run_was_made(tmp_path):
    suites = make_suites(tmp_path / "suites")
    run = make_run(tmp_path / "run", suites=suites)
    assert list(read_manifests(read_runs([run]), None)) == ["shop", "zoo"]
    runs = read_runs([run])
    for damaged in ("{", '{"format_version": 1, "instances": [{}], "operators": {}}'):
        (suites / "zoo" / "manifest.json").write_text(damaged)
        assert "zoo" not in read_manifests(runs, None)
        with pytest.raises(SuiteFileError, match="damaged"):
            read_manifests(runs, suites)
    with pytest.raises(SuiteFileError, match="holds no suite"):
        read_manifests(runs, run)
