"""Counterexamples: the smallest legal content on which two queries answer differently, or none found.

record      what is found and shown
subject     the schema cut down to what the two queries read
sources     where contents come from: random ones in growing batches, the shipped one, a targeted search
dense       contents of few values, on which whatever is joined meets
targeted    the search made for near-misses that nothing separates
find        the steps in order

How a pair is compared on many contents, and how a content is shown, is ``testsuite.counterexample``.
"""

from distill.counterexample.find import (
    CounterexampleOptions,
    Finder,
    PairOfQueries,
    find_counterexample,
    find_counterexamples,
)
from distill.counterexample.record import Counterexample
from testsuite.counterexample.record import Difference, Shown

__all__ = [
    "Counterexample",
    "CounterexampleOptions",
    "Difference",
    "Finder",
    "PairOfQueries",
    "Shown",
    "find_counterexample",
    "find_counterexamples",
]
