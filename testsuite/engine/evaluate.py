"""Answer a query on many instances of one schema: stacked where that keeps the meaning, on SQLite elsewhere.

``Evaluator`` is the one place that decides which way a query goes. Everything above it sees answers and the path
they took, never an engine.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from testsuite.compare.answer import UNSURE, Answer
from testsuite.compare.merge import merge_answers, take_answer
from testsuite.compare.open import determined
from testsuite.dialect.translate import Translation, translate
from testsuite.dialect.types import Refused
from testsuite.engine.opened import open_beyond
from testsuite.engine.referee import Referee
from testsuite.engine.session import QueryTimeout, Session, SessionError
from testsuite.engine.stacked import answer_stacked
from testsuite.query.choices import choices
from testsuite.query.clock import freeze, uses_clock
from testsuite.query.lift import Lifted, NotLiftable, lift
from testsuite.query.normal import normal_text
from testsuite.query.parse import Unparsed, parse
from testsuite.query.probes import Probe
from testsuite.query.text import render
from testsuite.suite.stack import Stack

ENGINES = ("auto", "duckdb", "sqlite")


@dataclass(frozen=True)
class Variant:
    """One reading of a query (as it is, or with every open choice taken high): how each engine runs it."""

    text: str
    lifted: Lifted | None
    translation: Translation | None
    refused: str
    """Why it does not run stacked; empty where it does."""


@dataclass(frozen=True)
class Prepared:
    """A query ready to run: its low reading, and the high one where SQL leaves something open.

    ``probes`` tell where the two do not settle the answer (see ``testsuite.query.choices``).
    """

    sql: str
    low: Variant
    high: Variant | None
    open_choices: tuple[str, ...]
    normal: str
    clock: bool
    probes: tuple[tuple[Probe, tuple[Variant, ...]], ...] = ()
    only_cuts: bool = True


@dataclass(frozen=True)
class Answers:
    """What a query answered, in one or both readings.

    Attributes:
        low: the answer with open choices taken low.
        high: the answer with them taken high; None where nothing is open. Its error is ``UNSURE`` on instances where
            both agree and yet do not settle the answer. Of a query that cannot be read or lifted, an answer that
            SQLite gives when rows are stored in another order.
        path: int8 per instance: 0 stacked, 1 one instance at a time on DuckDB, 2 SQLite.
        reason: why some instance did not run stacked, empty where all did.
    """

    low: Answer
    high: Answer | None
    path: NDArray[np.int8]
    reason: str = ""

    @property
    def worst_path(self) -> str:
        """The slowest path any instance took."""
        return ("stacked", "instance", "sqlite")[int(self.path.max(initial=0))]


def part_of(answers: Answers, places: Sequence[int]) -> Answers:
    """The answers on some of their instances, in the given order."""
    return Answers(
        take_answer(answers.low, places),
        None if answers.high is None else take_answer(answers.high, places),
        answers.path[list(places)],
        answers.reason,
    )


@dataclass
class Evaluator:
    """Answers queries over one stack. Not safe for threads; one per process and schema.

    Args:
        stack: the instances.
        session: a DuckDB session that holds the stack, or None to run everything on SQLite.
        referee: SQLite over the same stack.
        now: the instant that date functions see as now.
    """

    stack: Stack
    session: Session | None
    referee: Referee
    now: datetime
    engine: str = "auto"
    cache_size: int = 4096
    _prepared: OrderedDict[str, Prepared] = field(default_factory=OrderedDict)

    def prepare(self, sql: str) -> Prepared:
        """Parse, freeze the clock, lift, find open choices and translate; remembered by text.

        What can't be read, lifted or translated is prepared to run on SQLite as it stands, with the reason.
        """
        known = self._prepared.get(sql)
        if known is not None:
            self._prepared.move_to_end(sql)
            return known
        prepared = self._prepare(sql)
        self._prepared[sql] = prepared
        if len(self._prepared) > self.cache_size:
            self._prepared.popitem(last=False)
        return prepared

    def _prepare(self, sql: str) -> Prepared:
        try:
            tree = parse(sql)
        except Unparsed as error:
            return Prepared(sql, Variant(sql, None, None, f"not parsed: {error}"), None, (), sql, False)
        clock = uses_clock(tree)
        text = sql
        if clock:
            frozen = freeze(tree, self.now)
            assert isinstance(frozen, exp.Query)
            tree, text = frozen, render(frozen)
        normal = normal_text(tree)
        try:
            lifted = lift(tree, self.stack.schema)
        except NotLiftable as error:
            return Prepared(sql, Variant(text, None, None, f"order not lifted: {error}"), None, (), normal, clock)
        opened = choices(lifted.core, self.stack.schema)
        if opened is None:
            return Prepared(sql, self._variant(text, lifted, lifted.core), None, (), normal, clock)
        low = self._variant(text, lifted, opened.low)
        high = self._variant(text, lifted, opened.high)
        try:
            probes = tuple((forms[0], tuple(self._probe(form) for form in forms)) for forms in opened.probes)
        except NotLiftable:
            # What cannot be asked counts as open.
            yes = Probe(exp.Select(expressions=[exp.Literal.number(1)]), False)
            probes = ((yes, (self._probe(yes),)),)
        return Prepared(sql, low, high, opened.constructs, normal, clock, probes, opened.alone)

    def _probe(self, probe: Probe) -> Variant:
        lifted = lift(probe.query, self.stack.schema)
        return self._variant(render(probe.query), lifted, lifted.core)

    def _variant(self, text: str, lifted: Lifted, core: exp.Query) -> Variant:
        changed = lifted if core is lifted.core else replace(lifted, core=core)
        if self.engine == "sqlite" or self.session is None:
            return Variant(text, changed, None, "engine sqlite")
        try:
            translation = translate(core, self.stack.schema, self.stack.storage, self.now)
        except Refused as error:
            return Variant(text, changed, None, str(error))
        return Variant(text, changed, translation, "")

    def answers(self, sql: str, instances: Sequence[int] | None = None, timeout: float = 30.0) -> Answers:
        """The query's answers on the given instances (all where None), in that order.

        Args:
            timeout: seconds for the whole call.

        Raises:
            QueryTimeout: the time ran out.
        """
        prepared = self.prepare(sql)
        asked = list(range(self.stack.count)) if instances is None else [int(i) for i in instances]
        deadline = time.monotonic() + timeout
        low, path, reason = self._run(prepared.low, prepared.high is not None, asked, deadline)
        if prepared.low.lifted is None:
            return Answers(low, self.referee.other_layouts(prepared.low.text, asked, deadline=deadline), path, reason)
        if prepared.high is None:
            return Answers(low, None, path, reason)
        high, high_path, high_reason = self._run(prepared.high, True, asked, deadline)

        def ask(probe: Variant, places: list[int]) -> Answer:
            return self._run(probe, True, places, deadline)[0]

        high = _settled(prepared, low, high, asked, ask)
        return Answers(low, high, np.maximum(path, high_path), reason or high_reason)

    def sqlite_answers(self, sql: str, instances: Sequence[int], timeout: float = 30.0) -> Answers:
        """The same, with SQLite alone: the referee's word."""
        prepared = self.prepare(sql)
        deadline = time.monotonic() + timeout
        asked = [int(i) for i in instances]

        def ask(variant: Variant, places: list[int]) -> Answer:
            return self._referee_answer(variant, prepared.high is not None, places, deadline)

        low = ask(prepared.low, asked)
        high = None
        if prepared.low.lifted is None:
            high = self.referee.other_layouts(prepared.low.text, asked, deadline=deadline)
        elif prepared.high is not None:
            high = _settled(prepared, low, ask(prepared.high, asked), asked, ask)
        return Answers(low, high, np.full(len(asked), 2, dtype=np.int8), "engine sqlite")

    def _run(
        self, variant: Variant, reading: bool, asked: list[int], deadline: float
    ) -> tuple[Answer, NDArray[np.int8], str]:
        path = np.zeros(len(asked), dtype=np.int8)
        if variant.translation is None or variant.lifted is None or self.session is None:
            path[:] = 2
            return self._referee_answer(variant, reading, asked, deadline), path, variant.refused
        dirty: set[int] = set()
        for column in variant.translation.touched:
            dirty |= self.stack.dirty_instances.get(column, frozenset())
        clean = [place for place, i in enumerate(asked) if i not in dirty]
        rest = [place for place, i in enumerate(asked) if i in dirty]
        reason = "dirty cells" if rest else ""
        parts: list[tuple[list[int], Answer]] = []
        if clean:
            try:
                whole = len(clean) == self.stack.count and clean == asked
                result = answer_stacked(
                    self.session,
                    variant.lifted,
                    variant.translation,
                    None if whole else [asked[place] for place in clean],
                    timeout=max(0.05, deadline - time.monotonic()),
                )
                kept = clean
                if result.failed:
                    failed = set(result.failed)
                    rest = sorted(rest + [place for n, place in enumerate(clean) if n in failed])
                    kept = [place for n, place in enumerate(clean) if n not in failed]
                    path[kept] = 1
                    reason = reason or "engine error on some instances"
                parts.append((kept, result.answer))
            except QueryTimeout:
                raise
            except (SessionError, Refused) as error:
                rest, parts = list(range(len(asked))), []
                reason = f"engine: {error}"
        if rest:
            path[rest] = 2
            parts.append((rest, self._referee_answer(variant, reading, [asked[place] for place in rest], deadline)))
        return merge_answers(len(asked), parts), path, reason

    def _referee_answer(self, variant: Variant, reading: bool, asked: list[int], deadline: float) -> Answer:
        if not reading or variant.lifted is None:
            return self.referee.answer(variant.text, asked, deadline=deadline)
        # With open choices the reading is no longer the text itself: only its lifted form means "taken low".
        return self.referee.answer_lifted(variant.lifted, asked, deadline=deadline)


def _settled(
    prepared: Prepared, low: Answer, high: Answer, asked: list[int], ask: Callable[[Variant, list[int]], Answer]
) -> Answer:
    """The high answer, with the error ``UNSURE`` where it agrees with the low one and does not settle the answer."""
    same = np.flatnonzero(determined(low, high)) if prepared.probes else np.empty(0, dtype=np.int64)
    if not len(same):
        return high
    places = [asked[int(place)] for place in same]
    answers = [(probe, [ask(form, places) for form in forms]) for probe, forms in prepared.probes]
    unsure = same[open_beyond(answers, len(same), prepared.only_cuts)]
    if not len(unsure):
        return high
    rest = np.setdiff1d(np.arange(len(asked)), unsure)
    errors = dict.fromkeys(range(len(unsure)), UNSURE)
    nothing = Answer(len(unsure), np.empty(0, dtype=np.int32), (), errors=errors)
    return merge_answers(len(asked), [(rest.tolist(), take_answer(high, rest.tolist())), (unsure.tolist(), nothing)])
