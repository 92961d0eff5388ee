"""Probe a scored run: which items, each distinct pair once, in processes."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from distill.fuzz import Policies
from distill.probe.record import Outcome, ProbeRecord, write_probe
from distill.probe.settle import Ground, Rules, settle
from testsuite.engine.limits import GIB, confine
from testsuite.engine.session import Session
from testsuite.errors import InputError, SuiteError
from testsuite.records import ItemResult
from testsuite.schema.sqlite_file import read_sqlite_rows
from testsuite.score.options import ScoreOptions
from testsuite.score.pairs import Pair
from testsuite.score.pool import Lost, run_tasks
from testsuite.score.results import Results
from testsuite.score.sources import Source, find_sources, source_schema
from testsuite.suite import load_suite

log = logging.getLogger(__name__)

# Making instances and loading them, beside what the two queries may take.
_MAKING_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class ProbeOptions:
    """How much is probed.

    Attributes:
        instances: fresh instances per pair, at least 1.
        seed: seed of all randomness, at least 0.
    """

    instances: int = 100
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """What a probe found: one record per accepted item, in the golds' order."""

    records: tuple[ProbeRecord, ...]
    pairs: Mapping[str, Pair]
    """The queries by item; of several golds, the first is the one the prediction was found equal to."""
    suites: Path

    def count(self, outcome: Outcome) -> int:
        """Accepted items that ended so."""
        return sum(record.outcome is outcome for record in self.records)

    @property
    def reasons(self) -> dict[str, int]:
        """Why items were not probed, the most frequent reason first."""
        found = Counter(record.reason for record in self.records if record.outcome is Outcome.UNPROBED)
        return dict(sorted(found.items(), key=lambda entry: (-entry[1], entry[0])))


@dataclass(frozen=True, slots=True)
class _Task:
    db_id: str
    gold: str
    prediction: str


@dataclass(frozen=True)
class _Config:
    sources: Mapping[str, Source]
    rules: Rules
    options: ProbeOptions


@dataclass
class _State:
    config: _Config
    session: Session
    grounds: dict[str, Ground]


_state: _State | None = None


def probe_results(
    results: Results,
    suites: Path | None = None,
    options: ProbeOptions | None = None,
    jobs: int = 1,
    on_pair: Callable[[int, int], None] | None = None,
) -> ProbeReport:
    """Give each accepted prediction of a run fresh instances made for both queries, and write RESULTS/probe.jsonl.

    A verdict of the run is never changed. The records depend on the pairs and options alone, not on ``jobs``.

    Args:
        results: the run; scored by strict semantics.
        suites: directory of suites (or of ``<db_id>/<db_id>.sqlite``) that schemas and shipped contents come from;
            what the run was scored over where None.
        options: how much is probed; the defaults where None.
        jobs: worker processes.
        on_pair: called with the number of distinct pairs done, and of all.

    Raises:
        InputError: the run was not scored by strict semantics, kept no queries, or no suite is found.
        SuiteFileError: a suite is damaged.
    """
    options = options or ProbeOptions()
    rules = _rules(results)
    pairs = _accepted(results)
    suites = suites or _origin(results)
    if not suites.is_dir():
        raise InputError(f"{suites}: no such directory of suites; name it with --suite")
    sources = find_sources(suites, sorted({pair.db_id for pair, _ in pairs.values()}), take_files=True)
    if pairs and not sources:
        raise InputError(f"{suites}: holds no suite for any database of {results.directory}; name it with --suite")
    tasks: dict[_Task, ProbeRecord] = {}
    apart: dict[str, str] = {}
    for name, (pair, record) in pairs.items():
        if record.plugged:
            apart[name] = "accepted only with the gold's values in place of its own"
        elif pair.db_id not in sources:
            apart[name] = "no suite for its database"
        else:
            task = _Task(pair.db_id, pair.golds[0], pair.prediction)
            tasks[task] = ProbeRecord("", pair.db_id, Outcome.UNPROBED, seed=options.seed)
    # Pairs of one database stand together: a worker reads its suite once.
    ordered = sorted(tasks, key=lambda task: (task.db_id, task.gold, task.prediction))
    deadline = _MAKING_SECONDS + (1 + 4) * (rules.timeout + rules.gold_timeout)
    config = _Config(sources, rules, options)
    running = run_tasks(_probe, ordered, max(1, min(jobs, len(ordered))), deadline, _start, (config,))
    for done, (task, outcome) in enumerate(running, start=1):
        tasks[task] = replace(tasks[task], reason=outcome.message) if isinstance(outcome, Lost) else outcome
        if on_pair is not None:
            on_pair(done, len(ordered))
    records = []
    for name, (pair, _) in pairs.items():
        if name in apart:
            records.append(ProbeRecord(name, pair.db_id, Outcome.UNPROBED, seed=options.seed, reason=apart[name]))
        else:
            records.append(replace(tasks[_Task(pair.db_id, pair.golds[0], pair.prediction)], id=name))
    write_probe(results.directory, records)
    return ProbeReport(tuple(records), {name: pair for name, (pair, _) in pairs.items()}, suites)


