"""Queries whose answer SQL leaves open: compared in both readings, all open choices taken low and all taken high."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from testsuite.compare.answer import UNSURE, Answer
from testsuite.compare.merge import merge_answers
from testsuite.compare.policy import Comparison, Policy, Reason
from testsuite.compare.verdict import compare
from testsuite.compare.window import Mask

_STRICT = Policy(columns="strict")


def determined(low: Answer, high: Answer) -> Mask:
    """Instances on which a query answers the same in both readings, columns in order and ties alike."""
    if low is high:
        return compare(low, low, _STRICT).usable
    there, back = compare(low, high, _STRICT), compare(high, low, _STRICT)
    same: Mask = there.equal & back.equal
    return same


def compare_open(
    gold_low: Answer,
    gold_high: Answer | None,
    prediction_low: Answer,
    prediction_high: Answer | None,
    policy: Policy | None = None,
) -> Comparison:
    """Compare two queries that may leave choices open.

    An instance is usable only where the gold is determined. There, the prediction must equal the gold in both of
    its readings, under one order of columns. Where its high reading is ``UNSURE`` it may give other answers than the
    two: if those equal the gold's, the instance says nothing.

    Args:
        gold_low: the gold with open choices taken low.
        gold_high: with them taken high; None where it has none.
        prediction_low: the prediction with open choices taken low.
        prediction_high: with them taken high; None where it has none.
        policy: what counts as equal; the default policy where None.
    """
    count = gold_low.instances
    if prediction_high is None or prediction_high is prediction_low:
        result = compare(gold_low, prediction_low, policy)
    else:
        both = compare(_twice(gold_low, gold_low), _twice(prediction_low, prediction_high), policy)
        result = _fold(both, count)
        unsure = (
            np.array([prediction_high.errors.get(i) == UNSURE for i in range(count)], dtype=bool) & both.equal[:count]
        )
        if unsure.any():
            result = _without(result, unsure)
    if gold_high is None or gold_high is gold_low:
        return result
    return _without(result, ~determined(gold_low, gold_high))


def _without(result: Comparison, hidden: Mask) -> Comparison:
    """The comparison with some instances no longer usable."""
    usable = result.usable & ~hidden
    reason = np.where(usable, result.reason, np.uint8(Reason.GOLD_ERROR))
    return replace(
        result,
        equal=result.equal & usable,
        usable=usable,
        informative=result.informative & usable,
        tie_only=result.tie_only & usable,
        reason=reason,
    )


def _twice(low: Answer, high: Answer) -> Answer:
    """One answer over all instances of the first, then all of the second."""
    count = low.instances
    if low.columns and high.columns and len(low.columns) != len(high.columns):
        raise ValueError("two readings of one query have different widths")
    return merge_answers(2 * count, [(range(count), low), (range(count, 2 * count), high)])


def _fold(both: Comparison, count: int) -> Comparison:
    """A comparison over twice the instances as one over them: equal where both are."""
    low, high = slice(0, count), slice(count, 2 * count)
    equal = both.equal[low] & both.equal[high]
    tie = (both.equal | both.tie_only)[low] & (both.equal | both.tie_only)[high] & ~equal
    return Comparison(
        equal,
        both.usable[low] & both.usable[high],
        both.informative[low],
        tie,
        np.where(both.equal[low], both.reason[high], both.reason[low]),
        both.permutation,
        both.joint,
        both.complete,
    )
