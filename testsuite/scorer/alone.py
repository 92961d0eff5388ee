"""Scoring in this process, in one thread: SQLite and DuckDB connections belong to the thread that opened them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from testsuite.records import ItemResult
from testsuite.score.pool import Lost
from testsuite.score.run import Task
from testsuite.score.worker import WorkerConfig, WorkerState, open_state, score_in


class Alone:
    """No workers: least latency, but an item that hangs past all its budgets, or crashes, takes the caller along."""

    def __init__(self, config: WorkerConfig) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="scorer")
        self._state: WorkerState = self._thread.submit(open_state, config).result()

    def submit(self, tasks: Sequence[Task]) -> list[Future[ItemResult | Lost]]:
        """A future per task, in their order."""
        if len(tasks) == 1:
            return [self._thread.submit(score_in, self._state, tasks[0])]
        futures: list[Future[ItemResult | Lost]] = [Future() for _ in tasks]
        self._thread.submit(self._all, list(tasks), futures)
        return futures

    def _all(self, tasks: list[Task], futures: list[Future[ItemResult | Lost]]) -> None:
        for task, future in zip(tasks, futures, strict=True):
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(score_in(self._state, task))
                except BaseException as error:
                    future.set_exception(error)

    def close(self) -> None:
        """Wait for what runs, and free the engines."""

        def free() -> None:
            if self._state.session is not None:
                self._state.session.close()
            self._state.desks.clear()

        self._thread.submit(free).result()
        self._thread.shutdown()
