"""Distil suites of database instances that separate near-miss queries from golds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distill.counterexample import find_counterexample


def __getattr__(name: str) -> object:
    # Loaded when asked for: the engines take longer to load than most commands take.
    if name == "find_counterexample":
        from distill.counterexample import find_counterexample

        return find_counterexample
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["find_counterexample"]
