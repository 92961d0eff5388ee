"""Figures as they are placed on the page: positions in percent of a plot's width. Pure; nothing is counted here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from testsuite.metrics import Group, Measure, Share, percent


@dataclass(frozen=True, slots=True)
class Mark:
    """A share on an axis from 0 to 100 %.

    Attributes:
        kind: which series, a class of the style sheet.
        at, low, high: positions, as SVG writes them; empty where the share is of nothing.
        text: the share as a percentage.
        interval: its 95 % interval in words.
        counts: ``correct of of``.
    """

    kind: str
    at: str
    low: str
    high: str
    text: str
    interval: str
    counts: str


def position(value: float) -> str:
    """A share of the width, as SVG writes it."""
    return f"{100 * value:.2f}%"


def mark(kind: str, share: Share) -> Mark:
    """One share with its interval."""
    if share.value is None or share.interval is None:
        return Mark(kind, "", "", "", "–", "", "no item")
    low, high = share.interval
    return Mark(
        kind,
        position(share.value),
        position(low),
        position(high),
        percent(share.value),
        f"{percent(low)}–{percent(high)}",
        f"{share.correct:,} of {share.of:,}",
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One group of a breakdown: a mark per measure (one run), or per run (several)."""

    label: str
    items: int
    marks: tuple[Mark, ...]
    lucky: tuple[int, ...]


def rows_of_run(groups: Sequence[Group], measures: Sequence[Measure]) -> list[Row]:
    """A breakdown of one run, by the names of its groups."""
    return [
        Row(g.name, g.items, tuple(mark(m.name, g.shares[m.name]) for m in measures), (g.lucky_passes,)) for g in groups
    ]


def rows_of_runs(groups: Sequence[Mapping[str, Group]], measure: str) -> list[Row]:
    """A breakdown of several runs by one measure; every run has the same groups."""
    return [
        Row(
            name,
            group.items,
            tuple(mark(measure, by_name[name].shares[measure]) for by_name in groups),
            tuple(by_name[name].lucky_passes for by_name in groups),
        )
        for name, group in groups[0].items()
        if all(name in by_name for by_name in groups)
    ]


@dataclass(frozen=True, slots=True)
class Bar:
    """A count in a bar chart; ``width`` is in percent of the longest bar, ``text`` says more than the count."""

    label: str
    count: int
    width: str
    text: str = ""


def bars(counts: Mapping[str, int], texts: Mapping[str, str] | None = None) -> list[Bar]:
    """Bars in the order given, the longest over the whole width."""
    longest = max(counts.values(), default=0)
    return [
        Bar(label, count, position(count / longest if longest else 0.0), (texts or {}).get(label, ""))
        for label, count in counts.items()
    ]
