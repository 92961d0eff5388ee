"""Two queries on many contents at once: where they differ, and whether that hangs on what SQL leaves open."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import IntEnum
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from testsuite.compare import Comparison, Policy, Reason, compare_open
from testsuite.counterexample.record import Gold
from testsuite.engine.evaluate import Answers, Evaluator, part_of
from testsuite.engine.referee import Referee
from testsuite.engine.session import QueryTimeout, Session
from testsuite.schema import Schema, Storage
from testsuite.shrink import Content, Holds
from testsuite.suite.stack import Stack, stack_rows

# One batch may not eat all the time there is: contents on which a product explodes are no good counterexamples.
_BATCH_SECONDS = 10.0


class Strength(IntEnum):
    """How much a content says against a pair."""

    NONE = 0
    OPEN = 1
    """They differ in what SQL leaves open: one can give an answer that the other can't."""
    SURE = 2
    """They differ whichever is the gold, and whatever is chosen among ties."""


class Subject(Protocol):
    """What contents are of."""

    @property
    def schema(self) -> Schema:
        """The tables of a content."""

    @property
    def storage(self) -> Mapping[tuple[str, str], Storage]:
        """What each column holds, by (table, column) in lower case."""


S = TypeVar("S", bound=Subject)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Per content its ``Strength``, and whether they differ with A, and with B, as the gold."""

    strength: NDArray[np.int8]
    a: NDArray[np.bool_]
    b: NDArray[np.bool_]
    permutation: tuple[int, ...] | None


@dataclass
class Pair(Generic[S]):
    """Runs two queries on contents of one subject.

    Args:
        subject: schema and storage.
        queries: SQLite texts A and B.
        session: a DuckDB session, used for this pair's contents; None runs everything on SQLite.
        now: the instant date functions see.
        policy: what counts as equal.
        gold: which of the two may play the gold.
        deadline: ``time.monotonic()`` after which nothing is run any more.
    """

    subject: S
    queries: tuple[str, str]
    session: Session | None
    now: datetime
    policy: Policy
    gold: Gold
    deadline: float
    timeouts: int = 0
    _evaluator: Evaluator | None = field(default=None, repr=False)

    @property
    def expired(self) -> bool:
        """Whether the time is used up."""
        return time.monotonic() >= self.deadline

    @property
    def texts(self) -> tuple[str, ...]:
        """The queries as SQLite runs them: as they stand, with the clock held where they read it."""
        assert self._evaluator is not None
        return tuple(self._evaluator.prepare(sql).low.text for sql in self.queries)

    def stacked(self, stack: Stack) -> Verdicts:
        """Verdicts on every instance of a stack, by the fast way."""
        return self._verdicts(stack, False, self._seconds)

    def on_sqlite(self, content: Content) -> Verdicts:
        """The verdict on one content by SQLite alone, also when the time is used up: nothing is shown without it."""
        stack = stack_rows(self.subject.schema, [content], self.subject.storage)
        return self._verdicts(stack, True, _BATCH_SECONDS)

    def strengths(self, contents: Sequence[Content]) -> NDArray[np.int8]:
        """How much each content says. Few are asked of SQLite itself, many stacked."""
        stack = stack_rows(self.subject.schema, contents, self.subject.storage)
        return self._verdicts(stack, len(contents) <= 4, self._seconds).strength

    def separates(self, confirmed: Content, least: Strength, sqlite: bool = False) -> Holds:
        """The property to shrink for. It fails everywhere once time is used up, but on the confirmed content."""

        def strengths(several: Sequence[Content]) -> list[int]:
            if sqlite:
                return [0 if self.expired else int(self.on_sqlite(content).strength[0]) for content in several]
            return [int(strength) for strength in self.strengths(several)]

        def holds(several: Sequence[Content]) -> list[bool]:
            if len(several) == 1 and several[0] == confirmed:
                return [True]
            return [strength >= least for strength in strengths(several)]

        return holds

    @property
    def _seconds(self) -> float:
        return min(_BATCH_SECONDS, self.deadline - time.monotonic())

    def _verdicts(self, stack: Stack, sqlite: bool, seconds: float) -> Verdicts:
        nothing = np.zeros(stack.count, dtype=bool)
        none = Verdicts(np.zeros(stack.count, dtype=np.int8), nothing, nothing, None)
        if seconds <= 0:
            return none
        with closing(Referee(stack)) as referee:
            if self._evaluator is None:
                self._evaluator = Evaluator(stack, self.session, referee, self.now)
            else:
                # What was translated once holds for every stack of one schema and storage.
                self._evaluator = replace(self._evaluator, stack=stack, referee=referee)
            if self.session is not None and not sqlite:
                self.session.load(stack)
            try:
                a, b = (self._ask(sql, sqlite, seconds) for sql in self.queries)
            except QueryTimeout:
                self.timeouts += 1
                return none
        return relate(a, b, self.policy, self.gold)

    def _ask(self, sql: str, sqlite: bool, seconds: float) -> Answers:
        assert self._evaluator is not None
        if sqlite:
            return self._evaluator.sqlite_answers(sql, range(self._evaluator.stack.count), seconds)
        return self._evaluator.answers(sql, timeout=seconds)


def relate(a: Answers, b: Answers, policy: Policy, gold: Gold = "either") -> Verdicts:
    """Where two queries' answers differ. Contents on which one fails, or on which the gold is open, say nothing.

    Args:
        a: answers of A, one position per content.
        b: answers of B on the same contents.
        policy: what counts as equal.
        gold: which of the two may play the gold.
    """
    there = compare_open(a.low, a.high, b.low, b.high, policy)
    back = compare_open(b.low, b.high, a.low, a.high, policy)
    failed = np.zeros(a.low.instances, dtype=bool)
    for answer in (a.low, a.high, b.low, b.high):
        if answer is not None:
            failed[list(answer.errors)] = True
    one = _differ(a, b, there, policy) & ~failed
    other = _differ(b, a, back, policy) & ~failed
    cut = (there.reason == Reason.TIES) | (back.reason == Reason.TIES)
    # Where both are empty, nobody sees that one has more columns than the other.
    bare = (there.reason == Reason.COLUMNS) & ~(_with_rows(a) | _with_rows(b))
    sure = one & other & ~cut & ~bare
    asked = one if gold == "a" else other if gold == "b" else one | other
    strength = np.where(sure & asked, Strength.SURE, np.where(asked, Strength.OPEN, Strength.NONE)).astype(np.int8)
    return Verdicts(strength, one, other, there.permutation)


def _with_rows(answers: Answers) -> NDArray[np.bool_]:
    found = np.zeros(answers.low.instances, dtype=bool)
    found[answers.low.instance] = True
    return found


def _differ(gold: Answers, prediction: Answers, seen: Comparison, policy: Policy) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = seen.usable & ~seen.equal
    if not seen.joint or not seen.complete:
        # One order of columns was to serve all contents; each is a counterexample only if none serves it alone.
        for place in np.flatnonzero(found):
            mine, theirs = part_of(gold, [int(place)]), part_of(prediction, [int(place)])
            alone = compare_open(mine.low, mine.high, theirs.low, theirs.high, policy)
            found[place] = bool(alone.usable[0] and not alone.equal[0]) and alone.complete
    return found
