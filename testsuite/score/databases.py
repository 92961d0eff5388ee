"""Score over directories of SQLite files: made into suites when first asked for, and kept in a cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from testsuite.errors import SuiteFileError
from testsuite.score.pool import Lost, run_tasks
from testsuite.score.sources import Source
from testsuite.suite import cached_folder, fill_cache, is_cached


@dataclass(frozen=True, slots=True)
class _Making:
    cache: Path
    db_id: str
    source: Source


def _make(task: _Making) -> None:
    fill_cache(task.cache, task.db_id, task.source.importable, task.source.digest)


def as_suites(sources: Mapping[str, Source], cache: Path, jobs: int) -> tuple[dict[str, Source], int]:
    """The sources with suites in place of SQLite files, and how many suites had to be made.

    Raises:
        InputError: a file is damaged or has other tables than its neighbours, or the cache cannot be written.
        SuiteFileError: a suite could not be made.
    """
    found: dict[str, Source] = {}
    missing: list[_Making] = []
    for db_id, source in sources.items():
        found[db_id] = source
        if source.files:
            if not source.importable:
                raise SuiteFileError(f"{source.folder}: no file there ends in .sqlite")
            folder = cached_folder(cache, db_id, source.digest)
            found[db_id] = replace(
                source, folder=folder, count=len(source.importable), files=(), shipped=source.shipped_file
            )
            if not is_cached(folder, db_id, source.digest):
                missing.append(_Making(cache, db_id, source))
    missing.sort(key=lambda task: -task.source.count)
    if missing:
        for task, outcome in run_tasks(_make, missing, min(jobs, len(missing)), None):
            if isinstance(outcome, Lost):
                raise SuiteFileError(f"{task.source.folder}: could not be read: {outcome.message}")
    return found, len(missing)
