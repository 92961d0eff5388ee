"""The steps: contents to try, the smallest that separates, confirmed, shrunk, confirmed again, shown."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from distill.counterexample.record import Counterexample, Label
from distill.counterexample.sources import Batch, Search, batches
from distill.counterexample.subject import Subject, subject_of
from distill.counterexample.targeted import targeted_search
from distill.fuzz import NullPolicy, Policies
from testsuite.compare import Policy
from testsuite.counterexample.pair import Pair, Strength
from testsuite.counterexample.record import Gold
from testsuite.counterexample.replay import first_difference, replay
from testsuite.engine.referee import Referee
from testsuite.engine.session import Session
from testsuite.errors import InputError
from testsuite.query.normal import normal_text
from testsuite.query.parse import Unparsed, parse
from testsuite.schema import Schema
from testsuite.score.options import ScoreOptions
from testsuite.shrink import Content, frozen, shrink
from testsuite.suite.stack import Row, Stack, stack_rows

log = logging.getLogger(__name__)

_TRIED_PER_BATCH = 3


@dataclass(frozen=True, slots=True)
class CounterexampleOptions:
    """What decides whether and which counterexample is found.

    Attributes:
        nulls: observed | declared | never: where contents may hold NULL. ``declared`` is tried only after all
            that ``observed`` allows.
        instances: random contents to try, per NULL policy.
        timeout: seconds after which the search, or else the shrinking of what it found, stops.
        policy: what counts as equal.
        gold: which query may play the gold, whose ORDER BY and open choices decide: ``either``, ``a`` or ``b``.
        empty_tables: share of random contents' tables that stay empty, 0 to 1; 0 forbids empty tables altogether.
        now: the instant that date functions see as now.
    """

    nulls: NullPolicy = "observed"
    instances: int = 500
    timeout: float = 30.0
    policy: Policy = field(default_factory=Policy)
    gold: Gold = "either"
    empty_tables: float = Policies().empty_tables
    now: datetime = ScoreOptions().instant


@dataclass(frozen=True, slots=True)
class PairOfQueries:
    """A pair in a list of pairs. ``shipped`` is the shipped content by table name, where there is one."""

    schema: Schema
    a: str
    b: str
    shipped: Mapping[str, Sequence[Row]] | None = None


def find_counterexample(
    schema: Schema,
    a: str,
    b: str,
    rng: np.random.Generator,
    shipped: Mapping[str, Sequence[Row]] | None = None,
    options: CounterexampleOptions | None = None,
    session: Session | None = None,
) -> Counterexample | None:
    """The smallest legal content found on which two SQLite queries answer differently; None where none is found.

    The same arguments and generator give the same result, unless the time runs out.

    Args:
        schema: tables, keys and constraints that the content keeps.
        a: a query.
        b: another.
        rng: the only source of chance.
        shipped: a content of the schema, which shows where NULL is to be expected and which values are plausible.
        options: what decides the search; the defaults where None.
        session: a DuckDB session to use for many calls; one is opened and closed where None.

    Raises:
        InputError: SQLite does not take one of them as a query on this schema.
    """
    if session is not None:
        return Finder(session).find(PairOfQueries(schema, a, b, shipped), rng, options)
    with Session() as own:
        return Finder(own).find(PairOfQueries(schema, a, b, shipped), rng, options)


def find_counterexamples(
    pairs: Iterable[PairOfQueries],
    seed: int = 0,
    options: CounterexampleOptions | None = None,
) -> Iterator[Counterexample | InputError | None]:
    """A counterexample, None, or why a query is no query, for each of many pairs, in their order, as they are found.

    One session serves all. Each pair has a generator of its own, of ``seed`` and the pair's place.

    Args:
        pairs: the pairs.
        seed: seed of all randomness.
        options: what decides the search; the defaults where None.
    """
    with Session() as session:
        finder = Finder(session)
        for place, pair in enumerate(pairs):
            try:
                yield finder.find(pair, np.random.default_rng([seed, place]), options)
            except InputError as error:
                yield error


@dataclass
class Finder:
    """Finds counterexamples with one warm session. Not for use from several threads at once.

    Args:
        session: holds the contents of one pair at a time; None runs everything on SQLite.
        search: a targeted search for pairs that random contents do not separate; None for none.
    """

    session: Session | None
    search: Search | None = targeted_search

    def find(
        self, pair: PairOfQueries, rng: np.random.Generator, options: CounterexampleOptions | None = None
    ) -> Counterexample | None:
        """As ``find_counterexample``."""
        options = options or CounterexampleOptions()
        check_queries(pair)
        if same_text(pair.a, pair.b):
            return None
        queries = (pair.a, pair.b)
        subject = subject_of(pair.schema, queries, pair.shipped, options.empty_tables)
        running = Pair(
            subject,
            queries,
            self.session,
            options.now,
            options.policy,
            options.gold,
            time.monotonic() + options.timeout,
        )
        try:
            return self._find(running, options, rng)
        finally:
            if self.session is not None:
                self.session.unload(subject.schema.db_id)

    def _find(
        self, pair: Pair[Subject], options: CounterexampleOptions, rng: np.random.Generator
    ) -> Counterexample | None:
        spare: list[tuple[Batch, Content]] = []
        made = batches(pair.subject, pair.queries, options.nulls, options.instances, rng, self.search, options.gold)
        for batch in made:
            if pair.expired:
                break
            verdicts = pair.stacked(batch.stack)
            for place in _smallest(batch.stack, verdicts.strength == Strength.SURE)[:_TRIED_PER_BATCH]:
                content = frozen(batch.stack.rows(place), pair.subject.schema)
                found = _settle(pair, batch, content, Strength.SURE)
                if found is not None and not found.only_open:
                    return found
                spare.append((batch, content))
            if len(spare) < _TRIED_PER_BATCH:
                spare += [
                    (batch, frozen(batch.stack.rows(place), pair.subject.schema))
                    for place in _smallest(batch.stack, verdicts.strength == Strength.OPEN)[:1]
                ]
        for batch, content in spare:
            found = _settle(pair, batch, content, Strength.OPEN)
            if found is not None:
                return found
        return None


def _smallest(stack: Stack, wanted: NDArray[np.bool_]) -> list[int]:
    """The wanted instances, fewest rows first."""
    return sorted(map(int, np.flatnonzero(wanted)), key=lambda place: (int(stack.row_counts[place]), place))


def _settle(pair: Pair[Subject], batch: Batch, content: Content, least: Strength) -> Counterexample | None:
    """The counterexample that a content shrinks to; None where SQLite does not see it, or it is not legal."""
    subject = pair.subject
    bounds = subject.bounds(batch.nulls, batch.rules)
    wrong = bounds.violation(content)
    if wrong:
        log.info("%s: a content is left out: %s", subject.schema.db_id, wrong)
        return None
    if pair.on_sqlite(content).strength[0] < least:
        log.warning("%s: SQLite sees no difference: %s | %s", subject.schema.db_id, *pair.queries)
        return None
    small = shrink(content, pair.separates(content, least), bounds)
    verdict = pair.on_sqlite(small)
    if verdict.strength[0] < least:
        # The fast way erred on some step; SQLite alone is slower and sure.
        log.warning("%s: shrunk again on SQLite: %s | %s", subject.schema.db_id, *pair.queries)
        small = shrink(content, pair.separates(content, least, sqlite=True), bounds)
        verdict = pair.on_sqlite(small)
    schema = subject.shown_schema(batch.rules)
    shown = replay(schema, small, pair.texts)
    if shown is None or verdict.strength[0] < least:
        log.warning("%s: SQLite can't replay a content for %s | %s", subject.schema.db_id, *pair.queries)
        return None
    difference = first_difference(shown[0], shown[1], pair.queries, verdict.permutation)
    sure = least is Strength.SURE and difference is not None
    observed: NullPolicy = "never" if batch.nulls == "never" else "observed"
    label: Label = "content-plausible"
    if batch.nulls == "declared" and not subject.bounds(observed, batch.rules).legal(small):
        label = "schema-legal"
    gold: Literal["both", "a", "b"] = "both" if verdict.a[0] and verdict.b[0] else "a" if verdict.a[0] else "b"
    return Counterexample(
        schema=schema,
        content=small,
        a=shown[0],
        b=shown[1],
        gold=gold,
        only_open=not sure,
        label=label,
        difference=difference,
        source=f"{batch.source}, nulls {batch.nulls}",
    )


def check_queries(pair: PairOfQueries) -> None:
    """Raise InputError where SQLite does not take A or B as one query that only reads."""
    referee = Referee(stack_rows(pair.schema, []))
    try:
        for name, sql in (("A", pair.a), ("B", pair.b)):
            reason = referee.valid(sql)
            if reason is not None:
                raise InputError(f"SQL {name}: SQLite does not take this as a query on {pair.schema.db_id}: {reason}")
    finally:
        referee.close()


def same_text(a: str, b: str) -> bool:
    """Whether two queries differ in spelling only."""
    try:
        return normal_text(parse(a)) == normal_text(parse(b))
    except Unparsed:
        return a.strip() == b.strip()
