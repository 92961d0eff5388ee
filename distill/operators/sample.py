"""The schema over which the operators' examples are written."""

from __future__ import annotations

from testsuite.schema.model import Column, ForeignKey, Schema, Table, affinity_of


def _column(text: str) -> Column:
    name, declared, *rest = text.split()
    return Column(name, declared, affinity_of(declared), not_null=bool(rest))


def _table(name: str, columns: str, key: str, *foreign: tuple[str, str, str]) -> Table:
    return Table(
        name,
        tuple(_column(part) for part in columns.split(", ")),
        primary_key=tuple(key.split()),
        foreign_keys=tuple(ForeignKey((c,), p, (pc,)) for c, p, pc in foreign),
    )


SAMPLE = Schema(
    "sample",
    (
        _table("club", "id INTEGER !, name TEXT, city TEXT, founded INTEGER", "id"),
        _table(
            "player",
            "id INTEGER !, name TEXT, age INTEGER, height REAL, club_id INTEGER !, loan_club_id INTEGER, born TEXT",
            "id",
            ("club_id", "club", "id"),
            ("loan_club_id", "club", "id"),
        ),
        _table("coach", "id INTEGER !, name TEXT, age INTEGER, club_id INTEGER", "id", ("club_id", "club", "id")),
    ),
)
