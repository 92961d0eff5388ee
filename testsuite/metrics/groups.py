"""What accuracies are broken down by: one line per breakdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from testsuite.official import LEVELS
from testsuite.query.clauses import COMPONENT_NAMES
from testsuite.records import ItemResult

TURNS = ("1", "2", "3", "4", "> 4")
"""Turns of a dialogue as the published tables have them."""
DIFFICULTIES = ("simple", "moderate", "challenging")
"""BIRD's, in order."""


def natural(name: str) -> tuple[tuple[bool, int, str], ...]:
    """A sort key: numbers inside names by value, so that item 10 follows item 9."""
    parts = re.split(r"(\d+)", name)
    return tuple((not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts if part)


@dataclass(frozen=True, slots=True)
class Dimension:
    """One breakdown.

    Attributes:
        name: what it is called in summary.json and after ``--by``.
        title: heading of its column in tables.
        names: the groups a record belongs to; none where it has no such thing.
        order: groups that stand first, in order; others follow by name.
    """

    name: str
    title: str
    names: Callable[[ItemResult], tuple[str, ...]]
    order: tuple[str, ...] = ()

    def split(self, results: Sequence[ItemResult]) -> Mapping[str, list[ItemResult]]:
        """The records of each group, in order; only groups that have any."""
        groups: dict[str, list[ItemResult]] = {}
        for result in results:
            for name in self.names(result):
                groups.setdefault(name, []).append(result)
        ranks = {name: rank for rank, name in enumerate(self.order)}
        return {name: groups[name] for name in sorted(groups, key=lambda n: (ranks.get(n, len(ranks)), natural(n)))}


def _turn(result: ItemResult) -> tuple[str, ...]:
    if result.turn is None:
        return ()
    return (TURNS[min(result.turn, len(TURNS)) - 1],)


DIMENSIONS = (
    Dimension("hardness", "hardness", lambda r: (r.hardness or "unknown",), LEVELS),
    Dimension("difficulty", "difficulty", lambda r: (r.difficulty,) if r.difficulty else (), DIFFICULTIES),
    Dimension("database", "database", lambda r: (r.db_id,)),
    Dimension("component", "gold has", lambda r: r.components, COMPONENT_NAMES),
    Dimension("turn", "turn", _turn, TURNS),
)
