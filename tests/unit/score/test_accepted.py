"""Several accepted golds: right if one says so, wrong only if all do."""

from __future__ import annotations

import pytest

from testsuite.records import Fate, Item, ItemResult, any_of
from testsuite.score.accepted import judge_accepted
from testsuite.score.options import ScoreOptions

RIGHT = ItemResult("0", "d", Fate.OK, True, True, exact=False, hardness="hard")
LUCKY = ItemResult("0", "d", Fate.OK, False, True, exact=True, flags=("lucky_pass",), hardness="easy")
WRONG = ItemResult("0", "d", Fate.OK, False, False, exact=False, failed_on=("a",))
INVALID = ItemResult("0", "d", Fate.INVALID_PREDICTION, False, False, exact=False)
OPEN = ItemResult("0", "d", Fate.GOLD_ERROR, None, None, message="near")


def judged(*results, **options):
    item = Item("0", "d", "0", "p", accepted=tuple(map(str, range(1, len(results)))))
    asked = []

    def judge(one):
        assert one.accepted == ()
        asked.append(one.gold)
        return results[int(one.gold)]

    return judge_accepted(item, ScoreOptions(**options), judge), asked


@pytest.mark.parametrize(
    ("results", "fate", "test_suite", "execution", "matched"),
    [
        ((WRONG, RIGHT, OPEN), Fate.OK, True, True, 1),
        ((OPEN, RIGHT), Fate.OK, True, True, 1),
        ((WRONG, OPEN), Fate.GOLD_ERROR, None, None, None),
        ((WRONG, LUCKY), Fate.OK, False, True, None),
        ((LUCKY, OPEN), Fate.GOLD_ERROR, None, True, None),
        ((INVALID, INVALID), Fate.INVALID_PREDICTION, False, False, None),
    ],
)
def test_verdicts(results, fate, test_suite, execution, matched):
    found, _ = judged(*results)
    assert (found.fate, found.test_suite, found.execution, found.matched_gold) == (fate, test_suite, execution, matched)
    assert ("lucky_pass" in found.flags) == (test_suite is False and execution is True)
    assert found.hardness == results[0].hardness


def test_no_gold_is_asked_in_vain():
    assert judged(RIGHT, WRONG)[1] == ["0"]
    found, asked = judged(RIGHT, LUCKY, etype="all")
    assert asked == ["0", "1"]
    assert (found.test_suite, found.exact, found.matched_gold) == (True, True, 0)


def test_exact_set_match_alone():
    none = {"test_suite": None, "execution": None}
    from dataclasses import replace

    found, _ = judged(replace(WRONG, **none), replace(LUCKY, **none), etype="match")
    assert (found.exact, found.test_suite, found.matched_gold) == (True, None, 1)


def test_one_gold_is_no_choice():
    assert judged(RIGHT)[0] is RIGHT


def test_any():
    assert [any_of(v) for v in ([True, None], [None, False], [False, False])] == [True, None, False]
