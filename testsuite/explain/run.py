"""All wrong items of a results directory explained in worker processes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from testsuite.engine.limits import confine
from testsuite.engine.session import Session
from testsuite.errors import InputError, SuiteError, SuiteFileError
from testsuite.explain.confirm import UNEXPLAINED
from testsuite.explain.explain import Explainer, open_explainer
from testsuite.explain.record import Explanation, FoundCause
from testsuite.records import ItemResult
from testsuite.score.databases import as_suites
from testsuite.score.judge import JudgeOptions
from testsuite.score.options import ScoreOptions
from testsuite.score.pairs import Pair
from testsuite.score.pool import Lost, run_tasks
from testsuite.score.results import Results
from testsuite.score.sources import Source, find_sources
from testsuite.suite import cache_directory, load_suite

log = logging.getLogger(__name__)

# Most of it is the loading of a suite, the queries' own budgets, and the shrinking of one content.
_SPARE_SECONDS = 180.0


@dataclass(frozen=True, slots=True)
class _Task:
    pair: Pair
    result: ItemResult


@dataclass(frozen=True)
class _Config:
    sources: Mapping[str, Source]
    options: ScoreOptions


@dataclass
class _State:
    config: _Config
    session: Session
    spare: Session
    explainers: dict[str, Explainer]


_state: _State | None = None


def wrong_items(results: Results) -> list[ItemResult]:
    """The items that the suite refused, lucky passes first, otherwise in the results' order."""
    wrong = [item for item in results.items if item.test_suite is False]
    return sorted(wrong, key=lambda item: not item.execution)


def explain_results(
    results: Results,
    suites: Path | None = None,
    ids: Iterable[str] | None = None,
    jobs: int = 1,
    on_done: Callable[[Explanation, int, int], None] | None = None,
    cache: Path | None = None,
) -> dict[str, Explanation]:
    """Why items are wrong, by their ids, in the golds' order.

    Args:
        results: a finished run with strict semantics.
        suites: the suites it was scored over; None for those that the run noted.
        ids: the items asked about; None for all wrong ones. Others are left out.
        jobs: worker processes.
        on_done: called with each explanation, the number done and the number of items.
        cache: where suites made of SQLite files are kept; None for the user's cache directory.

    Raises:
        InputError: the run has no strict verdicts or no queries, or nobody knows where its suites are.
        SuiteFileError: a suite is damaged or missing.
    """
    options = options_of(results)
    wanted = None if ids is None else set(ids)
    wrong = {item.id: item for item in wrong_items(results) if wanted is None or item.id in wanted}
    tasks = [_Task(pair, wrong[name]) for name, pair in results.pairs.items() if name in wrong]
    if not tasks:
        return {}
    config = _Config(_sources(results, suites, {task.pair.db_id for task in tasks}, jobs, cache), options)
    deadline = 3 * (options.timeout + options.gold_timeout) + _SPARE_SECONDS
    found: dict[str, Explanation] = {}
    ordered = sorted(tasks, key=lambda task: (task.pair.db_id, task.pair.golds))
    for task, outcome in run_tasks(_explain, ordered, max(1, min(jobs, len(tasks))), deadline, _start, (config,)):
        one = _unexplained(task) if isinstance(outcome, Lost) else outcome
        if isinstance(outcome, Lost):
            log.warning("item %s: %s", task.pair.id, outcome.message)
        found[task.pair.id] = one
        if on_done is not None:
            on_done(one, len(found), len(tasks))
    return {task.pair.id: found[task.pair.id] for task in tasks}


def options_of(results: Results) -> ScoreOptions:
    """The options that a run was made with; InputError where its verdicts are not strict ones on suites."""
    noted = dict(results.summary["options"])
    if noted.get("etype", "exec") == "match" or noted.get("semantics", "strict") != "strict":
        raise InputError(
            f"{results.directory}: only runs with strict semantics on suites can be explained; "
            "score without --semantics official and --etype match"
        )
    names = ("columns", "tolerance", "absolute_tolerance", "engine", "timeout", "gold_timeout", "now")
    return ScoreOptions(**{name: noted[name] for name in names if name in noted})


def _sources(
    results: Results, suites: Path | None, db_ids: Iterable[str], jobs: int, cache: Path | None
) -> Mapping[str, Source]:
    noted = results.origin.suites or results.origin.databases
    directory = suites or (Path(noted) if noted else None)
    if directory is None:
        raise InputError(f"{results.directory}: does not say which suites it was scored over; give --suite SUITES")
    if not directory.is_dir():
        raise InputError(f"{directory}: no directory of suites; give the one that was scored over as --suite SUITES")
    needed = sorted(set(db_ids))
    found = find_sources(directory, needed, take_files=True)
    missing = [db_id for db_id in needed if db_id not in found]
    if missing:
        raise SuiteFileError(f"{directory}: holds no suite for {', '.join(missing[:5])}; give the ones scored over")
    if any(source.files for source in found.values()):
        found, _ = as_suites(found, cache_directory(cache), jobs)
    return found


def _start(config: _Config) -> None:
    global _state
    confine()
    _state = _State(config, Session(), Session(), {})


def _explain(task: _Task) -> Explanation:
    assert _state is not None, "_start was not called"
    options = _state.config.options
    try:
        explainer = _state.explainers.get(task.pair.db_id)
        if explainer is None:
            suite = load_suite(_state.config.sources[task.pair.db_id].folder)
            limits = JudgeOptions(options.policy, options.timeout, options.gold_timeout)
            explainer = open_explainer(suite, _state.session, _state.spare, options.instant, options.policy, limits)
            _state.explainers[task.pair.db_id] = explainer
        return explainer.explain(task.pair, task.result)
    except SuiteError as error:
        log.warning("item %s: %s", task.pair.id, error)
        return _unexplained(task)
    except Exception:
        # The one broad except: a fault of ours must not take other items with it.
        log.exception("item %s of %s", task.pair.id, task.pair.db_id)
        return _unexplained(task)


def _unexplained(task: _Task) -> Explanation:
    cause = FoundCause(UNEXPLAINED, False, None)
    return Explanation(task.pair.id, task.pair.db_id, bool(task.result.execution), (cause,), None)
