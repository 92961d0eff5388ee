"""Test-suite accuracy: does a predicted query mean the same as the gold?

``load_results(path)`` reads what ``testsuite score -o`` wrote: records, summary, figures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from testsuite.score.results import Results, load_results

__all__ = ["Results", "load_results"]


def __getattr__(name: str) -> Any:
    # Commands and workers import this package too, and most need no figures: they are loaded when asked for.
    if name in __all__:
        from testsuite.score import results

        return getattr(results, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
