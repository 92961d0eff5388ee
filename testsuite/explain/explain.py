"""Why one prediction is wrong: where it differs, the smallest counterexample, the causes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from testsuite.compare import Policy
from testsuite.counterexample.failing import FailingExample, FailingInstances
from testsuite.counterexample.record import Shown, plain_row
from testsuite.engine.session import QueryTimeout, Session
from testsuite.explain.causes import cause_of_fate
from testsuite.explain.confirm import causes_of
from testsuite.explain.record import Explanation, FoundCause, ShownAnswer, ShownExample
from testsuite.records import ItemResult
from testsuite.score.judge import Judge, JudgeOptions, open_judge
from testsuite.score.pairs import Pair
from testsuite.suite import Suite

# Trials of one repair: less than a prediction gets, for most are no better than what was refused.
_TRIAL_SECONDS = 5.0


@dataclass
class Explainer:
    """Explains the wrong predictions of one database.

    Use ``open_explainer`` to make one. Not for several threads at once.
    """

    suite: Suite
    judge: Judge
    examples: FailingInstances
    _accepted: dict[tuple[str, str], bool] = field(default_factory=dict)

    def explain(self, pair: Pair, result: ItemResult) -> Explanation:
        """Why an item is wrong.

        Args:
            pair: its queries.
            result: what scoring it concluded: ``test_suite`` is False.
        """
        lucky = bool(result.execution) and result.test_suite is False
        gold = pair.golds[min(result.matched_gold or 0, len(pair.golds) - 1)]
        count = self.suite.stack.count
        fate = cause_of_fate(result, pair.prediction)
        if fate is not None:
            return Explanation(pair.id, pair.db_id, lucky, (FoundCause(fate, True, None),), None, (), count)
        failing = self.failing(gold, pair.prediction) or self._noted(result)
        example = self.examples.smallest(gold, pair.prediction, failing) if failing else None
        causes = causes_of(gold, pair.prediction, self.suite.stack.schema, lambda sql: self.accepts(gold, sql, failing))
        shown = None if example is None else _shown(example)
        return Explanation(pair.id, pair.db_id, lucky, causes, shown, tuple(map(_name, failing)), count)

    def failing(self, gold: str, prediction: str) -> list[int]:
        """Positions of the instances on which they differ; empty where that can't be said."""
        own = self.judge.gold_answers(gold)
        if isinstance(own, tuple):
            return []
        try:
            other = self.judge.evaluator.answers(prediction, timeout=self.judge.options.timeout)
        except QueryTimeout:
            return []
        seen = self.judge.relate(own, other)
        return [int(place) for place in np.flatnonzero(seen.usable & ~seen.equal)]

    def accepts(self, gold: str, sql: str, first: Sequence[int] = ()) -> bool:
        """Whether the suite takes a query for the gold's equal.

        Args:
            gold: the gold's text.
            sql: the query's.
            first: instances that are likely to show a difference.
        """
        known = self._accepted.get((gold, sql))
        if known is None:
            known = self._accepted[gold, sql] = self._accepts(gold, sql)
        return known

    def _accepts(self, gold: str, sql: str) -> bool:
        own = self.judge.gold_answers(gold)
        if isinstance(own, tuple) or self.judge.evaluator.referee.valid(sql) is not None:
            return False
        try:
            other = self.judge.evaluator.answers(sql, timeout=_TRIAL_SECONDS)
        except QueryTimeout:
            return False
        seen = self.judge.relate(own, other)
        return bool(seen.usable.any()) and not bool((seen.usable & ~seen.equal).any())

    def _noted(self, result: ItemResult) -> list[int]:
        ids = list(self.judge.instance_ids)
        return [ids.index(name) for name in result.failed_on if name in ids]


def open_explainer(
    suite: Suite, session: Session, spare: Session, now: datetime, policy: Policy, options: JudgeOptions
) -> Explainer:
    """An explainer over a suite.

    Args:
        suite: the instances of one database.
        session: it will hold the suite.
        spare: another session, for contents that are being shrunk.
        now: the instant date functions see.
        policy: what counts as equal.
        options: budgets of queries.
    """
    judge = open_judge(suite, session, now, options)
    examples = FailingInstances(suite.stack, suite.manifest.shipped, spare, now, policy)
    return Explainer(suite, judge, examples)


def _name(place: int) -> str:
    return f"i{place:02d}"


def _shown(example: FailingExample) -> ShownExample:
    return ShownExample(
        example.script,
        example.rows,
        _name(example.instance),
        _answer(example.gold),
        _answer(example.prediction),
        example.difference is not None,
        example.only_open,
    )


def _answer(shown: Shown) -> ShownAnswer:
    return ShownAnswer(shown.columns, tuple(tuple(plain_row(row)) for row in shown.rows))
