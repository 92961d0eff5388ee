"""What is scored and what is concluded: frozen records and fates. No logic, no engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum


class Fate(StrEnum):
    """What befell the run of one item. Only ``ok`` says equal or different."""

    OK = "ok"
    INVALID_PREDICTION = "invalid_prediction"
    PREDICTION_ERROR = "prediction_error"
    PREDICTION_TIMEOUT = "prediction_timeout"
    TOO_LARGE = "too_large"
    GOLD_ERROR = "gold_error"
    GOLD_TIMEOUT = "gold_timeout"
    UNDETERMINED = "undetermined"
    INFRASTRUCTURE = "infrastructure"


# Fates in which the prediction is at fault: the item counts as wrong.
WRONG_FATES = frozenset({Fate.INVALID_PREDICTION, Fate.PREDICTION_ERROR, Fate.PREDICTION_TIMEOUT, Fate.TOO_LARGE})
# Fates in which nothing can be said of the prediction: the item has no verdict and is counted apart.
UNSCORED_FATES = frozenset({Fate.GOLD_ERROR, Fate.GOLD_TIMEOUT, Fate.UNDETERMINED, Fate.INFRASTRUCTURE})


@dataclass(frozen=True, slots=True)
class Item:
    """One pair to score: the gold and the predicted query of one question."""

    id: str
    db_id: str
    gold: str
    prediction: str
    line: str = ""
    """Where it stands, for messages: ``file:line``."""
    accepted: tuple[str, ...] = ()
    """Further golds that are right as well."""
    difficulty: str | None = None
    """As the gold file gives it (BIRD)."""
    interaction: int | None = None
    """Index of its interaction in a file of several (SParC, CoSQL)."""
    turn: int | None = None
    """Place in the interaction, from 1."""
    gold_joined: bool = False
    """Whether the gold's comparison signs were written apart (``> =``) and joined, the prediction's likewise."""


@dataclass(frozen=True, slots=True)
class ItemResult:
    """What is concluded of one item: one line of items.jsonl.

    ``test_suite``, ``execution`` (on the shipped instance) and ``exact`` are True, False, or None where nothing
    is said. ``instances`` were compared, ``informative`` of them say something; ``failed_on`` holds at most five
    ids of instances on which the answers differ.

    ``exact_strict`` is the comparison of forms with scoped aliases, reported apart. ``partial`` holds, by component of
    exact set match, how many parts the prediction has, the gold has, and both have; components that neither has are
    left out, and it is None where the published parser does not take the gold. ``components`` are clauses the gold
    uses.
    """

    id: str
    db_id: str
    fate: Fate
    test_suite: bool | None
    execution: bool | None
    exact: bool | None = None
    hardness: str | None = None
    instances: int = 0
    informative: int = 0
    failed_on: tuple[str, ...] = ()
    path: str | None = None
    path_reason: str = ""
    flags: tuple[str, ...] = ()
    message: str = ""
    audit: tuple[int, int, int] | None = None
    """Queries run on both engines, of them disagreeing, and of those that differ only where SQL leaves a choice."""
    seconds: float = 0.0
    difficulty: str | None = None
    interaction: int | None = None
    turn: int | None = None
    """These three as in ``Item``."""
    matched_gold: int | None = None
    """Of several accepted golds, the index of the one this record is about: the first that the prediction equals."""
    plugged: bool = False
    """Right with the gold's values in place of its own only."""
    plug_candidates: int | None = None
    """Ways to fill the prediction's values from the gold's; None where that was not asked for."""
    plug_tried: int | None = None
    bird_ex: bool | None = None
    """BIRD's execution accuracy: equal sets of rows on the shipped instance."""
    bird_soft_f1: float | None = None
    """BIRD's soft F1 of rows on the shipped instance, 0 to 1."""
    exact_strict: bool | None = None
    partial: Mapping[str, tuple[int, int, int]] | None = None
    components: tuple[str, ...] = ()
    agreed: int | None = field(default=None, compare=False)
    """Informative instances on which the answers agree; known to whoever scored the item, not part of items.jsonl."""
    telling: int | None = field(default=None, compare=False)
    """Instances that are informative or on which the answers differ; likewise."""

    def to_dict(self) -> dict[str, object]:
        """Plain JSON data, fields in declaration order."""
        data = asdict(self)
        del data["agreed"], data["telling"]
        data["fate"] = self.fate.value
        return data

    @classmethod
    def from_dict(cls, data: dict[str, object]) -> ItemResult:
        """The record that ``to_dict`` wrote; KeyError, TypeError or ValueError on other data."""
        raw = dict(data)
        raw["fate"] = Fate(str(raw["fate"]))
        raw["failed_on"] = tuple(raw["failed_on"])  # type: ignore[arg-type]
        raw["flags"] = tuple(raw["flags"])  # type: ignore[arg-type]
        audit = raw.get("audit")
        raw["audit"] = None if audit is None else tuple(audit)  # type: ignore[arg-type]
        raw["components"] = tuple(raw.get("components", ()))  # type: ignore[arg-type]
        partial = raw.get("partial")
        if partial is not None:
            raw["partial"] = {name: tuple(parts) for name, parts in partial.items()}  # type: ignore[attr-defined]
        return cls(**raw)  # type: ignore[arg-type]


def any_of(values: Iterable[bool | None]) -> bool | None:
    """True where one is; else None where one is not known; else False."""
    known = list(values)
    if True in known:
        return True
    return None if None in known else False
