"""What the probe says of an item: one line of RESULTS/probe.jsonl."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from testsuite.jsonl import read_records, write_records

PROBE = "probe.jsonl"


class Outcome(StrEnum):
    """How the probe of an accepted prediction ended."""

    HOLDS = "holds"
    """It equals the gold on every fresh instance on which the gold is determined."""
    REFUTED = "refuted"
    """SQLite shows a difference on a fresh instance."""
    TIES = "ties"
    """SQLite shows a difference, but only in what ties leave open."""
    SAME = "same"
    """It is the gold but for spelling; nothing was run."""
    UNPROBED = "unprobed"
    """Nothing can be said; the record has the reason."""


@dataclass(frozen=True, slots=True)
class ProbeRecord:
    """The probe of one item.

    Attributes:
        id: the item.
        db_id: its database.
        outcome: how it ended.
        instances: fresh instances made for the pair; 0 where none were.
        usable: on how many of them the gold is determined.
        seed: the seed they were made with.
        instance: index among them of the smallest on which SQLite shows the difference; None without any.
        rows: rows that this instance holds.
        reason: why nothing can be said; empty elsewhere.
    """

    id: str
    db_id: str
    outcome: Outcome
    instances: int = 0
    usable: int = 0
    seed: int = 0
    instance: int | None = None
    rows: int | None = None
    reason: str = ""

    @property
    def refuted(self) -> bool:
        """Whether a fresh instance refutes the prediction."""
        return self.outcome is Outcome.REFUTED

    def to_dict(self) -> dict[str, object]:
        """Plain JSON data: the fields, and ``refuted``."""
        return {**asdict(self), "outcome": self.outcome.value, "refuted": self.refuted}

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> ProbeRecord:
        """The record that ``to_dict`` wrote; KeyError, TypeError or ValueError on other data."""
        raw = {name: data[name] for name in cls.__slots__}
        raw["outcome"] = Outcome(str(raw["outcome"]))
        return cls(**raw)  # type: ignore[arg-type]


def write_probe(directory: Path, records: Iterable[ProbeRecord]) -> Path:
    """Write RESULTS/probe.jsonl, so that a reader sees the old file or the new one.

    Raises:
        InputError: the file can't be written.
    """
    path = directory / PROBE
    write_records(path, (record.to_dict() for record in records))
    return path


def load_probe(directory: Path) -> dict[str, ProbeRecord]:
    """The probe of a run by item id, in the golds' order.

    Raises:
        InputError: there is no probe.jsonl, or a line of it is damaged.
    """
    advice = f"`distill probe {directory}` writes it"
    damaged = "not a record of `distill probe`; give the command again"
    records = read_records(directory / PROBE, ProbeRecord.from_dict, advice, damaged)
    return {record.id: record for record in records}
