"""Whether a prediction that is wrong for having too many columns holds the gold's answer among them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from testsuite.compare.answer import Answer, Cells
from testsuite.compare.hashing import U64, mix
from testsuite.compare.open import compare_open
from testsuite.compare.policy import Policy


def holds_gold(
    gold_low: Answer,
    gold_high: Answer | None,
    prediction_low: Answer,
    prediction_high: Answer | None,
    policy: Policy | None = None,
) -> bool:
    """Whether the prediction has more columns than the gold and, without the others, equals it on every instance.

    Says nothing of a verdict: it is for a remark beside one. Columns are found by the cells they hold, so a column
    that equals its gold only within the tolerance, or only after a LIMIT, may be missed; none is found that does not
    equal it.

    Args: as for ``compare_open``.
    """
    width = len(gold_low.columns)
    if not 0 < width < len(prediction_low.columns):
        return False
    chosen = _corresponding(gold_low, prediction_low)
    if chosen is None:
        return False
    kept = [None if one is None else _only(one, chosen) for one in (prediction_low, prediction_high)]
    assert kept[0] is not None
    positional = replace(policy or Policy(), columns="strict")
    found = compare_open(gold_low, gold_high, kept[0], kept[1], positional)
    return bool(found.informative.any()) and not len(found.failed)


def _corresponding(gold: Answer, prediction: Answer) -> list[int] | None:
    """For each column of the gold a column of the prediction that holds the same cells on each instance."""
    free: dict[bytes, list[int]] = {}
    for place, cells in enumerate(prediction.columns):
        free.setdefault(_contents(cells, prediction), []).append(place)
    chosen = []
    for cells in gold.columns:
        places = free.get(_contents(cells, gold))
        if not places:
            return None
        chosen.append(places.pop(0))
    return chosen


def _contents(cells: Cells, answer: Answer) -> bytes:
    """The same for columns that hold the same cells, in any order, on each instance."""
    sums: U64 = np.zeros(answer.instances, dtype=np.uint64)
    np.add.at(sums, answer.instance, mix(cells.code))
    return sums.tobytes()


def _only(answer: Answer, places: list[int]) -> Answer:
    names = tuple(answer.names[place] for place in places) if answer.names else ()
    return replace(answer, columns=tuple(answer.columns[place] for place in places), names=names)
