"""Examine a gold file over suites: read, check, hand golds to workers, collect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from testsuite.doctor.examine import unasked
from testsuite.doctor.findings import FINDINGS
from testsuite.doctor.records import DoctorOptions, DoctorReport, Examined, GoldReport
from testsuite.errors import SuiteFileError
from testsuite.query.normal import normal_text
from testsuite.query.parse import Unparsed, parse
from testsuite.score.files import file_hash, read_gold
from testsuite.score.pool import Lost, run_tasks
from testsuite.suite import GoldNote, Manifest, check_suite
from testsuite.suite.store import MANIFEST
from testsuite.versions import tool_versions

# Loading a suite happens inside a worker's first task of a schema and must not eat into a query's own time.
_LOADING_SECONDS = 120.0


def doctor_files(
    gold: Path,
    suites: Path,
    options: DoctorOptions | None = None,
    jobs: int = 1,
    on_result: Callable[[int, int], None] | None = None,
) -> DoctorReport:
    """Examine every gold of a file on the suites of its databases.

    Args:
        gold: Spider text (``SQL<TAB>db_id``) or JSONL with id, db_id and sql.
        suites: directory with one suite folder per db_id.
        options: the gold's time budget and the instant of the clock.
        jobs: worker processes.
        on_result: called with the number of distinct golds done and their number.

    Raises:
        InputError: the gold file is wrong.
        SuiteFileError: a suite is damaged, or no gold has a suite.
    """
    from testsuite.doctor.worker import GoldTask, examine_task, start_worker

    options = options or DoctorOptions()
    lines = read_gold(gold)
    notes: dict[str, dict[str, GoldNote]] = {}
    hashes: dict[str, str] = {}
    missing: list[str] = []
    for db_id in sorted({str(line.db_id) for line in lines}):
        folder = suites / db_id
        if Path(db_id).name != db_id or not (folder / MANIFEST).is_file():
            missing.append(db_id)
            continue
        notes[db_id] = _notes(folder)
        hashes[db_id] = file_hash(folder / MANIFEST)
    if not hashes:
        raise SuiteFileError(
            f"{suites}: holds no suite for any database of {gold} ({', '.join(missing[:5])}); "
            "build them with `distill build`"
        )
    distinct = dict.fromkeys((str(line.db_id), line.sql) for line in lines)
    found: dict[tuple[str, str], Examined] = {}
    tasks: list[GoldTask] = []
    for db_id, sql in sorted(distinct):
        if db_id not in notes:
            found[db_id, sql] = unasked(f"no suite for database {db_id!r} in {suites}")
        else:
            tasks.append(GoldTask(db_id, sql, notes[db_id].get(_key(sql)), len(notes[db_id])))
    deadline = options.gold_timeout + _LOADING_SECONDS
    for task, outcome in run_tasks(examine_task, tasks, jobs, deadline, start_worker, (suites, options)):
        if isinstance(outcome, Lost):
            reason = (
                f"gold_timeout: took more than {options.gold_timeout:g} s" if outcome.timed_out else outcome.message
            )
            outcome = unasked(reason)
        found[task.db_id, task.sql] = outcome
        if on_result is not None:
            on_result(len(found), len(distinct))
    counts = Counter(line.db_id for line in lines)
    return DoctorReport(
        tuple(
            GoldReport(line.id, str(line.db_id), line.sql, line.where, found[str(line.db_id), line.sql])
            for line in lines
        ),
        tuple(finding.name for finding in FINDINGS),
        asdict(options),
        {"gold": file_hash(gold), "suites": hashes},
        tool_versions(),
        tuple(
            f"{suites}: no suite for database {db_id!r}: its {counts[db_id]} golds can't be asked" for db_id in missing
        ),
    )


def _notes(folder: Path) -> dict[str, GoldNote]:
    """What a manifest says of its golds, by canonical text."""
    data = check_suite(folder)
    try:
        manifest = Manifest.from_dict(data)
    except (KeyError, TypeError) as error:
        raise SuiteFileError(
            f"{folder / MANIFEST}: the manifest is damaged ({error!r}); build the suite again"
        ) from None
    return {_key(note.sql): note for note in manifest.golds}


def _key(sql: str) -> str:
    """The same for golds that differ only in spelling."""
    try:
        return normal_text(parse(sql))
    except Unparsed:
        return sql
