"""Strict verdicts on predictions without values: the gold's values are tried in their places.

Where slots and values stand is found as the published script finds them (``testsuite.official.plug``); what counts as
equal is decided by the strict rules, on every instance, for each filled query as for any other.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, permutations, product

from testsuite.engine.evaluate import Answers, part_of
from testsuite.engine.session import QueryTimeout
from testsuite.official.plug import template
from testsuite.official.sqltokens import TokenKind, sql_tokens
from testsuite.records import Fate, Item, ItemResult, any_of
from testsuite.score.judge import Judge
from testsuite.score.pool import Doing

MAX_TRIED = 1_000
"""Filled queries tried for one pair."""


def with_bare_placeholder(prediction: str) -> str:
    """The prediction with the number 1 for each word ``value`` outside of quotation marks."""
    return "".join(
        "1" if token.kind is TokenKind.OTHER and token.text.lower() == "value" else token.text
        for token in sql_tokens(prediction)
    )


def fillings(gold: str, prediction: str) -> tuple[int, Iterator[str]]:
    """How many ways there are to fill the prediction's slots from the gold's values, and the filled queries, each once.

    Those that use every value at most once come first, since most predictions that are right are among them. No
    query where there is no slot, or no value.
    """
    values, shape = template(gold).values, template(prediction)
    if not shape.slots or not values:
        return 0, iter(())
    once = permutations(values, shape.slots) if shape.slots <= len(values) else iter(())
    return len(values) ** shape.slots, _distinct(
        shape.filled(chosen) for chosen in chain(once, product(values, repeat=shape.slots))
    )


def _distinct(queries: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for query in queries:
        if query not in seen:
            seen.add(query)
            yield query


def judge_plugged(judge: Judge, item: Item, audit: bool = False) -> ItemResult:
    """The result of one item, right if the prediction or any filled form of it is.

    The figure on the shipped instance is decided likewise, of itself. A filled query that differs there on SQLite is
    not tried further. At most ``MAX_TRIED`` are tried, for as long as one prediction may take; a verdict cut short is
    flagged ``plug_capped``.
    """
    started = time.perf_counter()
    written = judge.judge(item, audit)
    prediction = item.prediction
    if written.fate is Fate.INVALID_PREDICTION:
        prediction = with_bare_placeholder(prediction)
    total, queries = fillings(item.gold, prediction)
    gold = judge.gold_answers(item.gold)
    if written.test_suite or isinstance(gold, tuple) or not total:
        return replace(written, plug_candidates=total, plug_tried=0)
    found = _try_all(judge, replace(item, prediction=prediction), gold, written, queries)
    flags = list(found.flags)
    if found.plug_tried == MAX_TRIED < total or "plug_late" in flags:
        flags = [flag for flag in flags if flag != "plug_late"]
        if not found.test_suite:
            flags.append("plug_capped")
    if found.test_suite is False and found.execution and "lucky_pass" not in flags:
        flags.append("lucky_pass")
    seconds = round(time.perf_counter() - started, 6)
    return replace(found, plug_candidates=total, flags=tuple(flags), audit=written.audit, seconds=seconds)


def _try_all(judge: Judge, item: Item, gold: Answers, written: ItemResult, queries: Iterator[str]) -> ItemResult:
    best, execution, tried = written, written.execution, 0
    scout = _Scout(judge, item.gold, gold)
    deadline = time.monotonic() + judge.options.timeout
    for query in queries:
        if tried == MAX_TRIED:
            break
        if time.monotonic() > deadline:
            best = replace(best, flags=(*best.flags, "plug_late"))
            break
        tried += 1
        agrees = scout.agrees(query)
        if agrees is False:
            continue
        result = judge.judge(replace(item, prediction=query))
        execution = any_of((execution, result.execution))
        if result.test_suite:
            return replace(result, execution=execution, plugged=True, plug_tried=tried)
        if _rank(result) > _rank(best):
            best = result
    return replace(best, execution=execution, plug_tried=tried)


def _rank(result: ItemResult) -> int:
    """Which of several records that are not right stands for the item: an open one, since it is no refutation, else
    one that is right on the shipped instance, else one that ran. The earlier of equals."""
    if result.fate is Fate.UNDETERMINED:
        return 3
    return 2 if result.execution else int(result.fate is Fate.OK)


class _Scout:
    """One instance on SQLite, asked before all of them: the shipped one, or else the first."""

    def __init__(self, judge: Judge, gold_sql: str, gold: Answers) -> None:
        self._judge = judge
        self._at = [judge.shipped or 0]
        self._gold: Answers | None = None
        try:
            with judge.guard(Doing.GOLD, judge.options.gold_timeout):
                self._gold = judge.evaluator.sqlite_answers(gold_sql, self._at, judge.options.gold_timeout)
        except QueryTimeout:
            self._gold = part_of(gold, self._at)

    def agrees(self, query: str) -> bool | None:
        """Whether a query answers like the gold there; None where the gold says nothing or the query took too long."""
        if self._judge.evaluator.referee.valid(query) is not None:
            return False
        try:
            with self._judge.guard(Doing.PREDICTION, self._judge.options.timeout):
                prediction = self._judge.evaluator.sqlite_answers(query, self._at, self._judge.options.timeout)
        except QueryTimeout:
            return None
        assert self._gold is not None
        seen = self._judge.relate(self._gold, prediction)
        return bool(seen.equal[0]) if bool(seen.usable[0]) else None
