"""The pipeline of one schema: generate, ask golds, make neighbours, kill matrix, cover, confirm, audit, write."""

from __future__ import annotations

import hashlib
import logging
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from distill.assumed import assumed_schema
from distill.cover import greedy_cover
from distill.fuzz import NullPolicy, Policies, assumptions, generate, suite_storage
from distill.matrix import GoldAnswers, KillRow, ask_gold, kill_rows, unconfirmed
from distill.neighbours import Equivalent, NeighbourMaker
from testsuite.compare import Policy, compare_open
from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Referee
from testsuite.engine.session import QueryTimeout, Session
from testsuite.query.normal import normal_text
from testsuite.query.parse import Unparsed, parse
from testsuite.schema import Schema
from testsuite.score.run import ScoreOptions
from testsuite.suite import GoldNote, InstanceNote, Manifest, Row, Stack, concat, instance_id, save_suite, stack_rows
from testsuite.versions import tool_versions

log = logging.getLogger(__name__)

# Every gold should say something on this many kept instances, where candidates allow it.
INFORMATIVE_INSTANCES = 5
_CONFIRM_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What decides a suite's content.

    Attributes:
        instances: candidate instances to generate.
        cover: kept instances that should separate each neighbour (K).
        scouts: candidates on which every neighbour is tried first.
        seed: seed of all randomness; each schema derives its own from it.
        nulls: observed | declared | never: where instances may hold NULL.
        empty_tables: share of tables that stay empty, 0 to 1.
        neighbours: most neighbours per gold.
    """

    instances: int = 500
    cover: int = 3
    scouts: int = 64
    seed: int = 0
    nulls: NullPolicy = "observed"
    empty_tables: float = Policies().empty_tables
    neighbours: int = 60
    now: str = ScoreOptions().now


@dataclass(frozen=True)
class BuildTask:
    """One schema to build a suite for. ``shipped`` holds its content, None where there is none."""

    schema: Schema
    golds: tuple[str, ...]
    shipped: dict[str, list[Row]] | None
    output: Path
    options: BuildOptions


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """What became of one schema."""

    db_id: str
    manifest: Manifest | None
    seconds: float
    message: str = ""
    phases: dict[str, float] = field(default_factory=dict)


@dataclass
class _Clock:
    """Seconds spent per phase."""

    phases: dict[str, float] = field(default_factory=dict)
    _last: float = field(default_factory=time.perf_counter)

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.phases[name] = round(self.phases.get(name, 0.0) + now - self._last, 3)
        self._last = now


def schema_rng(seed: int, db_id: str) -> np.random.Generator:
    """The generator of one schema: it depends on the run's seed and the schema's name, not on the order of work."""
    digest = hashlib.sha256(db_id.encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:8], "big")])


def distinct_golds(golds: Sequence[str]) -> list[tuple[str, int]]:
    """Golds that differ in more than spelling, each with the number of lines that hold it, in order."""
    counts: dict[str, list[str]] = {}
    for sql in golds:
        try:
            key = normal_text(parse(sql))
        except Unparsed:
            key = sql
        counts.setdefault(key, []).append(sql)
    return [(lines[0], len(lines)) for lines in counts.values()]


def build_suite(task: BuildTask, session: Session) -> BuildOutcome:
    """Build, write and describe the suite of one schema."""
    clock = _Clock()
    started = time.perf_counter()
    options, schema = task.options, task.schema
    rng = schema_rng(options.seed, schema.db_id)
    storage = suite_storage(schema, task.shipped)
    shipped = None if task.shipped is None else stack_rows(schema, [task.shipped], storage)
    texts = distinct_golds(task.golds)
    runnable, broken = _check_golds(schema, storage, texts)
    policies = Policies(nulls=options.nulls, empty_tables=options.empty_tables)
    generated = generate(schema, [sql for sql, _ in runnable], shipped, options.instances, rng, policies)
    stack = generated if shipped is None else concat([shipped, generated])
    clock.lap("generate")

    session.load(stack)
    evaluator = Evaluator(stack, session, Referee(stack), ScoreOptions(now=options.now).instant)
    golds: list[GoldAnswers] = []
    items: list[int] = []
    for sql, count in runnable:
        try:
            golds.append(ask_gold(evaluator, sql))
            items.append(count)
        except QueryTimeout as error:
            broken.append((sql, count, str(error) or "timeout"))
    clock.lap("golds")

    maker = NeighbourMaker(assumed_schema(schema, task.shipped, policies), [gold.sql for gold in golds])
    rows: list[KillRow] = []
    proved: list[list[Equivalent]] = []
    for number, gold in enumerate(golds):
        made = maker.of(gold.sql, options.neighbours, rng)
        proved.append(list(made.equivalent))
        clock.lap("neighbours")
        rows += kill_rows(evaluator, number, gold, made.neighbours, options.scouts, options.cover)
        clock.lap("matrix")

    kept, separated = _cover(evaluator, golds, rows, options, None if shipped is None else 0, clock)
    clock.lap("cover")
    final = stack.take(kept)
    session.load(final)
    checked = Evaluator(final, session, Referee(final), evaluator.now)
    audit, undetermined, paths = _audit(checked, golds)
    clock.lap("audit")
    manifest = _manifest(
        task,
        final,
        kept,
        golds,
        items,
        rows,
        proved,
        separated,
        broken,
        audit,
        undetermined,
        paths,
    )
    save_suite(task.output, final, manifest)
    session.unload(schema.db_id)
    clock.lap("write")
    return BuildOutcome(schema.db_id, manifest, time.perf_counter() - started, phases=clock.phases)


def _check_golds(
    schema: Schema, storage: object, texts: Sequence[tuple[str, int]]
) -> tuple[list[tuple[str, int]], list[tuple[str, int, str]]]:
    referee = Referee(stack_rows(schema, [], storage))  # type: ignore[arg-type]
    runnable, broken = [], []
    for sql, count in texts:
        reason = referee.valid(sql)
        if reason is None:
            runnable.append((sql, count))
        else:
            broken.append((sql, count, reason))
    return runnable, broken


def _row_counts(stack: Stack) -> NDArray[np.float64]:
    sizes = np.zeros(stack.count)
    for stacked in stack.tables:
        sizes += np.bincount(stacked.instance, minlength=stack.count)
    return sizes


def _cover(
    evaluator: Evaluator,
    golds: Sequence[GoldAnswers],
    rows: list[KillRow],
    options: BuildOptions,
    shipped: int | None,
    clock: _Clock,
) -> tuple[list[int], list[int]]:
    """The kept candidates, and for each row how many of them separate it, confirmed on SQLite."""
    count = evaluator.stack.count
    cost = 10.0 + _row_counts(evaluator.stack)
    informative = np.array([gold.informative for gold in golds], dtype=bool).reshape(len(golds), count)
    need = np.concatenate([np.full(len(rows), options.cover), np.full(len(golds), INFORMATIVE_INSTANCES)]).astype(
        np.int64
    )
    forced = [] if shipped is None else [shipped]
    confirmed: list[set[int]] = [set() for _ in rows]
    kept: list[int] = []
    for _ in range(_CONFIRM_ROUNDS):
        kills = np.array([row.kills for row in rows], dtype=bool).reshape(len(rows), count)
        kept = greedy_cover(np.concatenate([kills, informative]), need, cost, forced)
        clock.lap("cover")
        wrong = 0
        for number, row in enumerate(rows):
            known = [i for i in kept if i in confirmed[number]]
            if len(known) >= options.cover:
                continue
            open_ones = [i for i in kept if i not in confirmed[number]]
            found, refuted = unconfirmed(evaluator, row, golds[row.gold], open_ones, options.cover - len(known))
            confirmed[number].update(found)
            row.kills[refuted] = False
            wrong += len(refuted)
        clock.lap("confirm")
        if not wrong:
            break
        log.warning("%s: %d separations not confirmed by SQLite", evaluator.stack.schema.db_id, wrong)
    chosen = set(kept)
    return kept, [len(found & chosen) for found in confirmed]


def _audit(
    evaluator: Evaluator, golds: Sequence[GoldAnswers]
) -> tuple[dict[str, int], list[int], list[tuple[str, str]]]:
    """Run every gold on every kept instance on both engines and count where they differ."""
    strict = Policy(columns="strict")
    every = list(range(evaluator.stack.count))
    tally: Counter[str] = Counter(golds=len(golds), cells=0, disagreements=0, tie_dependent=0)
    undetermined, paths = [], []
    for gold in golds:
        fast = evaluator.answers(gold.sql, timeout=120.0)
        slow = evaluator.sqlite_answers(gold.sql, every, 120.0)
        seen = compare_open(slow.low, None, fast.low, None, strict)
        wrong = ~seen.equal & seen.usable
        usable = compare_open(fast.low, fast.high, fast.low, fast.high, strict).usable
        tally["cells"] += len(every)
        tally["disagreements"] += int((wrong & usable).sum())
        tally["tie_dependent"] += int((wrong & ~usable).sum())
        undetermined.append(int((~usable).sum()))
        paths.append(("sqlite" if bool((fast.path == 2).all()) else "stacked", fast.reason))
        if bool((wrong & usable).any()):
            log.error("%s: engines disagree on gold %s", evaluator.stack.schema.db_id, gold.sql)
    return dict(tally), undetermined, paths


def _manifest(
    task: BuildTask,
    stack: Stack,
    kept: Sequence[int],
    golds: Sequence[GoldAnswers],
    items: Sequence[int],
    rows: Sequence[KillRow],
    proved: Sequence[Sequence[Equivalent]],
    separated: Sequence[int],
    broken: Sequence[tuple[str, int, str]],
    audit: dict[str, int],
    undetermined: Sequence[int],
    paths: Sequence[tuple[str, str]],
) -> Manifest:
    has_shipped = task.shipped is not None
    sizes = _row_counts(stack)
    notes = []
    for place, candidate in enumerate(kept):
        origin = "shipped" if has_shipped and candidate == 0 else "generated"
        why = sum(bool(row.kills[candidate]) for row in rows)
        notes.append(InstanceNote(instance_id(stack, place), origin, int(sizes[place]), why))
    by_gold: dict[int, list[tuple[KillRow, int]]] = {}
    operators: dict[str, Counter[str]] = {}
    for row, times in zip(rows, separated, strict=True):
        by_gold.setdefault(row.gold, []).append((row, times))
        tally = operators.setdefault(row.neighbour.operator, Counter(neighbours=0, separated=0))
        tally["neighbours"] += 1
        tally["separated"] += times > 0
    gold_notes = []
    for number, gold in enumerate(golds):
        pairs = by_gold.get(number, [])
        left = tuple(
            {"operator": row.neighbour.operator, "sql": row.neighbour.sql} for row, times in pairs if not times
        )
        gold_notes.append(
            GoldNote(
                gold.sql,
                items[number],
                neighbours=len(pairs),
                separated=len(pairs) - len(left),
                equivalent=len(proved[number]),
                unknown=len(left),
                informative=int(gold.informative[list(kept)].sum()),
                undetermined=undetermined[number],
                path=paths[number][0],
                reason=paths[number][1],
                left=left,
            )
        )
    for sql, count, reason in broken:
        gold_notes.append(GoldNote(sql, count, 0, 0, 0, 0, 0, 0, "none", reason))
    options = asdict(task.options)
    return Manifest(
        db_id=task.schema.db_id,
        instances=tuple(notes),
        golds=tuple(gold_notes),
        seed=task.options.seed,
        options=options,
        versions=tool_versions(),
        operators={name: dict(tally) for name, tally in sorted(operators.items())},
        audit=audit,
        assumptions=tuple(assumptions(task.schema, task.shipped)),
        candidates=task.options.instances + has_shipped,
    )
