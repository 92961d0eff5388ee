"""The verdict on one pair: compare the two queries on every instance of a suite, and be sure before refusing one.

A pair is called different only when SQLite itself shows the difference on an instance where the gold is determined.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from testsuite.compare import Comparison, Policy, compare_open, holds_gold
from testsuite.engine.evaluate import Answers, Evaluator
from testsuite.engine.referee import TIMEOUT, TOO_LARGE, Referee, RunStoppedError
from testsuite.engine.session import QueryTimeout, Session
from testsuite.records import Fate, Item, ItemResult
from testsuite.score.guard import Guard, unguarded
from testsuite.score.pool import Doing
from testsuite.suite import Suite

# Instances on which a difference is confirmed; one is enough, so it stops at the first that SQLite confirms.
_CONFIRM_AT_MOST = 3


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """What decides verdicts. Budgets are seconds for all instances of a suite together."""

    policy: Policy = field(default_factory=Policy)
    timeout: float = 30.0
    gold_timeout: float = 120.0


@dataclass
class Judge:
    """Scores pairs over one suite.

    Args:
        evaluator: the engines over the suite's instances.
        instance_ids: content hash of each instance.
        shipped: position of the shipped instance, None where the suite has none.
        options: policies and budgets.
        guard: put around every run of a query; it may end the process, so only workers have one that does.
    """

    evaluator: Evaluator
    instance_ids: Sequence[str]
    shipped: int | None
    options: JudgeOptions
    cache_size: int = 256
    guard: Guard = unguarded
    _spent: float = 0.0
    _golds: OrderedDict[str, Answers | tuple[Fate, str]] = field(default_factory=OrderedDict)
    _selves: OrderedDict[str, Comparison] = field(default_factory=OrderedDict)
    """Golds compared with themselves, for predictions that are the same up to spelling."""

    def judge(self, item: Item, audit: bool = False) -> ItemResult:
        """The result of one item. Never raises for anything the two queries do."""
        started = time.perf_counter()
        mismatches = self.evaluator.referee.mismatches
        mismatches.clear()
        self._spent = 0.0
        result = self._judge(item, audit)
        # SQLite's own order was outside what the sort keys admit: its rows stood, and the event is reported.
        flags = (*result.flags, "order_mismatch") if mismatches else result.flags
        return replace(result, flags=flags, seconds=round(time.perf_counter() - started, 6))

    @contextmanager
    def allowed(self) -> Iterator[float]:
        """Around one run of a prediction: the seconds that it has left of its budget for all its runs.

        Raises:
            QueryTimeout: none are left.
            RunStoppedError: memory ran out.
        """
        left = self.options.timeout - self._spent
        if left <= 0:
            raise QueryTimeout(f"the prediction took more than {self.options.timeout:g} s")
        started = time.monotonic()
        try:
            with self.guard(Doing.PREDICTION, left):
                yield left
        except MemoryError as error:
            raise RunStoppedError(TOO_LARGE) from error
        finally:
            self._spent += time.monotonic() - started

    def gold_answers(self, sql: str) -> Answers | tuple[Fate, str]:
        """The gold's answers on all instances, or why there are none. Kept for the next item with this gold."""
        known = self._golds.get(sql)
        if known is None:
            with self.guard(Doing.GOLD, self.options.gold_timeout):
                known = self._ask_gold(sql)
            self._golds[sql] = known
            if len(self._golds) > self.cache_size:
                self._golds.popitem(last=False)
        return known

    def _ask_gold(self, sql: str) -> Answers | tuple[Fate, str]:
        reason = self.evaluator.referee.valid(sql)
        if reason is not None:
            return Fate.GOLD_ERROR, reason
        try:
            answers = self.evaluator.answers(sql, timeout=self.options.gold_timeout)
        except QueryTimeout:
            return Fate.GOLD_TIMEOUT, f"the gold took more than {self.options.gold_timeout:g} s"
        errors = answers.low.errors
        if TIMEOUT in errors.values():
            return Fate.GOLD_TIMEOUT, f"the gold took too long on {list(errors.values()).count(TIMEOUT)} instances"
        if len(errors) == self.evaluator.stack.count:
            return Fate.GOLD_ERROR, next(iter(errors.values()))
        return answers

    def _judge(self, item: Item, audit: bool) -> ItemResult:
        gold = self.gold_answers(item.gold)
        if isinstance(gold, tuple):
            return ItemResult(item.id, item.db_id, gold[0], None, None, message=gold[1])
        with self.allowed():
            reason = self.evaluator.referee.valid(item.prediction)
        if reason is not None:
            return ItemResult(item.id, item.db_id, Fate.INVALID_PREDICTION, False, False, message=reason)
        try:
            with self._room_for(gold):
                return self._compare(item, gold, audit)
        except RunStoppedError:
            message = "the prediction's answer is too large"
            return ItemResult(item.id, item.db_id, Fate.TOO_LARGE, False, False, message=message)
        except QueryTimeout:
            message = f"the prediction took more than {self.options.timeout:g} s"
            return ItemResult(item.id, item.db_id, Fate.PREDICTION_TIMEOUT, False, False, message=message)

    def _compare(self, item: Item, gold: Answers, audit: bool) -> ItemResult:
        evaluator = self.evaluator
        with self.allowed():
            same_text = evaluator.prepare(item.gold).normal == evaluator.prepare(item.prediction).normal
        # On SQLite a query that is spelled otherwise may run into another limit, and is asked for itself.
        known = same_text and self.options.policy.columns != "name" and gold.worst_path != "sqlite"
        if known:
            prediction = gold
        else:
            with self.allowed() as seconds:
                prediction = evaluator.answers(item.prediction, timeout=seconds)
        stopped = set(prediction.low.errors.values()) & {TIMEOUT, TOO_LARGE}
        if stopped:
            fate = Fate.PREDICTION_TIMEOUT if TIMEOUT in stopped else Fate.TOO_LARGE
            message = f"the prediction ran into a limit of SQLite's ({', '.join(sorted(stopped))})"
            return ItemResult(item.id, item.db_id, fate, False, False, path="sqlite", message=message)
        flags: list[str] = []
        # A pair went the slower of its two ways.
        slower = gold if gold.path.max(initial=0) > prediction.path.max(initial=0) else prediction
        path, reason = slower.worst_path, slower.reason
        comparison = self._with_itself(item.gold, gold) if known else self.relate(gold, prediction)
        failed = np.flatnonzero(comparison.usable & ~comparison.equal)
        if len(failed) and not self._confirmed(item, comparison, failed):
            # SQLite sees no difference where the fast path does: SQLite wins, and the event is reported.
            flags.append("engines_disagree")
            every = range(evaluator.stack.count)
            gold, prediction = self._on_sqlite(item, every)
            path, reason = "sqlite", "refutation not confirmed"
            comparison = self.relate(gold, prediction)
            failed = np.flatnonzero(comparison.usable & ~comparison.equal)
        usable = int(comparison.usable.sum())
        informative = int((comparison.usable & comparison.informative).sum())
        if usable < evaluator.stack.count:
            flags.append("gold_partly_undetermined" if usable else "gold_undetermined")
        counts = self._audit(item, flags) if audit else None
        execution = self._execution(item, comparison, same_text)
        if len(prediction.low.errors) == evaluator.stack.count:
            message = next(iter(prediction.low.errors.values()))
            return ItemResult(
                item.id, item.db_id, Fate.PREDICTION_ERROR, False, False, path=path, path_reason=reason, message=message
            )
        # Agreement where the gold is empty says nothing of a gold that is open wherever it is not.
        if not same_text and not (len(failed) or informative) and usable < evaluator.stack.count:
            opened = ", ".join(evaluator.prepare(item.gold).open_choices) or "the gold fails"
            return ItemResult(
                item.id,
                item.db_id,
                Fate.UNDETERMINED,
                None,
                execution,
                path=path,
                path_reason=reason,
                flags=tuple(flags),
                message=f"the gold's answer is open on every instance that would tell ({opened})",
                audit=counts,
            )
        passed = not len(failed)
        if passed and not informative:
            flags.append("no_informative_instance")
        if passed and comparison.permutation is not None:
            flags.append("columns_permuted")
        if not passed and bool(comparison.tie_only[failed].all()):
            flags.append("differs_only_in_ties")
        if not passed and holds_gold(gold.low, gold.high, prediction.low, prediction.high, self.options.policy):
            flags.append("extra_columns")
        if passed is False and execution:
            flags.append("lucky_pass")
        return ItemResult(
            item.id,
            item.db_id,
            Fate.OK,
            passed,
            execution,
            instances=usable,
            informative=informative,
            failed_on=tuple(self.instance_ids[int(i)] for i in failed[:5]),
            path=path,
            path_reason=reason,
            flags=tuple(flags),
            audit=counts,
            agreed=int((comparison.usable & comparison.informative & comparison.equal).sum()),
            telling=int((comparison.usable & (comparison.informative | ~comparison.equal)).sum()),
        )

    def _with_itself(self, sql: str, gold: Answers) -> Comparison:
        known = self._selves.get(sql)
        if known is None:
            known = self._selves[sql] = self.relate(gold, gold)
            if len(self._selves) > self.cache_size:
                self._selves.popitem(last=False)
        return known

    @contextmanager
    def _room_for(self, gold: Answers) -> Iterator[None]:
        """Let SQLite give as many rows beyond its bound as the gold has: what equals the gold is never too large."""
        referee = self.evaluator.referee
        limits = referee.limits
        most = int(np.bincount(gold.low.instance).max(initial=0))
        referee.limits = replace(limits, rows=limits.rows + most)
        try:
            yield
        finally:
            referee.limits = limits

    def relate(self, gold: Answers, prediction: Answers) -> Comparison:
        """The comparison of two answers on the same instances, by this judge's policy."""
        return compare_open(gold.low, gold.high, prediction.low, prediction.high, self.options.policy)

    def _confirmed(self, item: Item, comparison: Comparison, failed: NDArray[np.int64]) -> bool:
        """Whether SQLite shows the difference too, on the instances that show it most cheaply."""
        size = self.evaluator.stack.row_counts
        if comparison.joint:
            tried = [[int(i)] for i in failed[np.argsort(size[failed], kind="stable")][:_CONFIRM_AT_MOST]]
        else:
            # The answers agree instance by instance, but no one order of columns serves all of them.
            tried = [list(range(self.evaluator.stack.count))]
        for instances in tried:
            gold, prediction = self._on_sqlite(item, instances)
            seen = self.relate(gold, prediction)
            if bool((seen.usable & ~seen.equal).any()):
                return True
        return False

    def _on_sqlite(self, item: Item, instances: Sequence[int]) -> tuple[Answers, Answers]:
        with self.guard(Doing.GOLD, self.options.gold_timeout):
            gold = self.evaluator.sqlite_answers(item.gold, instances, self.options.gold_timeout)
        with self.allowed() as seconds:
            prediction = self.evaluator.sqlite_answers(item.prediction, instances, seconds)
        # A run that SQLite had to stop shows no difference, and says nothing against the fast path's.
        stopped = set(prediction.low.errors.values())
        if TIMEOUT in stopped:
            raise QueryTimeout(f"SQLite stopped the prediction on {len(instances)} instances")
        if TOO_LARGE in stopped:
            raise RunStoppedError(TOO_LARGE)
        return gold, prediction

    def _execution(self, item: Item, comparison: Comparison, same_text: bool) -> bool | None:
        """Agreement on the shipped instance; where the gold is open there, of the rows SQLite happens to give."""
        if self.shipped is None:
            return None
        if bool(comparison.usable[self.shipped]):
            return bool(comparison.equal[self.shipped])
        if same_text:
            return True
        referee = self.evaluator.referee
        texts = [self.evaluator.prepare(sql).low.text for sql in (item.gold, item.prediction)]
        with self.guard(Doing.GOLD, self.options.timeout):
            gold = referee.answer(texts[0], [self.shipped], deadline=time.monotonic() + self.options.timeout)
        with self.allowed() as seconds:
            prediction = referee.answer(texts[1], [self.shipped], deadline=time.monotonic() + seconds)
        seen = compare_open(gold, None, prediction, None, self.options.policy)
        return bool(seen.equal[0]) if bool(seen.usable[0]) else None

    def _audit(self, item: Item, flags: list[str]) -> tuple[int, int, int]:
        """Run both queries on SQLite as well, on every instance, and count where the engines differ."""
        every = list(range(self.evaluator.stack.count))
        pairs = disagreements = ties = 0
        strict = Policy(columns="strict")
        for sql in dict.fromkeys((item.gold, item.prediction)):
            doing = Doing.GOLD if sql == item.gold else Doing.PREDICTION
            with self.guard(doing, 2 * self.options.gold_timeout):
                fast = self.evaluator.answers(sql, timeout=self.options.gold_timeout)
                slow = self.evaluator.sqlite_answers(sql, every, self.options.gold_timeout)
            pairs += 1
            low = compare_open(slow.low, None, fast.low, None, strict)
            wrong = ~low.equal & low.usable
            opened = np.zeros(len(every), dtype=bool)
            if slow.high is not None and fast.high is not None:
                high = compare_open(slow.high, None, fast.high, None, strict)
                wrong |= ~high.equal & high.usable
                opened = ~compare_open(slow.low, slow.high, slow.low, slow.high, strict).usable
            wrong |= np.array([(i in fast.low.errors) != (i in slow.low.errors) for i in every])
            # Where both ran on SQLite there are no two engines to differ.
            wrong &= fast.path != 2
            ties += bool((wrong & opened).any() and not (wrong & ~opened).any())
            if bool((wrong & ~opened).any()):
                disagreements += 1
                flags.append("audit_disagreement")
        return pairs, disagreements, ties


def open_judge(
    suite: Suite,
    session: Session | None,
    now: datetime,
    options: JudgeOptions,
    engine: str = "auto",
    guard: Guard = unguarded,
) -> Judge:
    """A judge over a suite, whose instances are loaded into the session (None: everything runs on SQLite)."""
    if session is not None:
        session.load(suite.stack)
    return Judge(
        Evaluator(suite.stack, session, Referee(suite.stack), now, engine),
        [note.id for note in suite.manifest.instances],
        suite.manifest.shipped,
        options,
        guard=guard,
    )
