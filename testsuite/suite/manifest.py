"""What a suite says about itself: how it was made, why each instance was kept, how strong it is per gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class InstanceNote:
    """One kept instance: its content hash, where it came from, how many rows it has, and why it was kept."""

    id: str
    origin: str
    """``shipped``, ``generated``, ``searched`` (found for one near-miss) or ``imported``."""
    rows: int
    kept_for: int
    """Pairs of gold and neighbour for which the cover chose it."""


@dataclass(frozen=True, slots=True)
class GoldNote:
    """How well the suite tells one distinct gold from its near-misses."""

    sql: str
    items: int
    """Gold lines that hold this query."""
    neighbours: int
    separated: int
    """Neighbours that at least one kept instance separates, confirmed on SQLite."""
    equivalent: int
    """Candidate neighbours proved equal to the gold under the schema's constraints."""
    unknown: int
    informative: int
    """Kept instances on which the gold is determined and neither empty nor all NULL."""
    undetermined: int
    """Kept instances on which SQL leaves the gold's answer open."""
    path: str
    """``stacked`` or ``sqlite``."""
    reason: str = ""
    """Why it is not stacked, or does not run at all."""
    left: tuple[Mapping[str, str], ...] = ()
    """Neighbours that no candidate separates: ``{"operator", "sql"}``, and ``reason`` where they could not be run."""
    rules: Mapping[str, int] = field(default_factory=dict)
    """The rules by which neighbours were proved equivalent, with how many each."""


@dataclass(frozen=True)
class Manifest:
    """The manifest of one suite.

    ``operators`` holds for each operator how many neighbours it made that are not proved equivalent (``neighbours``),
    how many of them are ``separated`` and ``unknown``, and how many more are proved ``equivalent``; ``audit`` what
    running every gold on SQLite as well found; ``assumptions`` the constraints instances honour.
    """

    db_id: str
    instances: tuple[InstanceNote, ...]
    golds: tuple[GoldNote, ...] = ()
    seed: int | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    operators: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    audit: Mapping[str, int] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()
    candidates: int = 0

    def to_dict(self) -> dict[str, object]:
        """Plain JSON data; ``from_dict`` reads it back."""
        data = asdict(self)
        data["format_version"] = FORMAT_VERSION
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Manifest:
        """The manifest that ``to_dict`` wrote; KeyError or TypeError on other data."""
        raw: dict[str, object] = {name: data[name] for name in cls.__dataclass_fields__}
        raw["instances"] = tuple(InstanceNote(**note) for note in raw["instances"])  # type: ignore[attr-defined]
        raw["golds"] = tuple(
            GoldNote(**{**note, "left": tuple(note["left"])})
            for note in raw["golds"]  # type: ignore[attr-defined]
        )
        raw["assumptions"] = tuple(raw["assumptions"])  # type: ignore[arg-type]
        return cls(**raw)  # type: ignore[arg-type]

    @property
    def shipped(self) -> int | None:
        """The position of the shipped instance, None where the suite has none."""
        for position, note in enumerate(self.instances):
            if note.origin == "shipped":
                return position
        return None
