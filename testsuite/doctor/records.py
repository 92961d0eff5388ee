"""What the doctor concludes: frozen records. No logic, no engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum

from testsuite.errors import InputError


class Severity(StrEnum):
    """How bad a finding is. ``error``: the gold can't be scored (or not everywhere); ``warning``: scores of this
    gold hang on luck or it may not mean what was asked; ``note``: worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


SEVERITIES = tuple(Severity)


@dataclass(frozen=True, slots=True)
class DoctorOptions:
    """What can change a finding.

    Attributes:
        gold_timeout: seconds a gold may take over all instances of its suite.
        now: ISO instant that date functions see as now.

    Raises:
        InputError: no time at all, or an instant that is none.
    """

    gold_timeout: float = 120.0
    now: str = "2020-01-01T00:00:00"

    def __post_init__(self) -> None:
        if self.gold_timeout <= 0:
            raise InputError("--gold-timeout must be above 0 seconds")
        try:
            datetime.fromisoformat(self.now)
        except ValueError:
            raise InputError(f"--now {self.now!r} is not an ISO instant like 2020-01-01T00:00:00") from None

    @property
    def instant(self) -> datetime:
        """``now`` as an instant."""
        return datetime.fromisoformat(self.now)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One finding on one gold: the finding's name, how bad it is, and what was seen, in words."""

    finding: str
    severity: Severity
    detail: str


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found out about one distinct gold.

    Attributes:
        scorable: a right prediction can be told from wrong ones. Not where the gold has no determined answer, nor
            where it has, but is empty or all NULL there and open elsewhere.
        instances: instances of the suite; 0 where the gold could not be asked at all.
        determined: of them, where the gold runs and SQL leaves its answer no choice.
        informative: of these, where the answer is neither empty nor all NULL.
        diagnoses: in the order of ``FINDINGS``.
    """

    scorable: bool
    instances: int = 0
    determined: int = 0
    informative: int = 0
    diagnoses: tuple[Diagnosis, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldReport:
    """One item of the gold file with what was found out about it. ``where`` is ``file:line``."""

    id: str
    db_id: str
    sql: str
    where: str
    examined: Examined

    def to_dict(self) -> dict[str, object]:
        """One entry of ``golds`` in the JSON report."""
        examined = self.examined
        return {
            "id": self.id,
            "db_id": self.db_id,
            "sql": self.sql,
            "where": self.where,
            "scorable": examined.scorable,
            "instances": examined.instances,
            "determined": examined.determined,
            "informative": examined.informative,
            "findings": [asdict(diagnosis) for diagnosis in examined.diagnoses],
        }


@dataclass(frozen=True)
class DoctorReport:
    """A whole gold file, in its order, with what the run was asked and given.

    ``notes`` are warnings about the run itself, such as databases without a suite.
    """

    golds: tuple[GoldReport, ...]
    names: Sequence[str]
    options: Mapping[str, object] = field(default_factory=dict)
    inputs: Mapping[str, object] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def unscorable(self) -> tuple[GoldReport, ...]:
        """Items that no instance can score."""
        return tuple(gold for gold in self.golds if not gold.examined.scorable)

    def counts(self) -> dict[str, dict[str, int]]:
        """Per finding, in order, how many items have it: in all (``items``) and by their worst severity."""
        tallies: dict[str, Counter[str]] = {name: Counter() for name in self.names}
        for gold in self.golds:
            worst: dict[str, Severity] = {}
            for diagnosis in gold.examined.diagnoses:
                known = worst.setdefault(diagnosis.finding, diagnosis.severity)
                worst[diagnosis.finding] = min(known, diagnosis.severity, key=SEVERITIES.index)
            for name, severity in worst.items():
                tallies[name][severity.value] += 1
        return {
            name: {"items": sum(tally.values()), **{s.value: tally[s.value] for s in SEVERITIES}}
            for name, tally in tallies.items()
        }

    def to_dict(self) -> dict[str, object]:
        """The JSON report.

        Fields: ``items`` (lines of the gold file), ``healthy`` (items without error or warning), ``unscorable``
        (items no instance can score), ``findings`` (as ``counts``), ``golds`` (as ``GoldReport.to_dict``),
        ``options``, ``inputs`` (hashes), ``versions``, ``notes``.
        """
        healthy = sum(all(d.severity is Severity.NOTE for d in gold.examined.diagnoses) for gold in self.golds)
        return {
            "items": len(self.golds),
            "healthy": healthy,
            "unscorable": len(self.unscorable),
            "findings": self.counts(),
            "golds": [gold.to_dict() for gold in self.golds],
            "options": dict(self.options),
            "inputs": dict(self.inputs),
            "versions": dict(self.versions),
            "notes": list(self.notes),
        }
