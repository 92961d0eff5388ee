"""The thread that stops queries whose time is up."""

from __future__ import annotations

import multiprocessing
import threading
import time

import pytest

from testsuite.engine.session import QueryTimeout, Session
from testsuite.engine.watch import Watch

SLOW = "SELECT count(*) FROM range(100000) AS a, range(100000) AS b WHERE a.range % 7 = b.range % 11"


def test_it_stops_what_takes_too_long_and_nothing_else() -> None:
    stopped: list[float] = []
    rang = threading.Event()

    def stop() -> None:
        stopped.append(time.monotonic())
        rang.set()

    watch = Watch(stop)
    for _ in range(200):
        watch.arm(0.5)
        watch.disarm()
    time.sleep(0.7)
    assert stopped == []
    started = time.monotonic()
    watch.arm(0.1)
    assert rang.wait(30)
    assert len(stopped) == 1 and stopped[0] - started >= 0.1


def test_a_shorter_deadline_after_a_longer_one_is_kept() -> None:
    stopped = threading.Event()
    watch = Watch(stopped.set)
    watch.arm(50)
    watch.disarm()
    watch.arm(0.05)
    assert stopped.wait(5)


def test_one_thread_for_many_queries_and_the_next_query_is_left_alone() -> None:
    with Session() as session:
        before = threading.active_count()
        for _ in range(20):
            session.query("SELECT 1")
        assert threading.active_count() <= before + 1
        for _ in range(3):
            with pytest.raises(QueryTimeout):
                session.query(SLOW, timeout=0.1)
            assert session.query("SELECT 42").column(0).to_pylist() == [42]


def _in_child(watch: Watch, said: multiprocessing.Queue[bool]) -> None:
    stopped = threading.Event()
    watch._stop = lambda: stopped.set
    watch.arm(0.05)
    said.put(stopped.wait(5))


def test_it_works_after_a_fork() -> None:
    watch = Watch(lambda: None)
    watch.arm(60)
    context = multiprocessing.get_context("fork")
    said = context.Queue()
    child = context.Process(target=_in_child, args=(watch, said))
    child.start()
    assert said.get(timeout=10)
    child.join(10)
