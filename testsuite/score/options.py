"""What a person may choose about a run, checked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from math import inf

from testsuite.compare.policy import Columns, Policy
from testsuite.errors import InputError

ETYPES = ("exec", "match", "all")
SEMANTICS = ("strict", "official")
DEFAULT_POLICY = Policy()
_EACH = ("etype", "semantics")
_OFFICIAL = ("timeout", "plug_value", "keep_distinct", "bird")
_STRICT = (
    "columns",
    "keep_distinct",
    "tolerance",
    "absolute_tolerance",
    "engine",
    "timeout",
    "gold_timeout",
    "audit",
    "now",
    "plug_value",
    "bird",
)


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Everything that can change a verdict.

    Attributes:
        columns: any | strict | name: how result columns are matched.
        tolerance: reals are equal within this part of the greater magnitude.
        absolute_tolerance: reals are also equal within this distance (a gold that rounds where nobody asked for it).
        engine: auto (stacked DuckDB, SQLite where that can't keep the meaning) | duckdb (the same) | sqlite.
        timeout: seconds one prediction may take over all instances of its suite.
        gold_timeout: the same for a gold.
        audit: share of items, 0 to 1, whose queries run on SQLite too.
        now: ISO instant that date functions see as now.
        etype: exec | match (exact set match alone, nothing is run) | all (both).
        semantics: strict | official: whose rules say when two answers are equal.
        plug_value: try a prediction with the gold's values in place of its own, too.
        keep_distinct: official semantics: leave DISTINCT in both queries.
        bird: also BIRD's execution accuracy and soft F1 on the shipped instance.

    With official semantics ``timeout`` is as ``testsuite.official.official_equal`` takes it, and the attributes
    before it and up to ``now`` say nothing: everything runs on SQLite, by the published rules.

    Raises:
        InputError: a value is out of bounds, or two do not go together.
    """

    columns: Columns = "any"
    tolerance: float = DEFAULT_POLICY.relative
    absolute_tolerance: float = DEFAULT_POLICY.absolute
    engine: str = "auto"
    timeout: float = 30.0
    gold_timeout: float = 120.0
    audit: float = 0.0
    now: str = "2020-01-01T00:00:00"
    etype: str = "exec"
    semantics: str = "strict"
    plug_value: bool = False
    keep_distinct: bool = False
    bird: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.audit <= 1:
            raise InputError(f"--audit {self.audit}: a share between 0 and 1 is expected")
        if not 0 <= self.tolerance < 1:
            raise InputError(f"--tolerance {self.tolerance:g}: a part of a number is expected, at least 0 and below 1")
        if not 0 <= self.absolute_tolerance < inf:
            raise InputError(f"--absolute-tolerance {self.absolute_tolerance:g}: a distance of at least 0 is expected")
        if self.timeout <= 0 or self.gold_timeout <= 0:
            raise InputError("timeouts must be above 0 seconds")
        if self.etype not in ETYPES or self.semantics not in SEMANTICS:
            raise InputError(f"--etype {self.etype}, --semantics {self.semantics}: not known")
        official = self.semantics == "official"
        flags = (("--plug-value", self.plug_value), ("--keep-distinct", self.keep_distinct), ("--bird", self.bird))
        for name, given in flags:
            if given and not self.executes:
                raise InputError(f"{name} changes how queries run; with --etype match none does")
        for name, given in (
            ("--columns", self.columns != "any"),
            ("--tolerance", self.tolerance != DEFAULT_POLICY.relative),
            ("--absolute-tolerance", self.absolute_tolerance != DEFAULT_POLICY.absolute),
            ("--engine duckdb", self.engine == "duckdb"),
            ("--audit", self.audit > 0),
        ):
            if given and official:
                raise InputError(f"{name} does not go with --semantics official, which has its own rules on SQLite")

    @property
    def executes(self) -> bool:
        """Whether queries run at all."""
        return self.etype != "match"

    @property
    def matches(self) -> bool:
        """Whether exact set match is asked for."""
        return self.etype != "exec"

    @property
    def instant(self) -> datetime:
        return datetime.fromisoformat(self.now)

    @property
    def policy(self) -> Policy:
        """When two answers count as equal under strict semantics."""
        return Policy(columns=self.columns, relative=self.tolerance, absolute=self.absolute_tolerance)

    def deciding(self) -> dict[str, object]:
        """What decides this run's verdicts, by name; options that say nothing of it are left out.

        Strict rules always keep DISTINCT, so ``keep_distinct`` is True there, asked for or not.
        """
        if not self.executes:
            return {name: getattr(self, name) for name in _EACH}
        if self.semantics == "official":
            return {name: getattr(self, name) for name in (*_EACH, *_OFFICIAL)}
        return {name: getattr(self, name) for name in (*_EACH, *_STRICT)} | {"keep_distinct": True}
