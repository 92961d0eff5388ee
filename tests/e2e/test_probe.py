"""``distill probe`` as a user runs it, on the embedded benchmark."""

from __future__ import annotations

import json
import shutil

import pytest
from commands import command

from testsuite.benchmark import materialise


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    return materialise(tmp_path_factory.mktemp("benchmark"))


@pytest.fixture(scope="module")
def results(paths, tmp_path_factory):
    """A model scored on the shipped databases alone, so that it passes by luck where it can."""
    folder = tmp_path_factory.mktemp("scored")
    arguments = ["--gold", paths.gold, "--pred", paths.predictions["otter"], "--db", paths.database]
    done = command("testsuite", "score", *arguments, "--cache", folder / "cache", "-o", folder / "results")
    assert done.returncode == 0, done.stderr
    return folder / "results"


def test_lucky_passes_are_refuted_and_right_predictions_are_not(paths, results):
    done = command("distill", "probe", results)
    assert done.returncode == 0, done.stderr
    known = {v["id"]: v for v in map(json.loads, paths.verdicts["otter"].read_text().splitlines())}
    probed = [json.loads(raw) for raw in (results / "probe.jsonl").read_text().splitlines()]
    refuted = {record["id"] for record in probed if record["refuted"]}
    lucky = {record["id"] for record in probed if known[record["id"]]["lucky"]}
    assert not [name for name in refuted if known[name]["right"]]
    assert len(lucky) >= 20 and len(refuted & lucky) >= 0.9 * len(lucky)
    assert f"of {len(probed)} accepted, {len(refuted)} are refuted by the probe" in done.stdout
    assert all(f"refuted: {name} [" in done.stdout for name in refuted)


def test_json_and_the_same_for_any_number_of_workers(results, tmp_path):
    outputs, files = [], []
    for jobs in (1, 2):
        copy = tmp_path / f"copy{jobs}"
        shutil.copytree(results, copy)
        done = command("distill", "probe", copy, "--instances", 20, "--seed", 3, "--jobs", jobs, "--json")
        assert done.returncode == 0, done.stderr
        data = json.loads(done.stdout)
        assert data.pop("results") == str(copy)
        outputs.append(data)
        files.append((copy / "probe.jsonl").read_bytes())
    assert outputs[0] == outputs[1] and files[0] == files[1]
    data = outputs[0]
    ends = ("holds", "refuted", "ties", "same", "unprobed")
    assert sum(data[name] for name in ends) == data["accepted"] < data["items"]
    assert len(data["refuted_items"]) == data["refuted"] and data["refuted_items"][0]["gold"]


def test_bad_input(results, tmp_path):
    old = tmp_path / "old"
    shutil.copytree(results, old)
    (old / "pairs.jsonl").unlink()
    for arguments, said in (
        ((tmp_path / "absent",), "absent"),
        ((old,), "pairs.jsonl"),
        ((results, "--suite", tmp_path / "none"), "none: no such directory"),
        ((results, "--instances", 0), "--instances"),
    ):
        done = command("distill", "probe", *arguments)
        assert done.returncode == 2, done
        assert said in done.stderr and "Traceback" not in done.stderr
