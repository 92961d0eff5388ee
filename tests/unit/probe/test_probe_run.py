"""A run's accepted items: which are probed, in which order they are told, what stops a probe."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from distill.probe import PROBE, Outcome, ProbeOptions, ProbeRecord, load_probe, probe_results, write_probe
from testsuite.errors import InputError
from testsuite.schema import read_sql_script
from testsuite.score.options import ScoreOptions
from testsuite.score.results import load_results
from testsuite.score.run import score_files
from testsuite.suite import InstanceNote, Manifest, instance_id, save_suite, stack_rows

SCRIPT = """
CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL);
INSERT INTO item VALUES (1, 'pen', 3), (2, 'ink', 9);
"""
PAIRS = (
    ("SELECT name FROM item WHERE price > 5", "SELECT name FROM item WHERE price >= 5"),
    ("SELECT count(*) FROM item", "SELECT count(id) FROM item"),
    ("SELECT name FROM item", "SELECT id FROM item"),
    ("SELECT name FROM item WHERE price > 5", "SELECT name FROM item WHERE price >= 5"),
    ("SELECT name FROM item", "SELECT NAME FROM item"),
)


@pytest.fixture
def results(tmp_path):
    schema, rows = read_sql_script(SCRIPT, "shop")
    stack = stack_rows(schema, [rows])
    note = InstanceNote(instance_id(stack, 0), "shipped", 2, 1)
    save_suite(tmp_path / "suites", stack, Manifest("shop", (note,), seed=0))
    (tmp_path / "gold.sql").write_text("".join(f"{gold}\tshop\n" for gold, _ in PAIRS))
    (tmp_path / "pred.sql").write_text("".join(f"{prediction}\n" for _, prediction in PAIRS))
    return tmp_path


def scored(folder, options=None):
    score_files(folder / "gold.sql", folder / "pred.sql", folder / "suites", options, output=folder / "out", jobs=1)
    return load_results(folder / "out")


def test_accepted_items_in_the_golds_order(results):
    run = scored(results)
    asked: list[tuple[int, int]] = []
    report = probe_results(run, None, ProbeOptions(30, 2), 1, lambda done, total: asked.append((done, total)))
    assert [record.outcome for record in report.records] == [
        Outcome.REFUTED,
        Outcome.HOLDS,
        Outcome.REFUTED,
        Outcome.SAME,
    ]
    assert [record.id for record in report.records] == [name for n, name in enumerate(run.pairs) if n != 2]
    assert asked[-1] == (3, 3), "equal pairs are probed once"
    assert replace(report.records[2], id="") == replace(report.records[0], id="")
    assert load_probe(results / "out") == {record.id: record for record in report.records}
    assert load_results(results / "out").summary == run.summary


def test_any_number_of_workers(results):
    run = scored(results)
    texts = []
    for jobs in (1, 2):
        probe_results(run, results / "suites", ProbeOptions(20, 7), jobs)
        texts.append((results / "out" / PROBE).read_bytes())
    assert texts[0] == texts[1]


def test_a_suite_that_is_gone_is_told(results):
    run = scored(results)
    with pytest.raises(InputError, match="--suite"):
        probe_results(run, results / "absent")
    (results / "empty").mkdir()
    with pytest.raises(InputError, match="no suite"):
        probe_results(run, results / "empty")


def test_other_rules_than_strict_are_refused(results):
    with pytest.raises(InputError, match="strict"):
        probe_results(scored(results, ScoreOptions(etype="match")))


def test_what_is_right_with_the_golds_values_only_is_not_probed(results):
    (results / "gold.sql").write_text("SELECT name FROM item WHERE price > 5\tshop\n")
    (results / "pred.sql").write_text("SELECT name FROM item WHERE price > 20\n")
    report = probe_results(scored(results, ScoreOptions(plug_value=True)))
    assert [record.outcome for record in report.records] == [Outcome.UNPROBED]
    assert report.reasons == {"accepted only with the gold's values in place of its own": 1}


def test_the_gold_it_equals_is_the_one_of_several(results):
    golds = ["SELECT id FROM item", "SELECT name FROM item"]
    (results / "gold.json").write_text(json.dumps([{"id": "a", "db_id": "shop", "sql": golds}]))
    (results / "pred.json").write_text(json.dumps([{"id": "a", "sql": "SELECT name FROM item WHERE id > -9"}]))
    score_files(results / "gold.json", results / "pred.json", results / "suites", output=results / "several")
    report = probe_results(load_results(results / "several"), None, ProbeOptions(30))
    assert report.pairs["a"].golds == ("SELECT name FROM item",)
    assert report.records[0].outcome is not Outcome.SAME and report.records[0].usable == 30


def test_records_on_disk(tmp_path):
    records = [
        ProbeRecord("a", "shop", Outcome.REFUTED, 100, 90, 3, 17, 5),
        ProbeRecord("b", "shop", Outcome.UNPROBED, reason="why"),
    ]
    write_probe(tmp_path, records)
    assert list(load_probe(tmp_path).values()) == records
    (tmp_path / PROBE).write_text("{}\n")
    with pytest.raises(InputError, match=r"probe\.jsonl:1"):
        load_probe(tmp_path)
    with pytest.raises(InputError, match="distill probe"):
        load_probe(tmp_path / "absent")
