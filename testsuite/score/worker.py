"""What one worker process does: hold the suites it has met, and judge one item at a time without ever raising."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from testsuite.engine.limits import confine
from testsuite.engine.session import Session
from testsuite.errors import SuiteError
from testsuite.official import ReadOnlyFiles, bird_scores
from testsuite.records import Fate, Item, ItemResult
from testsuite.score.accepted import judge_accepted
from testsuite.score.exact import MatchTables, tables_of_schema, with_match
from testsuite.score.guard import Guard, deadly, unguarded
from testsuite.score.judge import Judge, JudgeOptions, open_judge
from testsuite.score.logs import about
from testsuite.score.official_judge import OfficialJudge, open_instances, shipped_file
from testsuite.score.options import ScoreOptions
from testsuite.score.plugging import judge_plugged
from testsuite.score.pool import Doing
from testsuite.score.run import Task
from testsuite.score.sources import Source, source_schema
from testsuite.suite import Stack, load_suite

log = logging.getLogger(__name__)

# Bytes of suites that a worker holds, by the estimate of ``_bytes``. Items come ordered by database, so that one of
# which there is no more to come is the first to go.
_HELD_BYTES = 256 << 20
_SQLITE_BYTES = 80_000
_COPIES = 4


@dataclass(frozen=True)
class WorkerConfig:
    """What all tasks of a run share.

    ``tables`` are those of a tables.json by db_id, empty where none was given; suites are written as SQLite files
    under ``scratch`` where the semantics ask for them.
    """

    options: ScoreOptions
    sources: Mapping[str, Source]
    tables: Mapping[str, MatchTables]
    scratch: Path


@dataclass(frozen=True)
class _Desk:
    """All that is needed for the items of one database. No judge where nothing is run.

    ``shipped`` is the file of the shipped instance where one is asked for, and there is one.
    """

    judge: Judge | OfficialJudge | None
    tables: MatchTables
    shipped: Path | None = None
    size: int = 0


@dataclass
class WorkerState:
    """Engines, and the suites met of late: least recently used first, at most ``held`` bytes. For one thread."""

    config: WorkerConfig
    session: Session | None
    files: ReadOnlyFiles
    bird_files: ReadOnlyFiles
    desks: OrderedDict[str, _Desk] = field(default_factory=OrderedDict)
    guard: Guard = unguarded
    held: int = _HELD_BYTES


_state: WorkerState | None = None


def start_worker(config: WorkerConfig) -> None:
    """Open this process's engines; called once in every worker."""
    global _state
    options = config.options
    # Official rules run on files, which are written where a suite has none.
    confine(writes_files=options.semantics == "official" or options.bird)
    _state = open_state(config, deadly)


def open_state(config: WorkerConfig, guard: Guard = unguarded) -> WorkerState:
    """Engines with no suite loaded yet. Sets no limits on the process; ``guard`` as for ``Judge``."""
    options = config.options
    stacked = options.executes and options.semantics == "strict" and options.engine != "sqlite"
    session = Session() if stacked else None
    files = ReadOnlyFiles(guard=lambda gold, seconds: guard(Doing.GOLD if gold else Doing.PREDICTION, seconds))
    return WorkerState(config, session, files, ReadOnlyFiles(strict_text=True), guard=guard)


def _open_desk(state: WorkerState, db_id: str) -> _Desk:
    options, tables = state.config.options, state.config.tables.get(db_id)
    if not options.executes:
        return _Desk(None, tables or tables_of_schema(source_schema(state.config.sources[db_id])))
    source = state.config.sources[db_id]
    if options.semantics == "official":
        instances = open_instances(source, state.config.scratch)
        judge = OfficialJudge(instances, state.files, options.keep_distinct, options.plug_value, options.timeout)
        return _Desk(judge, tables or tables_of_schema(instances.schema), instances.shipped)
    suite = load_suite(source.folder)
    limits = JudgeOptions(options.policy, options.timeout, options.gold_timeout)
    strict = open_judge(suite, state.session, options.instant, limits, options.engine, state.guard)
    shipped = shipped_file(source, suite, state.config.scratch) if options.bird else None
    return _Desk(strict, tables or tables_of_schema(suite.stack.schema), shipped, _bytes(suite.stack))


def _bytes(stack: Stack) -> int:
    """About what a suite comes to in memory: its columns here and in DuckDB, and a SQLite database per instance."""
    columns = sum(int(column.nbytes) for table in stack.tables for column in table.columns)
    return _COPIES * columns + stack.count * _SQLITE_BYTES


def _desk(state: WorkerState, db_id: str) -> _Desk:
    desk = state.desks.get(db_id)
    if desk is None:
        log.info("opening %s", db_id)
        desk = state.desks[db_id] = _open_desk(state, db_id)
        size = sum(other.size for other in state.desks.values())
        while size > state.held and len(state.desks) > 1:
            name, oldest = state.desks.popitem(last=False)
            size -= oldest.size
            _close_desk(state, name, oldest)
    state.desks.move_to_end(db_id)
    return desk


def _close_desk(state: WorkerState, db_id: str, desk: _Desk) -> None:
    if isinstance(desk.judge, Judge):
        log.info("closing %s", db_id)
        desk.judge.evaluator.referee.close()
        if state.session is not None:
            state.session.unload(db_id)


def _executed(desk: _Desk, item: Item, audit: bool, plug_value: bool) -> ItemResult:
    match desk.judge:
        case None:
            return ItemResult(item.id, item.db_id, Fate.OK, None, None)
        case OfficialJudge() as judge:
            return judge.judge(item)
        case judge if plug_value:
            return judge_plugged(judge, item, audit)
        case judge:
            return judge.judge(item, audit)


def _with_bird(result: ItemResult, item: Item, shipped: Path | None, state: WorkerState) -> ItemResult:
    if shipped is None:
        return result
    scores = bird_scores(shipped, item.gold, item.prediction, state.bird_files, state.config.options.timeout)
    flags = (*result.flags, "bird_gold_failed") if scores.gold_failed else result.flags
    return replace(result, bird_ex=scores.ex, bird_soft_f1=scores.soft_f1, flags=flags)


def _judged(state: WorkerState, desk: _Desk, task: Task) -> ItemResult:
    options = state.config.options

    def against(item: Item) -> ItemResult:
        result = with_match(_executed(desk, item, task.audit, options.plug_value), item, desk.tables, options)
        return _with_bird(result, item, desk.shipped, state) if options.bird else result

    return judge_accepted(task.item, options, against)


def score_task(task: Task) -> ItemResult:
    """Judge one item. Whatever goes wrong outside the queries is fate ``infrastructure``, never a verdict."""
    assert _state is not None, "start_worker was not called"
    with about(task.item.id, task.item.db_id):
        return score_in(_state, task)


def score_in(state: WorkerState, task: Task) -> ItemResult:
    """The same, with the given engines."""
    item = task.item
    try:
        result = _judged(state, _desk(state, item.db_id), task)
        log.debug("%s in %.3f s %s", result.fate, result.seconds, result.message)
        return result
    except SuiteError as error:
        return ItemResult(item.id, item.db_id, Fate.INFRASTRUCTURE, None, None, message=str(error))
    except Exception as error:
        # The one broad except: a fault of ours must not take other items with it, and must not look like a verdict.
        log.exception("a fault of ours (%s)", item.line)
        message = f"internal error: {type(error).__name__}: {error}"
        return ItemResult(item.id, item.db_id, Fate.INFRASTRUCTURE, None, None, message=message)
