"""The smallest counterexample inside an instance on which a pair is known to differ. Nothing is searched for."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice, permutations

from testsuite.compare import Policy
from testsuite.counterexample.pair import Pair, Strength
from testsuite.counterexample.record import Difference, Shown, needed_tables, script_of
from testsuite.counterexample.replay import first_difference, replay
from testsuite.engine.session import Session
from testsuite.schema import Schema, Storage
from testsuite.shrink import Bounds, Content, Holds, frozen, row_count, shrink
from testsuite.shrink.rules import Rules, as_key, kept_schema, read_rules
from testsuite.suite.stack import Row, Stack

log = logging.getLogger(__name__)

_TRIED = 3
_TRIED_OPEN = 16
# Orders of one table that are tried to let a difference in order be seen.
_ORDERS = 24


@dataclass(frozen=True, slots=True)
class Frame:
    """The tables that a pair needs, and what their columns hold."""

    schema: Schema
    storage: Mapping[tuple[str, str], Storage]


@dataclass(frozen=True, slots=True)
class FailingExample:
    """A content on which a prediction differs from its gold, put through SQLite as it is shown.

    Attributes:
        schema: the tables that the two queries need, with the keys that the content keeps.
        content: rows by table name.
        instance: the instance of the suite it was made from.
        gold: what SQLite answers to the gold.
        prediction: what SQLite answers to the prediction.
        difference: the first differing row, ``a`` the gold's; None where the answers that SQLite gave look alike.
        only_open: the difference hangs on what SQL leaves open (ties, rows without ORDER BY, bare columns).
    """

    schema: Schema
    content: Content
    instance: int
    gold: Shown
    prediction: Shown
    difference: Difference | None
    only_open: bool

    @property
    def rows(self) -> int:
        """Rows of the content, over all tables."""
        return row_count(self.content)

    @property
    def script(self) -> str:
        """DDL and INSERTs as one SQLite script."""
        ddl, inserts = script_of(self.schema, self.content)
        return "\n".join((*ddl, *inserts)) + "\n"


@dataclass
class FailingInstances:
    """Makes counterexamples of the instances of one suite. Not for several threads at once.

    Args:
        stack: the instances.
        shipped: position of the shipped one, by which keys are judged; None where there is none.
        session: a DuckDB session beside the one that holds the suite, or the same; None runs everything on SQLite.
        now: the instant date functions see.
        policy: what counts as equal.
        seconds: time for one pair, far more than most take: when it is over the smallest content found so far
            stands, which then depends on the machine.
    """

    stack: Stack
    shipped: int | None
    session: Session | None
    now: datetime
    policy: Policy
    seconds: float = 20.0

    def smallest(self, gold: str, prediction: str, failing: Sequence[int]) -> FailingExample | None:
        """The fewest and simplest rows on which the prediction still differs from the gold.

        Args:
            gold: the gold's text.
            prediction: the prediction's.
            failing: instances on which they are known to differ.

        Returns:
            None where SQLite shows no difference on the instances tried (those with the fewest rows).
        """
        tables = needed_tables(self.stack.schema, (gold, prediction))
        # Another name keeps the suite itself loaded where the session is the same.
        schema = Schema(f"{self.stack.schema.db_id} shrinking", tables)
        storage = {
            (table.name.lower(), column.name.lower()): self.stack.storage[table.name.lower(), column.name.lower()]
            for table in tables
            for column in table.columns
        }
        frame = Frame(schema, storage)
        deadline = time.monotonic() + self.seconds
        pair = Pair(frame, (gold, prediction), self.session, self.now, self.policy, "a", deadline)
        rules = self._rules(schema)
        contents = [(place, frozen(self.stack.rows(place), schema)) for place in failing]
        contents.sort(
            key=lambda entry: (entry[0] == self.shipped, not row_count(entry[1]), row_count(entry[1]), entry[0])
        )
        try:
            open_ones: list[tuple[int, Content]] = []
            for place, content in contents[:_TRIED]:
                strength = pair.on_sqlite(content).strength[0]
                if strength == Strength.SURE:
                    found = _shrunk(pair, content, place, rules, Strength.SURE)
                    if found is not None:
                        return found
                elif strength == Strength.OPEN:
                    open_ones.append((place, content))
            open_ones += contents[_TRIED:_TRIED_OPEN]
            # First those on which SQLite's own answers show it, then those where other answers would have been right.
            for seen in (True, False):
                for place, content in open_ones[: None if seen else _TRIED]:
                    if seen and not _visible(pair, rules, content):
                        continue
                    found = _shrunk(pair, content, place, rules, Strength.OPEN, seen)
                    if found is not None:
                        return found
            return None
        finally:
            if self.session is not None:
                self.session.unload(schema.db_id)

    def _rules(self, schema: Schema) -> Rules:
        rows: dict[str, list[Row]] | None = None if self.shipped is None else self.stack.rows(self.shipped)
        return read_rules(schema, rows)[0]


def _visible(pair: Pair[Frame], rules: Rules, content: Content) -> bool:
    """Whether SQLite's own answers differ, rows by position where the gold asks for an order."""
    verdict = pair.on_sqlite(content)
    if verdict.strength[0] == Strength.NONE:
        return False
    return _first_seen(pair, rules, content, verdict.permutation) is not None


