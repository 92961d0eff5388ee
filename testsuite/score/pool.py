"""Worker processes: the only module of the package that starts any.

Every task has a deadline; a task that passes it, or whose worker dies, costs its worker and itself, never its
neighbours. No lock is shared between processes: each worker has a pipe of its own, so that one killed at any moment
leaves nothing held. Workers are forked before any DuckDB connection exists here, and end with their parent.
"""

from __future__ import annotations

import logging
import mmap
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any, Generic, TypeVar

from testsuite.engine.limits import die_with_parent
from testsuite.errors import EngineError, SuiteError
from testsuite.score.logs import share_logging

T = TypeVar("T")
R = TypeVar("R")

log = logging.getLogger(__name__)

# While tasks are this quick, a second one waits in a busy worker's pipe; it is small, so that writing it never blocks.
_AHEAD = 2
_AHEAD_SECONDS = 0.1
_AHEAD_BYTES = 16_384
_FAILED_STARTS = 3
_STOP_SECONDS = 2.0


class Doing(IntEnum):
    """What a worker is at, as far as its parent must know when it does not come back."""

    OTHER = 0
    GOLD = 1
    PREDICTION = 2


@dataclass(frozen=True, slots=True)
class Lost:
    """A task has no result.

    Attributes:
        message: why.
        timed_out: its worker was killed because the time was over, by its own alarm or at the deadline.
        doing: what the worker was at.
        seconds: how long it had been at the task.
    """

    message: str
    timed_out: bool = False
    doing: Doing = Doing.OTHER
    seconds: float = 0.0


def run_tasks(
    function: Callable[[T], R],
    tasks: Iterable[T],
    jobs: int,
    deadline: float | None,
    initializer: Callable[..., None] | None = None,
    initargs: tuple[Any, ...] = (),
    known: Callable[[T], R | Lost | None] | None = None,
) -> Iterator[tuple[T, R | Lost]]:
    """Run ``function`` on every task in ``jobs`` processes; results come as they finish.

    Args:
        function: a module-level function that never raises for bad tasks.
        deadline: seconds one task may take before its worker is killed; None for none.
        initializer: called once in every worker.
        known: asked just before a task is handed out; a result it has is the task's, and nothing is run.

    Yields:
        The task with its result, or with ``Lost``. No task is tried twice.

    Raises:
        EngineError: workers can't be started.
    """
    share_logging()
    pool = _Pool(function, iter(tasks), jobs, deadline, initializer, initargs, known)
    try:
        yield from pool.run()
    finally:
        pool.stop()


_doing: mmap.mmap | None = None


def mark_in(memory: mmap.mmap) -> None:
    """Say from now on in ``memory``, one byte shared with a parent, what this process is at."""
    global _doing
    _doing = memory


def mark(doing: Doing) -> None:
    """Say what this worker is at; nothing is done in a process that is no worker."""
    if _doing is not None:
        _doing[0] = doing


@dataclass(eq=False)
class _Worker(Generic[T]):
    process: ForkProcess
    pipe: Connection
    doing: mmap.mmap
    tasks: deque[T] = field(default_factory=deque)
    """The first is being run, the rest wait in the pipe."""
    since: float = 0.0
    ready: bool = False


