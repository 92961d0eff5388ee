"""Score a prediction file over suites: read, check, hand items to workers, collect, summarise."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from testsuite.compare import Policy
from testsuite.errors import InputError, SuiteFileError
from testsuite.records import Fate, Item, ItemResult
from testsuite.score.files import file_hash, read_items
from testsuite.score.pool import Lost, run_tasks
from testsuite.score.results import ResultsWriter, null_results, open_results
from testsuite.score.summary import summarise
from testsuite.suite import check_suite
from testsuite.suite.store import MANIFEST
from testsuite.versions import tool_versions

log = logging.getLogger(__name__)

# Loading a suite happens inside a worker's first task of a schema and must not eat into a query's own time.
_LOADING_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Everything that can change a verdict.

    Attributes:
        columns: any | strict | name: how result columns are matched.
        engine: auto (stacked DuckDB, SQLite where that can't keep the meaning) | duckdb (the same) | sqlite.
        timeout: seconds one prediction may take over all instances of its suite.
        gold_timeout: the same for a gold.
        audit: share of items, 0 to 1, whose queries run on SQLite too.
        now: ISO instant that date functions see as now.
    """

    columns: str = "any"
    engine: str = "auto"
    timeout: float = 30.0
    gold_timeout: float = 120.0
    audit: float = 0.0
    now: str = "2020-01-01T00:00:00"

    def __post_init__(self) -> None:
        if not 0 <= self.audit <= 1:
            raise InputError(f"--audit {self.audit}: a share between 0 and 1 is expected")
        if self.timeout <= 0 or self.gold_timeout <= 0:
            raise InputError("timeouts must be above 0 seconds")

    @property
    def instant(self) -> datetime:
        return datetime.fromisoformat(self.now)


@dataclass(frozen=True, slots=True)
class Task:
    """One item with all a worker must know that differs from item to item."""

    item: Item
    audit: bool


@dataclass(frozen=True)
class ScoreReport:
    """A finished run: its records in the golds' order, and the content of summary.json."""

    results: tuple[ItemResult, ...]
    summary: dict[str, object]
    notes: tuple[str, ...] = field(default=())


def _audited(item: Item, share: float) -> bool:
    digest = hashlib.sha256(f"{item.db_id}\0{item.id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64


def _lost(item: Item, lost: Lost, options: ScoreOptions) -> ItemResult:
    if lost.timed_out:
        message = f"stopped with its worker after more than {options.timeout:g} s"
        return ItemResult(item.id, item.db_id, Fate.PREDICTION_TIMEOUT, False, False, message=message)
    return ItemResult(item.id, item.db_id, Fate.INFRASTRUCTURE, None, None, message=lost.message)


def score_files(
    gold: Path,
    prediction: Path,
    suites: Path,
    options: ScoreOptions | None = None,
    jobs: int = 1,
    output: Path | None = None,
    on_result: Callable[[ItemResult, int, int], None] | None = None,
) -> ScoreReport:
    """Score every prediction of a file over the suites of its databases.

    Args:
        gold: Spider text (``SQL<TAB>db_id``) or JSONL with id, db_id and sql.
        prediction: one prediction per gold, in the same order, or JSONL matched by id.
        suites: directory with one suite folder per db_id.
        options: policies and budgets.
        jobs: worker processes.
        output: results directory; an interrupted run of the same question is taken up. None keeps nothing.
        on_result: called with each record, the number done and the number of items.

    Raises:
        InputError: a file is wrong or does not line up with the other; no item is scored then.
        SuiteFileError: a suite is damaged, or no item has a suite.
    """
    from testsuite.score.worker import WorkerConfig, score_task, start_worker

    options = options or ScoreOptions()
    items = read_items(gold, prediction)
    needed = sorted({item.db_id for item in items})
    hashes: dict[str, str] = {}
    missing: list[str] = []
    for db_id in needed:
        folder = suites / db_id
        if Path(db_id).name != db_id or not (folder / MANIFEST).is_file():
            missing.append(db_id)
            continue
        check_suite(folder)
        hashes[db_id] = file_hash(folder / MANIFEST)
    if not hashes:
        raise SuiteFileError(
            f"{suites}: holds no suite for any database of {gold} ({', '.join(needed[:5])}); "
            "build them with `distill build`"
        )
    counts = Counter(item.db_id for item in items)
    notes = tuple(
        f"{suites}: no suite for database {db_id!r}: its {counts[db_id]} items (the first is "
        f"{next(i.line for i in items if i.db_id == db_id)}) are not scored"
        for db_id in missing
    )
    inputs = {"gold": file_hash(gold), "predictions": file_hash(prediction), "suites": hashes}
    versions = tool_versions()
    writer = (
        null_results()
        if output is None
        else open_results(output, {"inputs": inputs, "options": asdict(options), "versions": versions})
    )
    _run(items, set(missing), suites, options, jobs, writer, on_result, WorkerConfig, score_task, start_worker)
    results = tuple(writer.done[item.id] for item in items)
    summary = summarise(results, asdict(options), inputs, versions)
    if output is not None:
        writer.finish(summary)
    return ScoreReport(results, summary, notes)


def _run(
    items: list[Item],
    missing: set[str],
    suites: Path,
    options: ScoreOptions,
    jobs: int,
    writer: ResultsWriter,
    on_result: Callable[[ItemResult, int, int], None] | None,
    config_type: type,
    score_task: Callable[[Task], ItemResult],
    start_worker: Callable[..., None],
) -> None:
    def report(result: ItemResult) -> None:
        writer.add(result)
        if on_result is not None:
            on_result(result, len(writer.done), len(items))

    pending: list[Task] = []
    for item in items:
        if item.id in writer.done:
            continue
        if item.db_id in missing:
            message = f"no suite for database {item.db_id!r} in {suites}"
            report(ItemResult(item.id, item.db_id, Fate.INFRASTRUCTURE, None, None, message=message))
        else:
            pending.append(Task(item, _audited(item, options.audit)))
    if not pending:
        return
    # Items of one schema, and of one gold in it, stand together: a worker loads a suite and asks a gold once.
    pending.sort(key=lambda task: (task.item.db_id, task.item.gold))
    deadline = options.timeout + options.gold_timeout + _LOADING_SECONDS
    config = config_type(str(suites), options)
    for task, outcome in run_tasks(score_task, pending, jobs, deadline, start_worker, (config,)):
        report(_lost(task.item, outcome, options) if isinstance(outcome, Lost) else outcome)


def judge_policy(options: ScoreOptions) -> Policy:
    """The comparison policy that score options ask for."""
    return Policy(columns=options.columns)


def utc_now() -> str:
    """The present instant, UTC, whole seconds, ISO."""
    return datetime.now(UTC).replace(microsecond=0, tzinfo=None).isoformat()
