"""What is measured of an item: one line per measure. Order here is order in every table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from testsuite.records import ItemResult

EXEC, MATCH, BIRD = "exec", "match", "bird"


@dataclass(frozen=True, slots=True)
class Measure:
    """A verdict on items: True, False, or None where nothing is said.

    Attributes:
        name: the field of records and of summary.json.
        title: what tables call it.
        kind: exec | match | bird: when it is asked for.
    """

    name: str
    title: str
    kind: str
    verdict: Callable[[ItemResult], bool | None]


MEASURES = (
    Measure("execution", "execution accuracy", EXEC, lambda r: r.execution),
    Measure("test_suite", "test-suite accuracy", EXEC, lambda r: r.test_suite),
    Measure("exact", "exact set match", MATCH, lambda r: r.exact),
    Measure("exact_strict", "exact match, strict", MATCH, lambda r: r.exact_strict),
    Measure("bird_ex", "BIRD execution acc.", BIRD, lambda r: r.bird_ex),
)
BY_NAME: Mapping[str, Measure] = {measure.name: measure for measure in MEASURES}

SOFT_F1 = "bird_soft_f1"
SOFT_F1_TITLE = "BIRD soft F1"


def asked(etype: str, results: Iterable[ItemResult]) -> tuple[Measure, ...]:
    """The measures a run is about: by its ``etype`` (exec, match, all), and BIRD's where a record has them."""
    kinds = {"exec": {EXEC}, "match": {MATCH}, "all": {EXEC, MATCH}}[etype]
    if any(result.bird_ex is not None for result in results):
        kinds = kinds | {BIRD}
    return tuple(measure for measure in MEASURES if measure.kind in kinds)


def verdicts(result: ItemResult) -> dict[str, bool | None]:
    """All verdicts of a record by the measure's name."""
    return {measure.name: measure.verdict(result) for measure in MEASURES}


def is_lucky(verdict: Mapping[str, bool | None]) -> bool:
    """Passes on the shipped instance, fails on the suite."""
    return verdict["execution"] is True and verdict["test_suite"] is False
