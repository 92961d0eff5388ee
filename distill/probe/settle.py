"""One pair on fresh instances: what they are made of, and whether SQLite sees a difference on one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from distill.counterexample.find import same_text
from distill.counterexample.subject import subject_of
from distill.fuzz import Policies, generate
from distill.probe.record import Outcome, ProbeRecord
from testsuite.compare import Comparison, Policy, compare_open
from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import TIMEOUT, TOO_LARGE, Referee
from testsuite.engine.session import QueryTimeout, Session
from testsuite.schema import Schema
from testsuite.score.options import ScoreOptions
from testsuite.suite import Row, Stack

# SQLite is asked about that many of the smallest instances that show a difference; one that it sees is enough.
_CONFIRM_AT_MOST = 3


@dataclass(frozen=True)
class Ground:
    """What fresh instances of a database are made of.

    Attributes:
        schema: tables and keys.
        shipped: the shipped content by table name; None where there is none.
        policies: what instances may hold: as in the suite the run was scored on.
    """

    schema: Schema
    shipped: Mapping[str, Sequence[Row]] | None
    policies: Policies = field(default_factory=Policies)


@dataclass(frozen=True, slots=True)
class Rules:
    """How a pair is compared: as in the run.

    Attributes:
        policy: when two answers count as equal.
        timeout: seconds that the prediction may take over all instances, and the same for each confirmation.
        gold_timeout: the same for the gold.
        now: the instant that date functions see as now.
    """

    policy: Policy = field(default_factory=Policy)
    timeout: float = ScoreOptions().timeout
    gold_timeout: float = ScoreOptions().gold_timeout
    now: datetime = ScoreOptions().instant


def fresh_instances(ground: Ground, gold: str, prediction: str, count: int, seed: int) -> Stack:
    """The instances a pair is probed on: of the tables that the two read and all that these refer to.

    They depend on the arguments alone, so an instance that refutes a prediction can be made again.

    Args:
        ground: schema, shipped content and policies.
        gold: SQLite text.
        prediction: another; its constants, columns and joins are planted like the gold's.
        count: instances to make.
        seed: seed of all randomness.
    """
    digest = hashlib.sha256("\0".join((ground.schema.db_id, gold, prediction)).encode()).digest()
    rng = np.random.default_rng([seed, *np.frombuffer(digest, dtype=np.uint32).tolist()])
    subject = subject_of(ground.schema, (gold, prediction), ground.shipped, ground.policies.empty_tables)
    return generate(subject.schema, (gold, prediction), subject.stack, count, rng, ground.policies)


def settle(
    ground: Ground,
    gold: str,
    prediction: str,
    count: int,
    seed: int,
    session: Session | None,
    rules: Rules | None = None,
) -> ProbeRecord:
    """Probe one pair; the record has no ``id``.

    Args:
        ground: what instances are made of.
        gold: SQLite text.
        prediction: the same.
        count: fresh instances.
        seed: seed of all randomness.
        session: a DuckDB session, used for these instances; None runs everything on SQLite.
        rules: how the pair is compared; the defaults of scoring where None.
    """
    rules = rules or Rules()
    nothing = ProbeRecord("", ground.schema.db_id, Outcome.UNPROBED, seed=seed)
    if same_text(gold, prediction):
        return replace(nothing, outcome=Outcome.SAME)
    stack = fresh_instances(ground, gold, prediction, count, seed)
    referee = Referee(stack)
    try:
        if session is not None:
            session.load(stack)
        return _settled(_Pair(Evaluator(stack, session, referee, rules.now), gold, prediction, rules), nothing)
    except QueryTimeout:
        return replace(nothing, instances=count, reason="a query took too long on fresh instances")
    finally:
        referee.close()
        if session is not None:
            session.unload(stack.schema.db_id)


@dataclass(frozen=True)
class _Pair:
    evaluator: Evaluator
    gold: str
    prediction: str
    rules: Rules

    def fast(self) -> Comparison:
        gold = self.evaluator.answers(self.gold, timeout=self.rules.gold_timeout)
        prediction = self.evaluator.answers(self.prediction, timeout=self.rules.timeout)
        if {TIMEOUT, TOO_LARGE} & {*gold.low.errors.values(), *prediction.low.errors.values()}:
            raise QueryTimeout("SQLite stopped a query")
        return compare_open(gold.low, gold.high, prediction.low, prediction.high, self.rules.policy)

    def by_sqlite(self, instances: Sequence[int]) -> Comparison:
        gold = self.evaluator.sqlite_answers(self.gold, instances, self.rules.gold_timeout)
        prediction = self.evaluator.sqlite_answers(self.prediction, instances, self.rules.timeout)
        if {TIMEOUT, TOO_LARGE} & {*gold.low.errors.values(), *prediction.low.errors.values()}:
            # A run that SQLite had to stop shows no difference.
            raise QueryTimeout("SQLite stopped a query")
        return compare_open(gold.low, gold.high, prediction.low, prediction.high, self.rules.policy)


def _settled(pair: _Pair, nothing: ProbeRecord) -> ProbeRecord:
    stack = pair.evaluator.stack
    seen = pair.fast()
    usable = int(seen.usable.sum())
    said = replace(nothing, instances=stack.count, usable=usable)
    if not usable:
        return replace(said, reason="the gold fails or its answer is open on every fresh instance")
    sizes = stack.row_counts
    differ = seen.usable & ~seen.equal
    ties: int | None = None
    for places in (differ & ~seen.tie_only, differ & seen.tie_only):
        chosen = _smallest(sizes, places)
        if not chosen:
            continue
        # One order of columns must serve all instances, so where each alone agrees all are asked together.
        asked = [[place] for place in chosen[:_CONFIRM_AT_MOST]] if seen.joint else [list(range(stack.count))]
        for instances in asked:
            check = pair.by_sqlite(instances)
            wrong = check.usable & ~check.equal
            real = _smallest(sizes[instances], wrong & ~check.tie_only)
            if real:
                place = instances[real[0]]
                return replace(said, outcome=Outcome.REFUTED, instance=place, rows=int(sizes[place]))
            tied = _smallest(sizes[instances], wrong)
            if tied and ties is None:
                ties = instances[tied[0]]
    if ties is not None:
        return replace(said, outcome=Outcome.TIES, instance=ties, rows=int(sizes[ties]))
    return replace(said, outcome=Outcome.HOLDS)


def _smallest(sizes: NDArray[np.int64], wanted: NDArray[np.bool_]) -> list[int]:
    """The wanted places, those with the fewest rows first."""
    return sorted(map(int, np.flatnonzero(wanted)), key=lambda place: (int(sizes[place]), place))
