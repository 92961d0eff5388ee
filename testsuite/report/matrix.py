"""The kill matrix: wrong predictions x instances, one small picture a database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from testsuite.explain import Explanation
from testsuite.records import ItemResult
from testsuite.report.status import status_of

CELL = 8
"""Size of a cell, in units of the picture."""
RECORDED = 5
"""Records name at most so many instances on which the answers differ."""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A wrong item; ``y`` is where its row begins, ``title`` what it is."""

    id: str
    y: int
    title: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """One database.

    Attributes:
        shipped: whether the first column is the shipped instance.
        known: whether columns are all instances of the suite, in its order; else only those that a record names.
        differs, lucky, unknown: cells of each kind, as one SVG path.
    """

    db_id: str
    columns: int
    shipped: bool
    known: bool
    rows: tuple[MatrixRow, ...]
    width: int
    height: int
    differs: str
    lucky: str
    unknown: str


def _cells(found: Sequence[tuple[int, int]]) -> str:
    side = CELL - 1
    return "".join(f"M{CELL * x} {CELL * y}h{side}v{side}h-{side}z" for x, y in found)


def _all_places(explanation: Explanation | None, columns: int) -> list[int] | None:
    """Columns on which an item differs, as its explanation knows them all; None where it does not fit the suite."""
    if explanation is None or explanation.instances != columns or not explanation.differs_on:
        return None
    places = [int(name[1:]) for name in explanation.differs_on if name[1:].isdecimal()]
    return sorted(places) if len(places) == len(explanation.differs_on) and max(places) < columns else None


def matrix_of(
    db_id: str,
    results: Sequence[ItemResult],
    instances: Sequence[Mapping[str, Any]],
    explanations: Mapping[str, Explanation] | None = None,
) -> Matrix | None:
    """The matrix of one database; None where no prediction was seen to differ.

    Rows are predictions that run and differ, lucky passes first, then by the first instance that tells.

    Args:
        instances: of the suite's manifest; where they are missing, or do not hold an instance that a record names
            (the suite was built again since), the columns are the instances that records name, the busiest first.
        explanations: of items; they know all instances on which the answers differ, records only the first five.
    """
    wrong = [r for r in results if r.failed_on and r.test_suite is False]
    if not wrong:
        return None
    named = Counter(name for r in wrong for name in r.failed_on)
    ids = [str(note["id"]) for note in instances]
    known = set(named) <= set(ids)
    if not known:
        ids = sorted(named, key=lambda name: (-named[name], name))
    shipped = known and instances[0].get("origin") == "shipped"
    column = {name: number for number, name in enumerate(ids)}
    whole = {r.id: _all_places((explanations or {}).get(r.id), len(ids)) if known else None for r in wrong}
    found = {r.id: whole[r.id] or [column[name] for name in r.failed_on] for r in wrong}
    status = {r.id: status_of(r, "test_suite") for r in wrong}
    order = sorted(wrong, key=lambda r: (status[r.id] != "lucky", found[r.id], r.id))
    differs: list[tuple[int, int]] = []
    lucky: list[tuple[int, int]] = []
    unknown: list[tuple[int, int]] = []
    rows = []
    for y, result in enumerate(order):
        places = found[result.id]
        (lucky if status[result.id] == "lucky" else differs).extend((x, y) for x in places)
        cut = whole[result.id] is None and len(places) >= RECORDED
        if cut and known:
            unknown.extend((x, y) for x in range(max(places) + 1, len(ids)))
        many = f"at least {RECORDED} instances" if cut else f"{len(places)} instances"
        kind = "passed by luck" if status[result.id] == "lucky" else "wrong"
        rows.append(MatrixRow(result.id, CELL * y, f"item {result.id}, {kind}: differs on {many}"))
    return Matrix(
        db_id,
        len(ids),
        shipped,
        known,
        tuple(rows),
        CELL * len(ids),
        CELL * len(rows),
        _cells(differs),
        _cells(lucky),
        _cells(unknown),
    )


def matrices(
    results: Sequence[ItemResult],
    manifests: Mapping[str, Mapping[str, Any]],
    explanations: Mapping[str, Explanation] | None = None,
) -> list[Matrix]:
    """The matrices of a run, by database."""
    by_database: dict[str, list[ItemResult]] = {}
    for result in results:
        by_database.setdefault(result.db_id, []).append(result)
    found = (
        matrix_of(db_id, by_database[db_id], manifests.get(db_id, {}).get("instances", ()), explanations)
        for db_id in sorted(by_database)
    )
    return [matrix for matrix in found if matrix is not None]