@dataclass
class _Pool(Generic[T, R]):
    function: Callable[[T], R]
    source: Iterator[T]
    jobs: int
    deadline: float | None
    initializer: Callable[..., None] | None
    initargs: tuple[Any, ...]
    known: Callable[[T], R | Lost | None] | None
    workers: list[_Worker[T]] = field(default_factory=list)
    returned: deque[T] = field(default_factory=deque)
    """Tasks that waited behind one that cost their worker."""
    finished: deque[tuple[T, R | Lost]] = field(default_factory=deque)
    usual: float = 1.0
    """Seconds that tasks have lately taken."""
    failed_starts: int = 0
    why_failed: str = ""

    def run(self) -> Iterator[tuple[T, R | Lost]]:
        while True:
            # Told before more is handed out, so that what the caller learns from it is known by then.
            while self.finished:
                yield self.finished.popleft()
            self._hand_out()
            if any(worker.tasks for worker in self.workers):
                if not self.finished:
                    self._wait()
            elif not self.finished and not self.returned:
                return

    def stop(self) -> None:
        """End all workers, at once those that are at a task."""
        for worker in self.workers:
            if worker.tasks:
                worker.process.kill()
            worker.pipe.close()
        end = time.monotonic() + _STOP_SECONDS
        for worker in self.workers:
            worker.process.join(max(0.0, end - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.process.close()
            worker.doing.close()
        self.workers.clear()

    def _next(self) -> T | None:
        while True:
            task = self.returned.popleft() if self.returned else next(self.source, None)
            if task is None:
                return None
            answer = None if self.known is None else self.known(task)
            if answer is None:
                return task
            self.finished.append((task, answer))

    def _hand_out(self) -> None:
        for room in range(1, (_AHEAD if self.usual < _AHEAD_SECONDS else 1) + 1):
            for place in range(self.jobs):
                worker = self.workers[place] if place < len(self.workers) else None
                if worker is not None and len(worker.tasks) >= room:
                    continue
                if worker is None and room > 1:
                    continue
                task = self._next()
                if task is None:
                    return
                if worker is None:
                    worker = self._start()
                data = ForkingPickler.dumps(task)
                if worker.tasks and len(data) > _AHEAD_BYTES:
                    self.returned.appendleft(task)
                    continue
                try:
                    worker.pipe.send_bytes(data)
                except OSError:
                    # It died before it could take this task, which is not to blame.
                    self.returned.appendleft(task)
                    self._bury(worker)
                    continue
                if not worker.tasks:
                    worker.since = time.monotonic()
                worker.tasks.append(task)

    def _start(self) -> _Worker[T]:
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        doing = mmap.mmap(-1, 1)
        inherited = [ours, *(worker.pipe for worker in self.workers)]
        arguments = (self.function, self.initializer, self.initargs, theirs, inherited, doing, os.getpid())
        process = context.Process(target=_serve, args=arguments, daemon=True, name="testsuite worker")
        try:
            process.start()
        except OSError as error:
            raise EngineError(f"no worker process can be started: {error.strerror or error}") from error
        theirs.close()
        worker: _Worker[T] = _Worker(process, ours, doing)
        self.workers.append(worker)
        return worker

    def _wait(self) -> None:
        pipes = {worker.pipe: worker for worker in self.workers}
        ends = {worker.process.sentinel: worker for worker in self.workers}
        for found in wait([*pipes, *ends], self._until_deadline()):
            if isinstance(found, Connection):
                self._receive(pipes[found])
            else:
                self._bury(ends[found])  # type: ignore[index]
        if self.deadline is not None:
            now = time.monotonic()
            for worker in [w for w in self.workers if w.tasks and now - w.since > self.deadline]:
                self._bury(worker, late=True)

    def _until_deadline(self) -> float | None:
        if self.deadline is None:
            return None
        first = min(worker.since for worker in self.workers if worker.tasks)
        return max(0.0, first + self.deadline - time.monotonic()) + 0.01

    def _receive(self, worker: _Worker[T]) -> None:
        if worker in self.workers and not self._took(worker):
            self._bury(worker)

    def _took(self, worker: _Worker[T]) -> bool:
        """Take one message of a worker; False where it broke off."""
        try:
            kind, content = worker.pipe.recv()
        except (OSError, EOFError):
            return False
        if kind == "ready":
            worker.ready, self.failed_starts = True, 0
        elif kind == "unready":
            self.why_failed = content
        else:
            now = time.monotonic()
            outcome: R | Lost = content if kind == "done" else Lost(content, seconds=now - worker.since)
            self.usual += 0.2 * (now - worker.since - self.usual)
            worker.since = now
            self.finished.append((worker.tasks.popleft(), outcome))
        return True

    def _bury(self, worker: _Worker[T], late: bool = False) -> None:
        """Take a worker that is dead, or shall be, out of the pool; its first task goes with it."""
        if worker not in self.workers:
            return
        self.workers.remove(worker)
        # What it sent before it died still counts.
        while not late and worker.pipe.poll(0) and self._took(worker):
            pass
        # Read before it is killed: until then it may still be at the step that took too long.
        worker.process.join(0 if late else 1.0)
        if worker.process.exitcode is None:
            worker.process.kill()
            worker.process.join()
        code, doing = worker.process.exitcode, Doing(worker.doing[0])
        worker.pipe.close()
        worker.process.close()
        worker.doing.close()
        if worker.ready and worker.tasks:
            seconds = time.monotonic() - worker.since
            task = worker.tasks.popleft()
            if late or code == -signal.SIGALRM:
                lost = Lost(f"stopped with its worker after {seconds:.1f} s", True, doing, seconds)
            else:
                lost = Lost(f"its worker process died ({_told(code)})", False, doing, seconds)
            log.info("a worker was lost: %s", lost.message)
            self.finished.append((task, lost))
        elif not worker.ready:
            self.failed_starts += 1
            if self.failed_starts == _FAILED_STARTS:
                raise EngineError(f"worker processes don't start: {self.why_failed or _told(code)}")
        self.returned.extendleft(reversed(worker.tasks))


def _told(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


def _serve(
    function: Callable[[Any], object],
    initializer: Callable[..., None] | None,
    initargs: tuple[Any, ...],
    pipe: Connection,
    inherited: list[Connection],
    doing: mmap.mmap,
    parent: int,
) -> None:
    """The life of a worker: tasks come until the pipe is closed."""
    global _doing
    die_with_parent(parent)
    for other in inherited:
        other.close()
    # The parent is told of Ctrl-C too, and ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    _doing = doing
    try:
        if initializer is not None:
            initializer(*initargs)
    except Exception as error:
        log.exception("a worker could not start")
        pipe.send(("unready", f"{type(error).__name__}: {error}"))
        return
    with suppress(EOFError, OSError):
        pipe.send(("ready", None))
        while True:
            task = pipe.recv()
            mark(Doing.OTHER)
            pipe.send_bytes(_answer(function, task))


def _answer(function: Callable[[Any], object], task: object) -> Any:
    try:
        return ForkingPickler.dumps(("done", function(task)))
    except MemoryError:
        return ForkingPickler.dumps(("lost", "its worker ran out of memory"))
    except SuiteError as error:
        # Told to people as it is: bad input is no fault of ours.
        return ForkingPickler.dumps(("lost", str(error)))
    except Exception as error:
        log.exception("a task failed")
        return ForkingPickler.dumps(("lost", f"internal error: {type(error).__name__}: {error}"))
