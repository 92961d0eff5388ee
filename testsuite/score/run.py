"""Score a prediction file over suites: read, check, hand items to workers, collect, summarise."""

from __future__ import annotations

import hashlib
import logging
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from testsuite.errors import InputError, SuiteFileError
from testsuite.records import Fate, Item, ItemResult
from testsuite.score.databases import as_suites
from testsuite.score.exact import MatchTables, tables_of_file, tables_of_schema, with_match
from testsuite.score.files import file_hash, read_pairs
from testsuite.score.options import ScoreOptions
from testsuite.score.pairs import Origin, write_origin
from testsuite.score.pool import Doing, Lost, run_tasks
from testsuite.score.results import ResultsWriter, null_results, open_results
from testsuite.score.sources import Source, find_sources, source_schema
from testsuite.score.summary import summarise
from testsuite.suite import cache_directory
from testsuite.versions import tool_versions

if TYPE_CHECKING:
    from testsuite.score.worker import WorkerConfig

log = logging.getLogger(__name__)

# Loading a suite happens inside a worker's first task of a schema and must not eat into a query's own time.
_LOADING_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Task:
    """One item with all a worker must know that differs from item to item."""

    item: Item
    audit: bool


Runner = Callable[
    [Sequence[Task], "WorkerConfig", float, Callable[[Task], "ItemResult | Lost | None"]],
    Iterator[tuple[Task, "ItemResult | Lost"]],
]
"""Runs tasks elsewhere: (tasks, what they share, seconds for each, what is known of one beforehand)."""


@dataclass(frozen=True)
class ScoreReport:
    """A finished run: its records in the golds' order, and the content of summary.json."""

    results: tuple[ItemResult, ...]
    summary: dict[str, object]
    notes: tuple[str, ...] = field(default=())


