"""Figures from item results, each with its denominator. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from testsuite.records import UNSCORED_FATES, ItemResult


@dataclass(frozen=True, slots=True)
class Ratio:
    """``correct`` of ``of``; no value at all where ``of`` is 0."""

    correct: int
    of: int

    @property
    def value(self) -> float | None:
        return self.correct / self.of if self.of else None

    def __str__(self) -> str:
        return "-" if self.value is None else f"{100 * self.value:.1f} %"


def ratio(values: Iterable[bool | None]) -> Ratio:
    """The share of True among the values that are not None."""
    known = [value for value in values if value is not None]
    return Ratio(sum(known), len(known))


def is_lucky(result: ItemResult) -> bool:
    """Passes on the shipped instance, fails on the suite."""
    return result.execution is True and result.test_suite is False


def accuracies(results: Sequence[ItemResult]) -> dict[str, dict[str, int]]:
    """The three accuracies as ``{"correct", "of"}``."""
    found = {
        "test_suite": ratio(r.test_suite for r in results),
        "execution": ratio(r.execution for r in results),
        "exact": ratio(r.exact for r in results),
    }
    return {name: {"correct": value.correct, "of": value.of} for name, value in found.items()}


def breakdown(results: Sequence[ItemResult], key: Callable[[ItemResult], str | None]) -> dict[str, dict[str, object]]:
    """The accuracies per group; items without a key are left out."""
    groups: dict[str, list[ItemResult]] = {}
    for result in results:
        name = key(result)
        if name is not None:
            groups.setdefault(name, []).append(result)
    return {
        name: {"items": len(group), "lucky_passes": sum(map(is_lucky, group)), **accuracies(group)}
        for name, group in sorted(groups.items())
    }


def summarise(
    results: Sequence[ItemResult],
    options: Mapping[str, object],
    inputs: Mapping[str, object],
    versions: Mapping[str, str],
) -> dict[str, object]:
    """summary.json: figures with denominators, how they were made, and what they were made from."""
    audited = [r.audit for r in results if r.audit is not None]
    reasons = Counter(r.path_reason for r in results if r.path_reason)
    fates = Counter(r.fate.value for r in results)
    return {
        "items": len(results),
        "scored": sum(r.fate not in UNSCORED_FATES for r in results),
        "accuracy": accuracies(results),
        "lucky_passes": sum(map(is_lucky, results)),
        "fates": dict(sorted(fates.items())),
        "flags": dict(sorted(Counter(f for r in results for f in set(r.flags)).items())),
        "by": {
            "database": breakdown(results, lambda r: r.db_id),
            "hardness": breakdown(results, lambda r: r.hardness),
        },
        "paths": {
            **{p: sum(r.path == p for r in results) for p in ("stacked", "instance", "sqlite")},
            "none": sum(r.path is None for r in results),
            "reasons": dict(reasons.most_common()),
        },
        "audit": {
            "pairs": len(audited),
            "queries": sum(a[0] for a in audited),
            "disagreements": sum(a[1] for a in audited),
            "tie_dependent": sum(a[2] for a in audited),
        },
        "options": dict(options),
        "inputs": dict(inputs),
        "versions": dict(versions),
    }