def _first_seen(
    pair: Pair[Frame], rules: Rules, content: Content, permutation: Sequence[int] | None
) -> Difference | None:
    schema = kept_schema(pair.subject.schema, honoured(rules, pair.subject.schema, content))
    answers = replay(schema, content, pair.texts)
    return None if answers is None else first_difference(answers[0], answers[1], (pair.queries[0],) * 2, permutation)


def _shrunk(
    pair: Pair[Frame], content: Content, place: int, rules: Rules, least: Strength, visible: bool = False
) -> FailingExample | None:
    frame = pair.subject
    kept = honoured(rules, frame.schema, content)
    bounds = Bounds(frame.schema, frame.storage, kept, _nullable(frame.schema, kept, content))

    def property_of(holds: Holds) -> Holds:
        return _seen_by(pair, kept, holds) if visible else _with_rows(holds) if row_count(content) else holds

    wrong = bounds.violation(content)
    if wrong:
        log.info("%s: instance %d can't be shrunk: %s", frame.schema.db_id, place, wrong)
        small = content
    else:
        small = shrink(content, property_of(pair.separates(content, least)), bounds)
    verdict = pair.on_sqlite(small)
    if verdict.strength[0] < least:
        # The fast way erred on some step; SQLite alone is slower and sure.
        log.warning("%s: shrunk again on SQLite: %s | %s", frame.schema.db_id, *pair.queries)
        small = shrink(content, property_of(pair.separates(content, least, sqlite=True)), bounds)
        verdict = pair.on_sqlite(small)
    schema = kept_schema(frame.schema, kept)
    if verdict.strength[0] < least:
        log.warning("%s: SQLite sees no difference: %s | %s", frame.schema.db_id, *pair.queries)
        return None
    shown, difference = None, None
    for ordered in _orders(small):
        # Where rows without ORDER BY happen to stand as the gold's do, they need not when they come in another order.
        answers = replay(schema, ordered, pair.texts)
        if answers is None:
            break
        # The order of rows counts where the gold asks for one.
        seen = first_difference(answers[0], answers[1], (pair.queries[0],) * 2, verdict.permutation)
        if shown is None or seen is not None:
            small, shown, difference = ordered, answers, seen
        if seen is not None:
            break
    if shown is None:
        log.warning("%s: SQLite can't replay a content for %s | %s", frame.schema.db_id, *pair.queries)
        return None
    only_open = bool(verdict.strength[0] != Strength.SURE) or difference is None
    return FailingExample(schema, small, place, shown[0], shown[1], difference, only_open)


def _orders(content: Content) -> Iterator[Content]:
    """The content as it is, then with its rows in other orders."""
    yield content
    yield {name: rows[::-1] for name, rows in content.items()}
    for name, rows in content.items():
        for moved in islice(permutations(rows), 1, _ORDERS):
            yield {**content, name: moved}


def _seen_by(pair: Pair[Frame], rules: Rules, holds: Holds) -> Holds:
    """The property, of contents on which SQLite's own answers differ."""

    def both(several: Sequence[Content]) -> list[bool]:
        return [
            good and row_count(content) > 0 and _visible(pair, rules, content)
            for content, good in zip(several, holds(several), strict=True)
        ]

    return both


def _with_rows(holds: Holds) -> Holds:
    """The property, of contents that hold a row: from none at all a reader learns nothing."""

    def both(several: Sequence[Content]) -> list[bool]:
        return [good and row_count(content) > 0 for content, good in zip(several, holds(several), strict=True)]

    return both


def honoured(rules: Rules, schema: Schema, content: Content) -> Rules:
    """The rules without those that a content breaks: shipped contents may be worse than what is declared."""
    tables = schema.tables
    keys, has_primary = [], []
    for t, table in enumerate(tables):
        own = []
        primary = rules.has_primary[t]
        for number, at in enumerate(rules.keys[t]):
            values = [v for row in content[table.name] if None not in (v := tuple(row[c] for c in at))]
            if len(set(values)) == len(values):
                own.append(at)
            elif number == 0:
                primary = False
        keys.append(tuple(own))
        has_primary.append(primary)
    references = []
    for r in rules.references:
        known = {tuple(as_key(row[c]) for c in r.parent_columns) for row in content[tables[r.parent].name]}
        children = (tuple(as_key(row[c]) for c in r.columns) for row in content[tables[r.child].name])
        broken = any(None not in key and key not in known for key in children)
        references.append(replace(r, hard=r.hard and not broken))
    return Rules(tuple(keys), tuple(has_primary), tuple(references))


def _nullable(schema: Schema, rules: Rules, content: Content) -> tuple[tuple[bool, ...], ...]:
    """Where NULL may stand: in columns of which it is not excluded that hold one already."""
    found = []
    for t, table in enumerate(schema.tables):
        primary = set(rules.keys[t][0]) if rules.has_primary[t] and rules.keys[t] else set()
        rows = content[table.name]
        found.append(
            tuple(
                not column.not_null and c not in primary and any(row[c] is None for row in rows)
                for c, column in enumerate(table.columns)
            )
        )
    return tuple(found)