def audited(item: Item, share: float) -> bool:
    """Whether an item is among the share that is audited: the same items on every run."""
    digest = hashlib.sha256(f"{item.db_id}\0{item.id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64


def with_context(result: ItemResult, item: Item) -> ItemResult:
    """The record with what its item says of itself."""
    flags = (*result.flags, "gold_joined") if item.gold_joined else result.flags
    return replace(result, difficulty=item.difficulty, interaction=item.interaction, turn=item.turn, flags=flags)


def lost_result(item: Item, lost: Lost, options: ScoreOptions) -> ItemResult:
    """The record of an item whose worker was killed or died."""
    seconds = round(lost.seconds, 6)
    if lost.timed_out and lost.doing is Doing.PREDICTION:
        message = f"the prediction was stopped with its worker: more than {options.timeout:g} s, and no end"
        return ItemResult(item.id, item.db_id, Fate.PREDICTION_TIMEOUT, False, False, message=message, seconds=seconds)
    if lost.timed_out and lost.doing is Doing.GOLD:
        message = f"the gold was stopped with its worker: more than {options.gold_timeout:g} s, and no end"
        return ItemResult(item.id, item.db_id, Fate.GOLD_TIMEOUT, None, None, message=message, seconds=seconds)
    return ItemResult(item.id, item.db_id, Fate.INFRASTRUCTURE, None, None, message=lost.message, seconds=seconds)


def score_files(
    gold: Path,
    prediction: Path,
    suites: Path | None,
    options: ScoreOptions | None = None,
    jobs: int = 1,
    output: Path | None = None,
    on_result: Callable[[ItemResult, int, int], None] | None = None,
    tables: Path | None = None,
    databases: Path | None = None,
    cache: Path | None = None,
    runner: Runner | None = None,
) -> ScoreReport:
    """Score every prediction of a file over the suites of its databases.

    Args:
        gold: golds in one of the forms of ``testsuite.score.files``.
        prediction: one prediction per gold, in the same order, or JSON matched by id.
        suites: directory with one suite folder per db_id, or (official semantics, and exact set match alone) with
            ``<db_id>/<db_id>*.sqlite``. May be None for exact set match alone with ``tables``.
        options: policies and budgets.
        jobs: worker processes.
        output: results directory; an interrupted run of the same question is taken up. None keeps nothing.
        on_result: called with each record, the number done and the number of items.
        tables: tables.json, for exact set match and hardness; the suites' own schemas where None.
        databases: in place of ``suites``, a directory of SQLite files, ``<db_id>/*.sqlite``. Official semantics
            runs on them; for strict ones they are made into suites once.
        cache: where those suites are kept; None for the user's cache directory.
        runner: runs the tasks elsewhere, in place of ``jobs`` processes of this machine.

    Raises:
        InputError: a file is wrong or does not line up with the other; no item is scored then.
        SuiteFileError: a suite is damaged, or no item has a suite.
    """
    from testsuite.score.worker import WorkerConfig

    options = options or ScoreOptions()
    origin = Origin(_absolute(gold), _absolute(prediction), _absolute(suites), _absolute(databases), _absolute(tables))
    pairs = read_pairs(gold, prediction, first_field=options.semantics == "official")
    items = list(pairs.items)
    options = replace(options, bird=options.executes and (options.bird or pairs.bird))
    needed = sorted({item.db_id for item in items})
    listed = {} if tables is None else _listed_tables(tables, items)
    sources: dict[str, Source] = {}
    missing: list[str] = []
    notes: list[str] = []
    if options.executes or tables is None:
        if suites is not None and databases is not None:
            raise InputError("give suites (--suite) or SQLite files (--db), not both")
        suites, in_files = suites or databases, databases is not None
        if suites is None:
            raise InputError("a directory of suites is needed; for --etype match alone, --tables will do")
        runs_on_files = options.semantics == "official" or not options.executes
        sources = find_sources(suites, needed, take_files=in_files or runs_on_files)
        missing = [db_id for db_id in needed if db_id not in sources]
        if in_files and not runs_on_files:
            sources, made = as_suites(sources, cache_directory(cache), jobs)
            notes += _notes_of_import(suites, sources, made, cache_directory(cache))
        if not sources:
            raise SuiteFileError(
                f"{suites}: holds no suite for any database of {gold} ({', '.join(needed[:5])}); "
                "build them with `distill build`"
            )
    counts = Counter(item.db_id for item in items)
    notes += [
        f"{suites}: no suite for database {db_id!r}: its {counts[db_id]} items (the first is "
        f"{next(i.line for i in items if i.db_id == db_id)}) are not scored"
        for db_id in missing
    ]
    if options.matches and tables is None:
        notes.append(
            "exact set match takes foreign keys from the suites' schemas, in the order of tables; for published "
            "figures give --tables tables.json, whose order the published script goes by"
        )
    inputs: dict[str, object] = {
        "gold": file_hash(gold),
        "predictions": file_hash(prediction),
        "suites": {db_id: source.digest for db_id, source in sources.items()},
        "tables": None if tables is None else file_hash(tables),
    }
    versions = tool_versions()
    writer = (
        null_results()
        if output is None
        else open_results(output, {"inputs": inputs, "options": options.deciding(), "versions": versions})
    )
    if output is not None:
        write_origin(output, items, origin)
    with closing(writer), tempfile.TemporaryDirectory(prefix="testsuite-score-") as scratch:
        config = WorkerConfig(options, sources, listed, Path(scratch))
        _run(items, set(missing), f"in {suites}", config, jobs, writer, on_result, runner)
    results = tuple(writer.done[item.id] for item in items)
    summary = summarise(results, options.deciding(), inputs, versions)
    if output is not None:
        writer.finish(summary, [item.id for item in items])
    return ScoreReport(results, summary, tuple(notes))


def _absolute(path: Path | None) -> str | None:
    return None if path is None else str(path.absolute())


def _notes_of_import(directory: Path, sources: Mapping[str, Source], made: int, cache: Path) -> list[str]:
    notes = []
    if made:
        notes.append(f"{directory}: the SQLite files of {made} databases were made into suites, kept in {cache}")
    single = [db_id for db_id, source in sources.items() if source.count == 1]
    if single:
        notes.append(
            f"{directory}: one instance each for {', '.join(single[:5])}{' ..' if len(single) > 5 else ''}: "
            "test-suite accuracy is no more than execution accuracy there; `distill build` makes suites"
        )
    return notes


def _listed_tables(path: Path, items: list[Item]) -> Mapping[str, MatchTables]:
    listed = tables_of_file(path)
    for item in items:
        if item.db_id not in listed:
            raise InputError(f"{path}: has no database {item.db_id!r}, which the item at {item.line} is for")
    return listed


def item_deadline(config: WorkerConfig, most_golds: int) -> float:
    """Seconds after which a worker is taken to hang: more than all budgets of one item together."""
    options = config.options
    if options.semantics == "official":
        # The gold may take its time on every file, and each pair is asked twice, on all files and on one.
        count = max((source.count for source in config.sources.values()), default=0)
        return most_golds * options.timeout * (count + 8) + _LOADING_SECONDS
    each = options.timeout + options.gold_timeout
    if options.plug_value:
        # The gold is asked on one more instance, and the last filled query may begin when the time is over.
        each += 2 * options.timeout + options.gold_timeout
    if options.bird:
        each += options.timeout
    return most_golds * each + _LOADING_SECONDS


def _run(
    items: list[Item],
    missing: set[str],
    where: str,
    config: WorkerConfig,
    jobs: int,
    writer: ResultsWriter,
    on_result: Callable[[ItemResult, int, int], None] | None,
    runner: Runner | None,
) -> None:
    from testsuite.score.worker import score_task, start_worker

    options = config.options

    def report(item: Item, result: ItemResult) -> None:
        result = with_context(result, item)
        writer.add(result)
        if on_result is not None:
            on_result(result, len(writer.done), len(items))

    pending: list[Task] = []
    for item in items:
        if item.id in writer.done:
            continue
        if item.db_id in missing:
            message = f"no suite for database {item.db_id!r} {where}"
            result = ItemResult(item.id, item.db_id, Fate.INFRASTRUCTURE, None, None, message=message)
            known = config.tables.get(item.db_id)
            report(item, result if known is None else with_match(result, item, known, options))
        else:
            pending.append(Task(item, audited(item, options.audit)))
    if not pending:
        return
    # Items of one schema, and of one gold in it, stand together: a worker loads a suite and asks a gold once.
    pending.sort(key=lambda task: (task.item.db_id, task.item.gold))
    deadline = item_deadline(config, 1 + max(len(task.item.accepted) for task in pending))
    endless: dict[tuple[str, str], Lost] = {}

    def known_lost(task: Task) -> ItemResult | Lost | None:
        # A gold that cost one worker must not cost another for every item it has.
        return endless.get((task.item.db_id, task.item.gold))

    if runner is None:
        outcomes = run_tasks(score_task, pending, jobs, deadline, start_worker, (config,), known_lost)
    else:
        outcomes = runner(pending, config, deadline, known_lost)
    try:
        for task, outcome in outcomes:
            if isinstance(outcome, Lost):
                if outcome.timed_out and outcome.doing is Doing.GOLD and not task.item.accepted:
                    endless[task.item.db_id, task.item.gold] = replace(outcome, seconds=0.0)
                # Exact set match needs no run, so it does not go with the worker.
                tables = config.tables.get(task.item.db_id) or tables_of_schema(
                    source_schema(config.sources[task.item.db_id])
                )
                outcome = with_match(lost_result(task.item, outcome, options), task.item, tables, options)
            report(task.item, outcome)
    finally:
        # A record that can't be written ends the run: its workers end now, not when the error is forgotten.
        if isinstance(outcomes, Generator):
            outcomes.close()


__all__ = ["ScoreOptions", "ScoreReport", "Task", "score_files"]
