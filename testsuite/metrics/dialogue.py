"""Interactions of a dialogue: an interaction is right where every turn of it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from testsuite.records import ItemResult


def interactions(results: Sequence[ItemResult]) -> Mapping[int, list[ItemResult]]:
    """The records of each interaction by turn; empty where no record belongs to one."""
    found: dict[int, list[ItemResult]] = {}
    for result in results:
        if result.interaction is not None:
            found.setdefault(result.interaction, []).append(result)
    return {number: sorted(found[number], key=lambda r: r.turn or 0) for number in sorted(found)}


def all_right(verdicts: Iterable[bool | None]) -> bool | None:
    """True where all are, False where one is not, and None where a turn without a verdict would decide."""
    known = list(verdicts)
    if False in known:
        return False
    return None if None in known else True
