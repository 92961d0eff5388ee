"""Worker processes that stay, each with a thread here that feeds it.

A worker gets a few tasks at a time and answers them one by one, so that it is always known which task it is at. A
worker that dies, or is killed at a task's deadline, costs that task; the tasks behind it go to its successor.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass

from testsuite.engine.watch import Watch
from testsuite.errors import EngineError
from testsuite.records import ItemResult
from testsuite.score.pool import Doing, Lost
from testsuite.score.run import Task
from testsuite.score.worker import WorkerConfig

# Enough to hide the way there and back, few enough that an item asked for meanwhile need not wait long.
_BATCH = 8
_START_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class _Job:
    task: Task
    future: Future[ItemResult | Lost]


class Crew:
    """Worker processes over one configuration.

    Args:
        config: what all tasks share; must pickle.
        jobs: worker processes, at least 1. Each starts with its first task.
        deadline: seconds that a task may take before its worker is killed.
    """

    def __init__(self, config: WorkerConfig, jobs: int, deadline: Callable[[Task], float]) -> None:
        self._config = pickle.dumps(config, protocol=pickle.HIGHEST_PROTOCOL)
        self._deadline = deadline
        self._changed = threading.Condition()
        self._queues: list[deque[_Job]] = [deque() for _ in range(jobs)]
        self._closed = False
        self._workers: list[_Worker | None] = [None] * jobs
        self._threads = [
            threading.Thread(target=self._serve, args=(number,), name=f"scorer {number}", daemon=True)
            for number in range(jobs)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, tasks: Sequence[Task]) -> list[Future[ItemResult | Lost]]:
        """A future per task, in their order. A single task goes before the batches that wait.

        Raises:
            EngineError: the crew was closed.
        """
        jobs = [_Job(task, Future()) for task in tasks]
        with self._changed:
            if self._closed:
                raise EngineError("the scorer was closed; open a new one")
            for job in jobs:
                # Pairs of one gold prefer one worker, which has its answers.
                item = job.task.item
                queue = self._queues[
                    zlib.crc32(f"{item.db_id}\0{item.gold}".encode(errors="replace")) % len(self._queues)
                ]
                if len(jobs) == 1:
                    queue.appendleft(job)
                else:
                    queue.append(job)
            self._changed.notify_all()
        return [job.future for job in jobs]

    @property
    def pids(self) -> list[int]:
        """Process ids of the workers that have started."""
        return [worker.process.pid for worker in self._workers if worker is not None]

    def close(self) -> None:
        """End all workers; what still waits or runs fails with EngineError."""
        with self._changed:
            self._closed = True
            waiting = [job for queue in self._queues for job in queue]
            for queue in self._queues:
                queue.clear()
            self._changed.notify_all()
        for job in waiting:
            if job.future.set_running_or_notify_cancel():
                job.future.set_exception(EngineError("the scorer was closed"))
        for worker in self._workers:
            if worker is not None:
                worker.kill()
        for thread in self._threads:
            thread.join()

    def _take(self, number: int) -> list[_Job] | None:
        """Some tasks of this worker's own, else from the end of the longest queue; None when closed."""
        with self._changed:
            while not self._closed:
                own = self._queues[number]
                if own:
                    taken = [own.popleft() for _ in range(min(_BATCH, len(own)))]
                else:
                    longest = max(self._queues, key=len)
                    taken = [longest.pop() for _ in range(min(_BATCH, (len(longest) + 1) // 2))]
                ready = [job for job in taken if job.future.set_running_or_notify_cancel()]
                if ready:
                    return ready
                if not taken:
                    self._changed.wait()
        return None

    def _serve(self, number: int) -> None:
        pending: deque[_Job] = deque()
        while True:
            if not pending:
                taken = self._take(number)
                if taken is None:
                    break
                pending.extend(taken)
            worker = self._workers[number]
            try:
                if worker is None:
                    worker = self._workers[number] = _Worker(self._config)
                    worker.receive(_START_SECONDS)
                worker.send([job.task for job in pending])
                while pending:
                    result = worker.receive(self._deadline(pending[0].task))
                    pending.popleft().future.set_result(result)
            except (EOFError, OSError, pickle.UnpicklingError) as error:
                lost = Lost(f"its worker process could not be started: {error}") if worker is None else worker.why()
                self._workers[number] = None
                job = pending.popleft()
                if self._closed:
                    for one in (job, *pending):
                        one.future.set_exception(EngineError("the scorer was closed"))
                    break
                job.future.set_result(lost)
        worker = self._workers[number]
        if worker is not None:
            worker.kill()
            worker.why()


class _Worker:
    """One child process, its pipes, and who stops it in time."""

    def __init__(self, config: bytes) -> None:
        places = [os.path.abspath(place) for place in sys.path]  # noqa: PTH100 - an entry may be empty: the current folder
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places)}
        with tempfile.TemporaryFile() as file:
            file.write(b"\0")
            file.flush()
            self._doing = mmap.mmap(file.fileno(), 1)
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "testsuite.scorer.worker", str(os.getpid()), str(file.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
                pass_fds=[file.fileno()],
            )
        assert self.process.stdin is not None and self.process.stdout is not None
        self._in, self._out = self.process.stdin, self.process.stdout
        self._late = False
        self._since = time.monotonic()
        self._watch = Watch(self._expire)
        self._in.write(config)
        self._in.flush()

    def send(self, tasks: list[Task]) -> None:
        pickle.dump(tasks, self._in, protocol=pickle.HIGHEST_PROTOCOL)
        self._in.flush()

    def receive(self, seconds: float) -> ItemResult:
        """The next message; EOFError where the process ended, or was killed because the time was over."""
        self._since = time.monotonic()
        self._watch.arm(seconds)
        try:
            return pickle.load(self._out)  # type: ignore[no-any-return]
        finally:
            self._watch.disarm()

    def _expire(self) -> None:
        self._late = True
        self.process.kill()

    def kill(self) -> None:
        self.process.kill()

    def why(self) -> Lost:
        """Why it ended, after it has; frees its pipes."""
        self.process.kill()
        code = self.process.wait()
        for pipe in (self._in, self._out):
            with suppress(OSError):
                pipe.close()
        doing, seconds = Doing(self._doing[0]), time.monotonic() - self._since
        self._doing.close()
        if self._late or code == -signal.SIGALRM:
            return Lost(f"stopped with its worker after {seconds:.1f} s", True, doing, seconds)
        return Lost(f"its worker process died (exit code {code})", False, doing, seconds)
