"""How strong the suites are, from their manifests: near-misses separated, by database and operator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from testsuite.metrics import Share, percent

STEPS = ((1.0, "s4"), (0.98, "s3"), (0.9, "s2"), (0.5, "s1"), (0.0, "s0"))
"""Least share of a step of the colour scale, and its class in the style sheet."""


@dataclass(frozen=True, slots=True)
class StrengthCell:
    """Near-misses of one operator in one database; ``step`` is its colour, ``text`` what the pointer says."""

    step: str
    left: int
    text: str


@dataclass(frozen=True, slots=True)
class Strength:
    """The heat map: operators as rows, databases as columns, and the sums.

    Attributes:
        rows: operator, its cells in the order of the databases (None: it made no near-miss there), its share.
    """

    databases: tuple[str, ...]
    instances: int
    rows_in_all: int
    rows: tuple[tuple[str, tuple[StrengthCell | None, ...], str], ...]
    total: Share


def _step(share: Share) -> str:
    value = share.value or 0.0
    return next(name for least, name in STEPS if value >= least)


def _cell(name: str, db_id: str, counts: Mapping[str, int] | None) -> StrengthCell | None:
    if not counts or not counts.get("neighbours"):
        return None
    share = Share(counts["separated"], counts["neighbours"])
    text = f"{name}, {db_id}: {share.correct} of {share.of} separated"
    return StrengthCell(_step(share), share.of - share.correct, text)


def strength_of(manifests: Mapping[str, Mapping[str, Any]]) -> Strength | None:
    """The heat map; None where no manifest tells of near-misses (imported suites)."""
    operators = {db_id: manifest.get("operators") or {} for db_id, manifest in manifests.items()}
    names = sorted({name for made in operators.values() for name, counts in made.items() if counts.get("neighbours")})
    if not names:
        return None
    rows = []
    all_separated = all_made = 0
    for name in names:
        counts = [made[name] for made in operators.values() if name in made]
        share = Share(sum(c["separated"] for c in counts), sum(c["neighbours"] for c in counts))
        all_separated, all_made = all_separated + share.correct, all_made + share.of
        cells = tuple(_cell(name, db_id, operators[db_id].get(name)) for db_id in operators)
        rows.append((name, cells, f"{percent(share.value)} % of {share.of:,}"))
    notes = [note for manifest in manifests.values() for note in manifest.get("instances", ())]
    return Strength(
        tuple(operators), len(notes), sum(n["rows"] for n in notes), tuple(rows), Share(all_separated, all_made)
    )
