"""Test-suite accuracy: does a predicted query mean the same as the gold?

``load_results(path)`` reads what ``testsuite score -o`` wrote: records, summary, figures.
``Scorer(suites)`` scores pairs with engines that stay warm; ``rewards`` makes numbers of its verdicts for training.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from testsuite import rewards
    from testsuite.score.options import ScoreOptions
    from testsuite.score.results import Results, load_results
    from testsuite.scorer import Scorer

__all__ = ["Results", "ScoreOptions", "Scorer", "load_results", "rewards"]

_MODULES = {
    "Results": "testsuite.score.results",
    "ScoreOptions": "testsuite.score.options",
    "Scorer": "testsuite.scorer",
    "load_results": "testsuite.score.results",
}


def __getattr__(name: str) -> Any:
    # Commands and workers import this package too, and most need no figures: they are loaded when asked for.
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    if name == "rewards":
        return import_module("testsuite.rewards")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