def _rules(results: Results) -> Rules:
    asked = results.summary["options"]
    if asked.get("etype", "exec") == "match" or asked.get("semantics", "strict") != "strict":
        raise InputError(
            f"{results.directory}: was not scored by strict semantics, whose verdicts a probe looks into; "
            "score with --semantics strict"
        )
    known = {name: asked[name] for name in ScoreOptions.__slots__ if name in asked and name != "keep_distinct"}
    try:
        options = ScoreOptions(**known)
        return Rules(options.policy, options.timeout, options.gold_timeout, options.instant)
    except (TypeError, ValueError) as error:
        raise InputError(f"{results.directory}: summary.json has options this version can't read: {error}") from error


def _accepted(results: Results) -> dict[str, tuple[Pair, ItemResult]]:
    """Accepted items in the golds' order, each with the gold that its prediction was found equal to alone."""
    records = {record.id: record for record in results.items}
    found = {}
    for name, pair in results.pairs.items():
        record = records.get(name)
        if record is not None and record.test_suite:
            gold = pair.golds[record.matched_gold or 0]
            found[name] = (replace(pair, golds=(gold,)), record)
    return found


def _origin(results: Results) -> Path:
    kept = results.origin.suites or results.origin.databases
    if kept is None:
        raise InputError(f"{results.directory}: does not say which suites it was scored over; name them with --suite")
    return Path(kept)


def _ground(source: Source) -> Ground:
    """Schema and shipped content of a source, and what instances of its suite may hold."""
    if source.files:
        schema = source_schema(source)
        return Ground(schema, read_sqlite_rows(source.shipped_file or source.files[0], schema))
    suite = load_suite(source.folder)
    shipped = suite.manifest.shipped
    content = None if shipped is None else suite.stack.rows(shipped)
    return Ground(suite.stack.schema, content, _policies(suite.manifest.options))


def _policies(made: Mapping[str, object]) -> Policies:
    """The policies a suite was built with; the defaults for what its manifest does not tell."""
    known = {name: made[name] for name in Policies.__slots__ if name in made}
    try:
        return Policies(**known)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return Policies()


def _start(config: _Config) -> None:
    """Open this process's engines; called once in every worker."""
    global _state
    confine(6 * GIB)
    _state = _State(config, Session(), {})


def _probe(task: _Task) -> ProbeRecord:
    """Probe one pair. Whatever goes wrong is told in the record, never a finding."""
    assert _state is not None, "_start was not called"
    options = _state.config.options
    nothing = ProbeRecord("", task.db_id, Outcome.UNPROBED, seed=options.seed)
    try:
        if task.db_id not in _state.grounds:
            _state.grounds = {task.db_id: _ground(_state.config.sources[task.db_id])}
        ground = _state.grounds[task.db_id]
        count, seed, rules = options.instances, options.seed, _state.config.rules
        return settle(ground, task.gold, task.prediction, count, seed, _state.session, rules)
    except SuiteError as error:
        return replace(nothing, reason=str(error))
    except Exception as error:
        # The one broad except: a fault of ours must not take other pairs with it.
        log.exception("%s: %s | %s", task.db_id, task.gold, task.prediction)
        return replace(nothing, reason=f"internal error: {type(error).__name__}: {error}")
