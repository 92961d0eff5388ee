"""What is found: a content, what the two queries answer on it, and how much that says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from testsuite.counterexample.record import Difference, Shown, plain_row, script_of
from testsuite.schema import Schema
from testsuite.shrink import Content, row_count

Label = Literal["content-plausible", "schema-legal"]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A legal content on which two queries differ, verified on SQLite.

    Attributes:
        schema: the tables that the queries read, and those that these refer to.
        content: rows by table name.
        a: what SQLite answers to query A.
        b: what SQLite answers to query B.
        gold: which query's reading shows the difference when it is the gold: "both", "a" or "b".
        only_open: the difference hangs on what SQL leaves open (ties, rows without ORDER BY, bare columns): one
            query can give an answer that the other can't, though SQLite may answer alike.
        label: ``content-plausible``: NULL stands only where the shipped content has it, or where there is no
            content to look at; ``schema-legal``: NULL stands where only the schema allows it.
        difference: the first differing row; None where the answers that SQLite happened to give look alike.
        source: where the content was found, before shrinking.
    """

    schema: Schema
    content: Content
    a: Shown
    b: Shown
    gold: Literal["both", "a", "b"]
    only_open: bool
    label: Label
    difference: Difference | None
    source: str

    @property
    def rows(self) -> int:
        """Rows of the content, over all tables."""
        return row_count(self.content)

    @property
    def ddl(self) -> tuple[str, ...]:
        """CREATE TABLE statements, with the keys that the content keeps."""
        return script_of(self.schema, self.content)[0]

    @property
    def inserts(self) -> tuple[str, ...]:
        """INSERT statements, one per row, rows referred to before rows that refer to them."""
        return script_of(self.schema, self.content)[1]

    @property
    def script(self) -> str:
        """DDL and INSERTs as one SQLite script."""
        return "\n".join((*self.ddl, *self.inserts)) + "\n"

    def to_dict(self) -> dict[str, object]:
        """Plain JSON data. Bytes stand as SQL literals."""
        return {
            "label": self.label,
            "gold": self.gold,
            "only_open": self.only_open,
            "source": self.source,
            "rows": self.rows,
            "ddl": list(self.ddl),
            "inserts": list(self.inserts),
            "content": {name: list(map(plain_row, rows)) for name, rows in self.content.items()},
            "a": {"columns": list(self.a.columns), "rows": list(map(plain_row, self.a.rows))},
            "b": {"columns": list(self.b.columns), "rows": list(map(plain_row, self.b.rows))},
            "difference": None if self.difference is None else self.difference.to_dict(),
        }
