"""Workers that hang, die or log while they are killed cost their own task only."""

from __future__ import annotations

import faulthandler
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from testsuite.errors import EngineError
from testsuite.score.guard import GRACE, deadly, unguarded
from testsuite.score.pool import Doing, Lost, run_tasks

# One step of SQLite's that neither its progress handler nor an interrupt ends.
ENDLESS = "SELECT printf('%.*c', 2000000000, 'x')"


def act(task: tuple[int, str]) -> object:
    number, what = task
    if what == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "segv":
        faulthandler.disable()
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "exit":
        os._exit(7)
    if what == "memory":
        raise MemoryError
    if what == "raise":
        raise KeyError("a bug")
    if what == "unpicklable":
        return lambda: number
    if what == "sleep":
        time.sleep(60)
    if what in ("gold", "prediction"):
        with deadly(Doing[what.upper()], 0.3 - GRACE):
            time.sleep(60)
    if what == "step":
        with deadly(Doing.PREDICTION, 0.5 - GRACE):
            sqlite3.connect(":memory:").execute(ENDLESS).fetchall()
    return number


def run(whats, jobs=2, deadline=None, **more):
    tasks = list(enumerate(whats))
    found = dict(run_tasks(act, tasks, jobs, deadline, **more))
    assert sorted(found) == tasks
    return [found[task] for task in tasks]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_dying_worker_costs_its_own_task_only(jobs):
    whats = [
        what for bad in ("kill", "segv", "exit", "memory", "raise", "unpicklable") for what in ("", "", bad, "", "")
    ]
    found = run(whats, jobs)
    for number, (what, outcome) in enumerate(zip(whats, found, strict=True)):
        assert isinstance(outcome, Lost) if what else outcome == number, (what, outcome)
    said = {what: outcome.message for what, outcome in zip(whats, found, strict=True) if what}
    assert "SIGKILL" in said["kill"] and "SIGSEGV" in said["segv"] and "exit code 7" in said["exit"]
    assert "memory" in said["memory"] and "KeyError" in said["raise"] and "internal error" in said["unpicklable"]


def test_a_deadline_kills(recwarn):
    started = time.monotonic()
    found = run(["", "sleep", "", ""], jobs=2, deadline=0.5)
    assert [isinstance(outcome, Lost) for outcome in found] == [False, True, False, False]
    assert found[1].timed_out and found[1].doing is Doing.OTHER and 0.5 <= found[1].seconds < 10
    assert time.monotonic() - started < 20


def test_an_alarm_tells_whose_query_it_was():
    found = run(["gold", "", "prediction", "step", ""])
    assert [found[n].doing for n in (0, 2, 3)] == [Doing.GOLD, Doing.PREDICTION, Doing.PREDICTION]
    assert all(found[n].timed_out and found[n].seconds < 15 for n in (0, 2, 3))
    assert found[1] == 1 and found[4] == 4


def test_an_alarm_is_off_when_the_run_is_over():
    with deadly(Doing.GOLD, 60):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 60
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    with unguarded(Doing.GOLD, 60):
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_what_is_known_is_not_run():
    lost = Lost("known before")
    found = run(["", "kill", ""], known=lambda task: lost if task[1] else None)
    assert found == [0, lost, 2]


def test_many_tasks_beside_many_kills():
    whats = ["kill" if number % 50 == 25 else "" for number in range(1000)]
    found = run(whats)
    assert [isinstance(outcome, Lost) for outcome in found] == [bool(what) for what in whats]


def fail():
    raise RuntimeError("no engine here")


def test_workers_that_cannot_start_are_one_error():
    with pytest.raises(EngineError, match="no engine here"):
        run(["", ""], initializer=fail)


def test_an_abandoned_run_leaves_no_worker():
    results = run_tasks(pid, range(100), 2, None)
    workers = {next(results)[1] for _ in range(20)}
    results.close()
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


def pid(number: int) -> int:
    return os.getpid()


def log_and_die(number: int) -> int:
    for line in range(200):
        logging.getLogger("heavy").warning("%d %d %s", number, line, "x" * 2000)
        if number % 3 == 0 and line == 100:
            os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_workers_killed_while_they_log_wedge_nothing():
    code = (
        "import logging, sys; logging.basicConfig(level='WARNING', stream=sys.stderr)\n"
        "from test_pool import log_and_die\nfrom testsuite.score.pool import Lost, run_tasks\n"
        "print(sum(isinstance(o, Lost) for _, o in run_tasks(log_and_die, range(60), 4, None)))"
    )
    folder = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, folder])},
    )  # fmt: skip
    assert done.stdout == "20\n" and done.returncode == 0, done.stderr[-500:]
    lines = [line for line in done.stderr.splitlines() if line.startswith("WARNING:heavy:")]
    assert len([line for line in lines if int(line.split(":")[2].split()[0]) % 3]) == 40 * 200
