"""The search for what near-misses need, asked about any pair that random contents do not separate."""

from __future__ import annotations

import numpy as np

from distill.counterexample.subject import Subject
from distill.fuzz import NullPolicy
from distill.survivors import Budget, Judge, make_frame, search
from testsuite.counterexample.record import Gold
from testsuite.score.options import ScoreOptions
from testsuite.shrink import Content, frozen

# Random contents came first, so the ordinary generator is not asked again.
_BUDGET = Budget(wanted=3, generated=0)


def targeted_search(
    subject: Subject, queries: tuple[str, str], nulls: NullPolicy, gold: Gold, rng: np.random.Generator
) -> list[Content]:
    """Contents on which the search saw the two differ, with the first (or only B, where asked) as the gold.

    Args:
        subject: what contents are made for.
        queries: A and B.
        nulls: where NULL may stand.
        gold: which of the two may play the gold.
        rng: the only source of chance.
    """
    ordered = (queries[1], queries[0]) if gold == "b" else queries
    frame = make_frame(subject.schema, subject.shipped, subject.storage, subject.policies(nulls))
    judge = Judge(frame, *ordered, ScoreOptions().instant)
    _, found = search(frame, ordered, judge, rng, _BUDGET)
    return [frozen(content, subject.schema) for content in found]
