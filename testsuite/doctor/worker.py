"""What one worker process does: hold the suites it has met, and examine one gold at a time without ever raising."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from testsuite.doctor.contents import Contents
from testsuite.doctor.examine import examine, unasked
from testsuite.doctor.records import DoctorOptions, Examined
from testsuite.engine.limits import confine
from testsuite.engine.session import Session
from testsuite.errors import SuiteError
from testsuite.score.judge import Judge, JudgeOptions, open_judge
from testsuite.suite import GoldNote, load_suite

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GoldTask:
    """One distinct gold of a database, with what its suite's manifest says of it."""

    db_id: str
    sql: str
    note: GoldNote | None
    suite_golds: int


@dataclass
class _State:
    suites: Path
    options: DoctorOptions
    session: Session
    opened: dict[str, tuple[Judge, Contents]]


_state: _State | None = None


def start_worker(suites: Path, options: DoctorOptions) -> None:
    """Open this process's engines; called once in every worker."""
    global _state
    confine(writes_files=False)
    _state = _State(suites, options, Session(), {})


def _open(state: _State, db_id: str) -> tuple[Judge, Contents]:
    opened = state.opened.get(db_id)
    if opened is None:
        suite = load_suite(state.suites / db_id)
        limits = JudgeOptions(gold_timeout=state.options.gold_timeout)
        judge = open_judge(suite, state.session, state.options.instant, limits)
        opened = state.opened[db_id] = (judge, Contents(suite.stack, suite.manifest.shipped))
    return opened


def examine_task(task: GoldTask) -> Examined:
    """Examine one gold. A fault outside the query makes it unscorable; it is never raised."""
    assert _state is not None, "start_worker was not called"
    try:
        judge, contents = _open(_state, task.db_id)
        return examine(judge, contents, task.sql, task.note, task.suite_golds)
    except SuiteError as error:
        return unasked(str(error))
    except Exception as error:
        # The one broad except: a fault of ours must not take other golds with it, and must be seen.
        log.exception("gold of %s: %s", task.db_id, task.sql)
        return unasked(f"internal error: {type(error).__name__}: {error}")
