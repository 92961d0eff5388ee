"""Scoring on a Ray cluster of two nodes on this machine: the same records as on one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from testsuite.cluster import run_on_ray, shipping
from testsuite.errors import InputError
from testsuite.score.options import ScoreOptions
from testsuite.score.run import score_files
from testsuite.score.sources import find_sources

# Ray tells of its own dashboard and metrics otherwise.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    ray = pytest.importorskip("ray", reason="needs Ray: pip install '.[ray]'")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    yield cluster.address
    ray.shutdown()
    cluster.shutdown()


def records(directory: Path) -> list[dict[str, object]]:
    lines = (directory / "items.jsonl").read_text(encoding="utf-8").splitlines()
    return [{**json.loads(line), "seconds": 0} for line in lines]


def test_records_are_those_of_one_machine(bench, tmp_path: Path, address: str, monkeypatch) -> None:
    golds = [f"SELECT name, {n} FROM item WHERE price > {n % 7}" for n in range(60)]
    forms = ("SELECT name, {n} FROM item WHERE NOT price <= {m}", "SELECT name, {n} FROM item", "SELECT {n} FRO item")
    bench.gold.write_text("".join(f"{sql}\tshop\n" for sql in golds))
    bench.pred.write_text("".join(f"{forms[n % 3].format(n=n, m=n % 7)}\n" for n in range(60)))
    monkeypatch.setenv("RAY_ADDRESS", address)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    command = [sys.executable, "-m", "testsuite", "score", "--gold", str(bench.gold), "--pred", str(bench.pred)]
    command += ["--suite", str(bench.suites), "-o", str(tmp_path / "far"), "--executor", "ray"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert found.returncode == 0, found.stderr
    score_files(bench.gold, bench.pred, bench.suites, output=tmp_path / "near")
    assert records(tmp_path / "far") == records(tmp_path / "near")
    assert (tmp_path / "far" / "summary.json").read_text() == (tmp_path / "near" / "summary.json").read_text()


def test_a_query_without_end_costs_its_item(bench, address: str, monkeypatch) -> None:
    endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
    bench.gold.write_text("SELECT name FROM item\tshop\n" * 3)
    bench.pred.write_text(f"SELECT name FROM item\n{endless}\nSELECT name FROM item\n")
    monkeypatch.setenv("RAY_ADDRESS", address)
    options = ScoreOptions(timeout=1.0, gold_timeout=5.0)
    report = score_files(bench.gold, bench.pred, bench.suites, options, runner=run_on_ray)
    assert [result.fate for result in report.results] == ["ok", "prediction_timeout", "ok"]


def test_no_cluster_is_told(bench, monkeypatch) -> None:
    pytest.importorskip("ray", reason="needs Ray: pip install '.[ray]'")
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    monkeypatch.setattr("ray.init", lambda **_: (_ for _ in ()).throw(ConnectionError("refused")))
    with pytest.raises(InputError, match=r"no Ray cluster at '127\.0\.0\.1:1': refused"):
        score_files(bench.gold, bench.pred, bench.suites, runner=run_on_ray)


def test_a_suite_is_unpacked_once_and_whole(bench, tmp_path: Path) -> None:
    (source,) = find_sources(bench.suites, ["shop"], take_files=False).values()
    shipping.unpack(shipping.pack(source), tmp_path)
    there = shipping.arrived(source, tmp_path)
    assert there == replace(source, folder=tmp_path / source.digest / "shop")
    for path in source.folder.iterdir():
        assert (there.folder / path.name).read_bytes() == path.read_bytes()
    stamp = there.folder.stat().st_mtime_ns
    shipping.unpack(shipping.pack(source), tmp_path)
    assert there.folder.stat().st_mtime_ns == stamp
    assert len(list(there.folder.parent.iterdir())) == 1
