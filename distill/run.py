"""Build suites for many schemas: read the benchmark, hand each schema to a worker, collect."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from distill.build import BuildOptions, BuildOutcome, BuildTask, build_suite
from testsuite.engine.limits import GIB, confine
from testsuite.engine.session import Session
from testsuite.errors import InputError, SuiteError
from testsuite.schema.model import Schema
from testsuite.schema.sqlite_file import read_sqlite_rows, read_sqlite_schema
from testsuite.schema.tables_json import merge, read_tables_json
from testsuite.score.files import Line, read_gold
from testsuite.score.pool import Lost, run_tasks
from testsuite.suite import Row

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class BuildReport:
    """What a build made: one outcome per schema, by name, and what a person should know."""

    outcomes: tuple[BuildOutcome, ...]
    notes: tuple[str, ...]
    seconds: float


def _find_database(database: Path, db_id: str) -> Path | None:
    for name in (f"{db_id}.sqlite", f"{db_id}.db"):
        for path in (database / db_id / name, database / name):
            if path.is_file():
                return path
    return None


def _read_schema(
    database: Path, db_id: str, listed: Mapping[str, Schema]
) -> tuple[Schema, dict[str, list[Row]] | None]:
    path = _find_database(database, db_id)
    if path is None:
        return listed[db_id], None
    schema = read_sqlite_schema(path, db_id)
    if db_id in listed:
        schema = merge(schema, listed[db_id])
    return schema, read_sqlite_rows(path, schema)


def read_tasks(
    tables: Path | None,
    database: Path,
    golds: Sequence[Path],
    output: Path,
    options: BuildOptions,
    only: Sequence[str] = (),
) -> tuple[list[BuildTask], list[str]]:
    """The work of a build, one task per database that has golds, and notes for a person.

    Raises:
        InputError: a file is missing or wrong, a database is unknown, or no database file is found at all.
    """
    listed = {} if tables is None else read_tables_json(tables)
    if not database.is_dir():
        raise InputError(f"{database}: no such directory of databases (expected DIR/<db_id>/<db_id>.sqlite)")
    by_db: dict[str, list[Line]] = {}
    for path in golds:
        for line in read_gold(path):
            by_db.setdefault(str(line.db_id), []).append(line)
    wanted = list(only) or sorted(by_db)
    tasks, notes, found = [], [], 0
    for db_id in wanted:
        has_file = _find_database(database, db_id) is not None
        found += has_file
        lines = by_db.get(db_id, [])
        if not has_file and db_id not in listed:
            where = lines[0].where if lines else "--db"
            raise InputError(
                f"{where}: database {db_id!r} is neither a file {database / db_id / (db_id + '.sqlite')} nor listed in "
                f"{tables or 'a tables.json (none was given)'}"
            )
        if not has_file:
            notes.append(f"{db_id}: no database file under {database}; built from tables.json alone, without content")
        if not lines:
            raise InputError(f"--db {db_id}: no gold of {', '.join(map(str, golds))} is for this database")
        schema, shipped = _read_schema(database, db_id, listed)
        accepted = tuple(sql for line in lines for sql in (line.sql, *line.accepted))
        tasks.append(BuildTask(schema, accepted, shipped, output, options))
    if not found:
        raise InputError(
            f"{database}: holds none of the databases {', '.join(wanted[:5])} (DIR/<db_id>/<db_id>.sqlite)"
        )
    return tasks, notes


_session: Session | None = None


def _start_worker() -> None:
    global _session
    confine(6 * GIB)
    _session = Session()


def _build(task: BuildTask) -> BuildOutcome:
    assert _session is not None, "_start_worker was not called"
    started = time.perf_counter()
    try:
        return build_suite(task, _session)
    except SuiteError as error:
        return BuildOutcome(task.schema.db_id, None, time.perf_counter() - started, str(error))
    except Exception as error:
        # The one broad except of this package: one schema's fault must not take the others with it.
        log.exception("%s", task.schema.db_id)
        message = f"internal error: {type(error).__name__}: {error}"
        return BuildOutcome(task.schema.db_id, None, time.perf_counter() - started, message)


def build_suites(
    tables: Path | None,
    database: Path,
    golds: Sequence[Path],
    output: Path,
    options: BuildOptions | None = None,
    only: Sequence[str] = (),
    jobs: int = 1,
    on_outcome: Callable[[BuildOutcome, int, int], None] | None = None,
) -> BuildReport:
    """Build a suite for every database that the golds name.

    Args:
        tables: tables.json, for keys the files don't declare; None to take the files' word alone.
        database: directory holding ``<db_id>/<db_id>.sqlite``.
        golds: gold files.
        output: directory of suites.
        only: databases to build, all where empty.
        jobs: worker processes; the suites are the same for any number.
        on_outcome: called with each outcome, the number done and the number of schemas.

    Raises:
        InputError: as ``read_tasks``; nothing is built then.
    """
    started = time.perf_counter()
    tasks, notes = read_tasks(tables, database, golds, output, options or BuildOptions(), only)
    # Longest first, so that the last worker does not start a long one alone.
    tasks.sort(key=lambda task: (-len(set(task.golds)), task.schema.db_id))
    outcomes: list[BuildOutcome] = []
    for task, outcome in run_tasks(_build, tasks, min(jobs, len(tasks)), None, _start_worker):
        if isinstance(outcome, Lost):
            outcome = BuildOutcome(task.schema.db_id, None, 0.0, outcome.message)
        outcomes.append(outcome)
        if on_outcome is not None:
            on_outcome(outcome, len(outcomes), len(tasks))
    outcomes.sort(key=lambda outcome: outcome.db_id)
    return BuildReport(tuple(outcomes), tuple(notes), time.perf_counter() - started)
