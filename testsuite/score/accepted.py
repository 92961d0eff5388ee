"""Items with several golds that are all right: the pair is right if the prediction equals any of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from testsuite.records import Item, ItemResult, any_of
from testsuite.score.options import ScoreOptions


def judge_accepted(item: Item, options: ScoreOptions, judge: Callable[[Item], ItemResult]) -> ItemResult:
    """The result of one item, from a verdict against each of its golds.

    Right where one verdict is; wrong only where all are; else without a verdict, as the gold that has none. The
    other figures likewise, each of itself; ``hardness`` is the first gold's.
    """
    if not item.accepted:
        return judge(item)
    results: list[ItemResult] = []
    for gold in (item.gold, *item.accepted):
        result = judge(replace(item, gold=gold, accepted=()))
        results.append(result)
        if (result.test_suite or not options.executes) and (result.exact or not options.matches) and not options.bird:
            break
    return combined(results, options)


def combined(results: Sequence[ItemResult], options: ScoreOptions) -> ItemResult:
    """One record of an item's verdicts against its golds, in their order."""
    verdicts = [result.test_suite if options.executes else result.exact for result in results]
    execution = any_of([result.execution for result in results])
    if True in verdicts:
        at = verdicts.index(True)
    elif None in verdicts:
        at = verdicts.index(None)
    else:
        at = next((n for n, result in enumerate(results) if result.execution), 0)
    chosen = results[at]
    passed = any_of([result.test_suite for result in results])
    flags = [flag for flag in chosen.flags if flag != "lucky_pass"]
    if passed is False and execution:
        flags.append("lucky_pass")
    scores = [result.bird_soft_f1 for result in results if result.bird_soft_f1 is not None]
    return replace(
        chosen,
        test_suite=passed,
        execution=execution,
        exact=any_of([result.exact for result in results]),
        exact_strict=any_of([result.exact_strict for result in results]),
        hardness=results[0].hardness,
        bird_ex=any_of([result.bird_ex for result in results]),
        bird_soft_f1=max(scores, default=None),
        flags=tuple(flags),
        matched_gold=at if verdicts[at] else None,
        seconds=round(sum(result.seconds for result in results), 6),
    )
