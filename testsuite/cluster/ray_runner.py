"""Tasks on an existing Ray cluster (https://docs.ray.io): one actor per CPU, each with a worker process of its own.

The actor only supervises. Queries run in the worker process of ``testsuite.scorer.crew``, confined and killed as on
one machine, so that a hostile query costs its item and never the actor.
"""

from __future__ import annotations

import importlib
import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from testsuite.cluster.shipping import arrived, machine_root, pack, place_of, unpack
from testsuite.errors import InputError
from testsuite.records import ItemResult
from testsuite.score.pool import Lost
from testsuite.score.run import Task
from testsuite.score.worker import WorkerConfig
from testsuite.scorer.crew import Crew

# Tasks of a batch go to one actor; two batches are with it at a time, so that it need not wait for the next.
_BATCH = 16
_AHEAD = 2


class _Supervisor:
    """What an actor does: unpack suites where the machine lacks them, and pass tasks to its worker process."""

    def __init__(self, config: WorkerConfig, parcels: Mapping[str, Any], deadline: float) -> None:
        ray = _ray()
        root = machine_root()
        for db_id, source in config.sources.items():
            if not place_of(source, root).is_dir():
                unpack(ray.get(parcels[db_id]), root)
        self._scratch = tempfile.TemporaryDirectory(prefix="testsuite-score-")
        sources = {db_id: arrived(source, root) for db_id, source in config.sources.items()}
        here = replace(config, sources=sources, scratch=Path(self._scratch.name))
        self._crew = Crew(here, 1, lambda _: deadline)

    def score(self, tasks: list[Task]) -> list[ItemResult | Lost]:
        """The outcome of each task, in their order."""
        return [future.result() for future in self._crew.submit(tasks)]


def _ray() -> Any:
    # Its types are not the same from one version to the next, and it need not be there.
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise InputError("--executor ray needs Ray, which is not installed: pip install ray") from None


def _connect(ray: Any) -> None:
    if ray.is_initialized():
        return
    address = os.environ.get("RAY_ADDRESS", "auto")
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise InputError(
            f"no Ray cluster at {address!r}: {str(error).splitlines()[0]}; start one (`ray start --head`), or set "
            "RAY_ADDRESS"
        ) from error


def run_on_ray(
    tasks: Sequence[Task],
    config: WorkerConfig,
    deadline: float,
    known: Callable[[Task], ItemResult | Lost | None],
) -> Iterator[tuple[Task, ItemResult | Lost]]:
    """Run tasks on the cluster at RAY_ADDRESS, or the one this machine is part of; results come as they finish.

    Args:
        tasks: in the order in which they shall be handed out.
        config: what all tasks share. Suites are put into the cluster's object store, and unpacked once per machine.
        deadline: seconds one task may take before its worker process is killed.
        known: asked just before a task is handed out; a result it has is the task's, and nothing is run.

    Yields:
        The task with its result, or with ``Lost`` where its worker, actor or machine died. No task is tried twice.

    Raises:
        InputError: Ray is not installed, or there is no cluster.
    """
    ray = _ray()
    _connect(ray)
    parcels = {db_id: ray.put(pack(source)) for db_id, source in config.sources.items()}
    shared = ray.put(config)
    count = max(1, min(int(ray.cluster_resources().get("CPU", 1)), -(-len(tasks) // _BATCH)))
    # Nothing of an actor is begun again: what it was at may be what ended it.
    actor = ray.remote(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")(_Supervisor)
    crew = [actor.remote(shared, parcels, deadline) for _ in range(count)]
    waiting = deque(tasks)
    running: dict[Any, tuple[Any, list[Task]]] = {}
    free = deque(one for one in crew for _ in range(_AHEAD))
    try:
        while waiting or running:
            while waiting and free:
                batch: list[Task] = []
                while waiting and len(batch) < _BATCH:
                    task = waiting.popleft()
                    answer = known(task)
                    if answer is None:
                        batch.append(task)
                    else:
                        yield task, answer
                if batch:
                    one = free.popleft()
                    running[one.score.remote(batch)] = (one, batch)
            if not running:
                if waiting:
                    # No actor is left: what waits has no machine.
                    yield from ((task, Lost("all actors of the Ray cluster died")) for task in waiting)
                return
            for done in ray.wait(list(running), num_returns=1)[0]:
                one, batch = running.pop(done)
                try:
                    outcomes = ray.get(done)
                except ray.exceptions.RayError as error:
                    lines = str(error).splitlines()
                    lost = Lost(f"its Ray actor died ({lines[0] if lines else type(error).__name__})")
                    free = deque(other for other in free if other is not one)
                    yield from ((task, lost) for task in batch)
                    continue
                free.append(one)
                yield from zip(batch, outcomes, strict=True)
    finally:
        for one in crew:
            ray.kill(one)
