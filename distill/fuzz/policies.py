"""What generated instances may hold: a frozen record, kept in manifests."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from testsuite.shrink.rules import NullPolicy


@dataclass(frozen=True, slots=True)
class Policies:
    """What instances may hold.

    Attributes:
        nulls: where NULL may stand. ``observed``: only in columns that may be NULL and that hold NULL in the
            shipped content, or whose table has no content to look at; ``declared``: in every column the
            schema lets be NULL; ``never``: nowhere. Primary keys never hold NULL.
        empty_tables: the share of (instance, table) pairs that stay empty, 0 to 1; 0 forbids empty tables.
        duplicates: the share of instances in which rows are repeated on purpose, 0 to 1: there 15, 40 or 80 % of
            the rows of a table take all values of an earlier row except those of its keys, so that a table without
            key holds equal rows. Elsewhere rows repeat by chance only; 0 forbids equal rows altogether. Single
            values repeat under every setting, since columns draw from few values.
    """

    nulls: NullPolicy = "observed"
    empty_tables: float = 0.03
    duplicates: float = 0.3

    def __post_init__(self) -> None:
        if self.nulls not in ("observed", "declared", "never"):
            raise ValueError(f"nulls must be observed, declared or never, not {self.nulls!r}")
        for name in ("empty_tables", "duplicates"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is a share between 0 and 1, not {getattr(self, name)!r}")

    def to_dict(self) -> dict[str, object]:
        """Plain JSON data for a manifest."""
        return asdict(self)
