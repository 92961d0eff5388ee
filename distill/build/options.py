"""What decides a suite's content; the work of one schema and what became of it."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from distill.fuzz import NullPolicy, Policies
from testsuite.schema import Schema
from testsuite.score.run import ScoreOptions
from testsuite.suite import Manifest, Row


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What decides a suite's content.

    Attributes:
        instances: candidate instances to generate.
        cover: kept instances that should separate each neighbour (K).
        seed: seed of all randomness; each schema derives its own from it.
        nulls: observed | declared | never: where instances may hold NULL.
        empty_tables: share of tables that stay empty, 0 to 1.
        duplicates: share of instances with repeated rows, 0 to 1.
        neighbours: most neighbours per gold.
        search: whether neighbours that fewer than ``cover`` candidates separate are searched for and proved.
        rows: rows that the made instances of a suite should have together; where they have more, the largest are
            shrunk as far as the separations they are kept for allow. 0 shrinks nothing.
        now: the instant that date functions see as now.
    """

    instances: int = 500
    cover: int = 3
    seed: int = 0
    nulls: NullPolicy = Policies().nulls
    empty_tables: float = Policies().empty_tables
    duplicates: float = Policies().duplicates
    neighbours: int = 60
    search: bool = True
    rows: int = 0
    now: str = ScoreOptions().now

    @property
    def policies(self) -> Policies:
        """What instances may hold."""
        return Policies(nulls=self.nulls, empty_tables=self.empty_tables, duplicates=self.duplicates)


@dataclass(frozen=True)
class BuildTask:
    """One schema to build a suite for. ``shipped`` holds its content, None where there is none."""

    schema: Schema
    golds: tuple[str, ...]
    shipped: dict[str, list[Row]] | None
    output: Path
    options: BuildOptions


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """What became of one schema."""

    db_id: str
    manifest: Manifest | None
    seconds: float
    message: str = ""
    phases: dict[str, float] = field(default_factory=dict)


@dataclass
class Clock:
    """Seconds spent per phase."""

    phases: dict[str, float] = field(default_factory=dict)
    _last: float = field(default_factory=time.perf_counter)

    def lap(self, name: str) -> None:
        """Book the time since the last lap under ``name``."""
        now = time.perf_counter()
        self.phases[name] = round(self.phases.get(name, 0.0) + now - self._last, 3)
        self._last = now


def seeded_rng(seed: int, *names: str) -> np.random.Generator:
    """A generator that depends on the run's seed and on names, not on the order of work."""
    digest = hashlib.sha256("\0".join(names).encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:8], "big")])
