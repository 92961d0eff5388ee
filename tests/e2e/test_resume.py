"""Runs that are killed: what stands is kept, the rest is made up for, and no process stays behind."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from testsuite.score.run import score_files

KILLS = 50
LATEST = 0.7
ITEMS = 120


@pytest.fixture
def long_bench(bench):
    """A bench of many pairs, each with a gold of its own: right, wrong, invalid and failing ones."""
    golds = [f"SELECT name, {n} FROM item WHERE price > {n % 7}" for n in range(ITEMS)]
    kinds = ("SELECT name, {n} FROM item WHERE NOT price <= {m}", "SELECT name, {n} FROM item", "SELECT {n} FRO item")
    predictions = [kinds[n % 3].format(n=n, m=n % 7) for n in range(ITEMS)]
    bench.gold.write_text("".join(f"{sql}\tshop\n" for sql in golds))
    bench.pred.write_text("".join(f"{sql}\n" for sql in predictions))
    return bench


def children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[1]) == pid and fields[0] != "Z":
                    found.append(int(entry.name))
    return found


def gone(pids: list[int], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(alive(pid) for pid in pids):
            return True
        time.sleep(0.01)
    return False


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def lines_of(folder: Path) -> dict[str, str]:
    """Whole lines of items.jsonl by id."""
    path = folder / "items.jsonl"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
    return {json.loads(line)["id"]: line for line in lines}


def verdicts(folder: Path) -> list[dict[str, object]]:
    """The records in file order, without what depends on the clock."""
    text = (folder / "items.jsonl").read_text(encoding="utf-8")
    return [{**json.loads(line), "seconds": 0} for line in text.splitlines()]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")
def test_fifty_kills_change_nothing(long_bench, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["testsuite.score.run", "testsuite.score.worker"])
    inputs = (long_bench.gold, long_bench.pred, long_bench.suites, None)
    score_files(*inputs, 2, tmp_path / "undisturbed")
    expected = verdicts(tmp_path / "undisturbed")
    chance = random.Random(20201116)
    kills = runs = lost = orphans_seen = 0
    while kills < KILLS:
        runs += 1
        folder = tmp_path / f"run{runs}"
        kept: dict[str, str] = {}
        while True:
            process = context.Process(target=score_files, args=(*inputs, 2, folder))
            process.start()
            while kills < KILLS:
                process.join(chance.uniform(0.02, LATEST))
                if process.exitcode is not None:
                    break
                workers = children(process.pid)
                if chance.random() < 0.5:
                    process.kill()
                    process.join()
                    assert gone(workers), "workers outlive their parent"
                    orphans_seen += len(workers)
                    kills += 1
                elif workers:
                    with suppress(ProcessLookupError):
                        os.kill(chance.choice(workers), signal.SIGKILL)
                    kills += 1
            process.join(60)
            assert process.exitcode in (0, -signal.SIGKILL)
            found = lines_of(folder)
            # What stood before stands unchanged, its seconds included: it was not run again.
            assert all(found[name] == line for name, line in kept.items())
            lost += sum('"fate": "infrastructure"' in line for line in found.values())
            kept = {name: line for name, line in found.items() if '"fate": "infrastructure"' not in line}
            if process.exitcode == 0 and len(kept) == ITEMS:
                break
        assert verdicts(folder) == expected
    assert orphans_seen and lost, "no kill hit anything: the runs are over too early"


def test_a_killed_worker_costs_one_item(long_bench, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    slow = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r"
    lines = long_bench.pred.read_text().splitlines()
    lines[60] = slow
    long_bench.pred.write_text("\n".join(lines) + "\n")
    inputs = [long_bench.gold, long_bench.pred, long_bench.suites]
    code = "import sys; from pathlib import Path; from testsuite.score.run import score_files; " + (
        "score_files(*map(Path, sys.argv[1:4]), None, 1, Path(sys.argv[4]))"
    )
    process = subprocess.Popen([sys.executable, "-c", code, *map(str, inputs), str(tmp_path / "r")])
    end = time.monotonic() + 60
    while time.monotonic() < end and not busy_with_the_slow_one(tmp_path / "r"):
        time.sleep(0.05)
    (worker,) = children(process.pid)
    os.kill(worker, signal.SIGSEGV)
    assert process.wait(60) == 0
    found = {name: json.loads(line) for name, line in lines_of(tmp_path / "r").items()}
    lost = [record for record in found.values() if record["fate"] == "infrastructure"]
    assert [(r["id"], r["test_suite"]) for r in lost] == [("60", None)]
    assert "SIGSEGV" in lost[0]["message"]
    assert len(found) == ITEMS


def busy_with_the_slow_one(folder: Path) -> bool:
    """Whether the run has stood still for a while."""
    count = len(lines_of(folder))
    time.sleep(0.7)
    return count > 0 and len(lines_of(folder)) == count


def test_a_full_disk_is_told_and_costs_nothing_that_stands(long_bench, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    whole, folder = tmp_path / "whole", tmp_path / "r"
    assert long_bench.score("-o", whole).returncode == 0
    room = (whole / "pairs.jsonl").stat().st_size + 200
    assert room < (whole / "items.jsonl").stat().st_size
    command = [sys.executable, "-m", "testsuite", "score", "--gold", long_bench.gold, "--pred", long_bench.pred]
    done = subprocess.run(
        [*map(str, command), "--suite", str(long_bench.suites), "-o", str(folder)],
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr and "can't be written" in done.stderr
    before = lines_of(folder)
    assert 0 < len(before) < ITEMS
    assert long_bench.score("-o", folder).returncode == 0
    assert lines_of(folder).items() >= before.items()
    assert verdicts(folder) == verdicts(whole)


def test_output_that_cannot_be_written_is_one_message(bench) -> None:  # type: ignore[no-untyped-def]
    done = bench.score("-o", "/proc/results")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr and "/proc/results" in done.stderr


def test_the_file_is_in_the_order_of_the_golds(long_bench, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    for jobs in (1, 2):
        score_files(long_bench.gold, long_bench.pred, long_bench.suites, None, jobs, tmp_path / str(jobs))
    assert [record["id"] for record in verdicts(tmp_path / "2")] == [str(n) for n in range(ITEMS)]
    assert verdicts(tmp_path / "1") == verdicts(tmp_path / "2")
