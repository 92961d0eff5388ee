"""Worker processes: the only module of the package that starts any.

Every task has a deadline; a task that passes it costs its worker, never its neighbours. Workers are forked before any
DuckDB connection exists here, and log through multiprocessing-logging.
"""

from __future__ import annotations

import logging
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, TimeoutError, wait
from dataclasses import dataclass
from typing import Any, TypeVar

import multiprocessing_logging
from pebble import ProcessExpired, ProcessPool

T = TypeVar("T")
R = TypeVar("R")

# Enough tasks in flight to keep workers busy, few enough that a stop is quick.
_IN_FLIGHT_PER_WORKER = 8


@dataclass(frozen=True, slots=True)
class Lost:
    """A task has no result: its worker was killed at the deadline (``timed_out``) or died."""

    message: str
    timed_out: bool = False


def run_tasks(
    function: Callable[[T], R],
    tasks: Sequence[T],
    jobs: int,
    deadline: float | None,
    initializer: Callable[..., None] | None = None,
    initargs: tuple[Any, ...] = (),
) -> Iterator[tuple[T, R | Lost]]:
    """Run ``function`` on every task in ``jobs`` processes; results come as they finish.

    Args:
        function: a module-level function that never raises for bad tasks.
        deadline: seconds one task may take before its worker is killed; None for none.
        initializer: called once in every worker.

    Yields:
        The task with its result, or with ``Lost``. No task is tried twice.
    """
    context = multiprocessing.get_context("fork")
    if multiprocessing.get_start_method(allow_none=True) is None:
        multiprocessing.set_start_method("fork")
    _share_logging()
    pool = ProcessPool(max_workers=jobs, initializer=initializer, initargs=initargs, context=context)
    pending: dict[Future[R], T] = {}
    remaining = iter(tasks)
    try:
        exhausted = False
        while not exhausted or pending:
            while not exhausted and len(pending) < jobs * _IN_FLIGHT_PER_WORKER:
                try:
                    task = next(remaining)
                except StopIteration:
                    exhausted = True
                    break
                pending[pool.schedule(function, args=(task,), timeout=deadline)] = task
            if not pending:
                break
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                finished = pending.pop(future)
                outcome: R | Lost = _outcome(future)
                yield finished, outcome
        pool.close()
        pool.join()
    finally:
        if pool.active:
            pool.stop()
            pool.join()


def _share_logging() -> None:
    """Let workers log through this process's handlers; a handler is wrapped once, however many pools come."""
    handlers = logging.getLogger().handlers
    wrapped = any(isinstance(handler, multiprocessing_logging.MultiProcessingHandler) for handler in handlers)
    if handlers and not wrapped and multiprocessing.get_start_method() == "fork":
        multiprocessing_logging.install_mp_handler()


def _outcome(future: Future[R]) -> R | Lost:
    try:
        return future.result()
    except TimeoutError:
        return Lost("killed at its deadline", timed_out=True)
    except ProcessExpired as error:
        return Lost(f"its worker process died (exit code {error.exitcode})")
    except MemoryError:
        return Lost("its worker ran out of memory")
