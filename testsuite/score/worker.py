"""What one worker process does: hold the suites it has met, and judge one item at a time without ever raising."""

from __future__ import annotations

import logging
import resource
from dataclasses import dataclass
from pathlib import Path

from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Referee
from testsuite.engine.session import Session
from testsuite.errors import SuiteError
from testsuite.records import Fate, ItemResult
from testsuite.score.hardness import gold_hardness
from testsuite.score.judge import Judge, JudgeOptions
from testsuite.score.run import ScoreOptions, Task, judge_policy
from testsuite.suite import load_suite

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    """What all tasks of a worker share."""

    suites: str
    options: ScoreOptions


@dataclass
class _State:
    config: WorkerConfig
    session: Session | None
    judges: dict[str, Judge]


_state: _State | None = None


def start_worker(config: WorkerConfig) -> None:
    """Open this process's engines; called once in every worker."""
    global _state
    limit = 8 << 30
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    session = None if config.options.engine == "sqlite" else Session()
    _state = _State(config, session, {})


def _judge_for(state: _State, db_id: str) -> Judge:
    judge = state.judges.get(db_id)
    if judge is None:
        suite = load_suite(Path(state.config.suites) / db_id)
        options = state.config.options
        session = state.session
        if session is not None:
            session.load(suite.stack)
        evaluator = Evaluator(suite.stack, session, Referee(suite.stack), options.instant, options.engine)
        judge = Judge(
            evaluator,
            [note.id for note in suite.manifest.instances],
            suite.manifest.shipped,
            JudgeOptions(judge_policy(options), options.timeout, options.gold_timeout),
        )
        state.judges[db_id] = judge
    return judge


def score_task(task: Task) -> ItemResult:
    """Judge one item. Whatever goes wrong outside the queries is fate ``infrastructure``, never a verdict."""
    item = task.item
    assert _state is not None, "start_worker was not called"
    try:
        judge = _judge_for(_state, item.db_id)
        result = judge.judge(item, task.audit)
    except SuiteError as error:
        return ItemResult(item.id, item.db_id, Fate.INFRASTRUCTURE, None, None, message=str(error))
    except Exception as error:
        # The one broad except: a fault of ours must not take other items with it, and must not look like a verdict.
        log.exception("item %s of %s (%s)", item.id, item.db_id, item.line)
        message = f"internal error: {type(error).__name__}: {error}"
        return ItemResult(item.id, item.db_id, Fate.INFRASTRUCTURE, None, None, message=message)
    values = {name: getattr(result, name) for name in ItemResult.__dataclass_fields__}
    values["hardness"] = gold_hardness(item.gold, judge.evaluator.stack.schema)
    return ItemResult(**values)
