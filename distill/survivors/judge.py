"""Whether contents separate a pair: real SQLite and the comparison that verdicts use, nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from distill.survivors.frame import Content, Frame
from testsuite.compare import Policy, compare_open
from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Limits, Referee
from testsuite.suite import Row, Stack, stack_rows

# Instructions of SQLite bound a run; the seconds are only there for a machine that hangs.
_LIMITS = Limits(seconds=120.0, steps=30_000_000)
_POLICY = Policy()


@dataclass(frozen=True)
class Seen:
    """What a pair answered on some contents, one entry each.

    Attributes:
        separated: the gold is determined there and the other query answers otherwise.
        usable: the gold runs there and its answer is determined.
        rows: rows of the gold's answer and of the other's, two columns.
    """

    separated: NDArray[np.bool_]
    usable: NDArray[np.bool_]
    rows: NDArray[np.int64]


class Judge:
    """Compares one pair on contents. ``now`` is the instant that date functions see."""

    def __init__(self, frame: Frame, gold: str, neighbour: str, now: datetime) -> None:
        self._frame, self._gold, self._neighbour, self._now = frame, gold, neighbour, now

    def stack(self, stack: Stack) -> Seen:
        """The pair on every instance of a stack, on SQLite alone. An error of the neighbour is no separation."""
        referee = Referee(stack, _LIMITS)
        evaluator = Evaluator(stack, None, referee, self._now, engine="sqlite")
        every = range(stack.count)
        try:
            gold = evaluator.sqlite_answers(self._gold, every, 3600.0)
            other = evaluator.sqlite_answers(self._neighbour, every, 3600.0)
        finally:
            referee.close()
        seen = compare_open(gold.low, gold.high, other.low, other.high, _POLICY)
        failed = np.zeros(stack.count, dtype=np.bool_)
        failed[list(other.low.errors)] = True
        if other.high is not None:
            failed[list(other.high.errors)] = True
        rows = [np.bincount(a.low.instance, minlength=stack.count) for a in (gold, other)]
        return Seen(seen.usable & ~seen.equal & ~failed, seen.usable, np.stack(rows, axis=1))

    def contents(self, contents: Sequence[Mapping[str, Sequence[Row]]]) -> Seen:
        """The same on contents given as rows by table name."""
        return self.stack(stack_rows(self._frame.schema, contents, self._frame.storage))

    def confirmed(self, contents: Sequence[Content], most: int) -> list[Content]:
        """Of contents that separate the pair the first ``most`` that are legal, and separate it standing alone."""
        kept: list[Content] = []
        for content in contents:
            if len(kept) == most:
                break
            if not self._frame.illegal(content) and bool(self.contents([content]).separated[0]):
                kept.append(content)
        return kept
