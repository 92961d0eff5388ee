"""Partial-match figures over many items, as the published tables have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from testsuite.official.hardness import LEVELS, Hardness
from testsuite.official.match import COMPONENTS, Component, Match

Row: TypeAlias = Hardness | Literal["all"]


@dataclass(frozen=True, slots=True)
class PartialScore:
    """One cell of the tables: a component at a hardness.

    accuracy: share of equal ones among the predictions that have the component; 0 where none has it.
    recall: share of equal ones among the golds that have it; 0 where none has it.
    f1: their harmonic mean; 1 where both are 0, as the script has it.
    predictions, golds: what the two shares are of.
    """

    accuracy: float
    recall: float
    f1: float
    predictions: int
    golds: int


def partial_scores(items: Iterable[tuple[Hardness, Match]]) -> Mapping[Row, Mapping[str, PartialScore]]:
    """Figures by hardness (and `all`), then by component, over items given as (hardness of the gold, match)."""
    rows: tuple[Row, ...] = (*LEVELS, "all")
    found: dict[Row, dict[str, list[Component]]] = {row: {name: [] for name in COMPONENTS} for row in rows}
    for level, match in items:
        for name, component in match.components.items():
            found[level][name].append(component)
            found["all"][name].append(component)
    return {row: {name: _score(components) for name, components in columns.items()} for row, columns in found.items()}


def _score(components: Iterable[Component]) -> PartialScore:
    of_predictions = [component.equal for component in components if component.prediction > 0]
    of_golds = [component.equal for component in components if component.gold > 0]
    accuracy = sum(of_predictions) / len(of_predictions) if of_predictions else 0.0
    recall = sum(of_golds) / len(of_golds) if of_golds else 0.0
    f1 = 2 * accuracy * recall / (accuracy + recall) if accuracy + recall else 1.0
    return PartialScore(accuracy, recall, f1, len(of_predictions), len(of_golds))
