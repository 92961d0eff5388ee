"""The schema cut down to what two queries read, so that contents are small and made fast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from distill.fuzz import NullPolicy, Policies, suite_storage
from testsuite.counterexample.record import needed_tables
from testsuite.schema import Schema, Storage, load_schema, read_sql_script, read_sqlite_rows
from testsuite.shrink import Bounds
from testsuite.shrink.rules import Rules, kept_schema, read_rules
from testsuite.suite.stack import Row, Stack, stack_rows


@dataclass(frozen=True)
class Subject:
    """What contents are made for.

    Attributes:
        schema: the tables the queries read, and all that these refer to.
        shipped: the shipped content of these tables; None where there is none.
        empty_tables: share of tables that stay empty; 0 forbids it.
    """

    schema: Schema
    shipped: Mapping[str, Sequence[Row]] | None
    empty_tables: float

    @cached_property
    def storage(self) -> dict[tuple[str, str], Storage]:
        """What each column holds, by (table, column) in lower case."""
        return suite_storage(self.schema, self.shipped)

    @cached_property
    def stack(self) -> Stack | None:
        """The shipped content as instance 0 of a stack."""
        return None if self.shipped is None else stack_rows(self.schema, [self.shipped], self.storage)

    def policies(self, nulls: NullPolicy) -> Policies:
        """The policies of contents with NULL where ``nulls`` says."""
        return replace(Policies(), nulls=nulls, empty_tables=self.empty_tables)

    def bounds(self, nulls: NullPolicy, rules: Rules | None = None) -> Bounds:
        """What contents must keep."""
        least = 0 if self.empty_tables else 1
        return Bounds.of(self.schema, self.storage, self.shipped, nulls, rules, least)

    def shown_schema(self, rules: Rules | None = None) -> Schema:
        """The schema with exactly the keys and references that contents keep, for DDL that they obey."""
        return kept_schema(self.schema, rules or read_rules(self.schema, self.shipped)[0])


def load_subject(spec: str, content: Path | None = None) -> tuple[Schema, dict[str, list[Row]] | None]:
    """The schema that a command line names, and its content, None where there is none.

    Args:
        spec: a ``.sql`` script, an SQLite file, or ``tables.json:db_id``. Rows of a script or a file are its content.
        content: an SQLite file of that schema whose rows are the content instead.

    Raises:
        InputError: a file is not what it should be.
    """
    path = Path(spec)
    schema = load_schema(spec)
    if content is not None:
        return schema, read_sqlite_rows(content, schema)
    if not path.is_file():
        return schema, None
    if path.suffix.lower() == ".sql":
        return read_sql_script(path.read_text(encoding="utf-8"), path.stem)
    return schema, read_sqlite_rows(path, schema)


def subject_of(
    schema: Schema, queries: Sequence[str], shipped: Mapping[str, Sequence[Row]] | None, empty_tables: float
) -> Subject:
    """The part of a schema and its content that queries depend on.

    Args:
        schema: the whole schema.
        queries: SQLite texts; one that can't be read keeps all tables.
        shipped: the shipped content by table name; without any row it says nothing.
        empty_tables: share of tables that stay empty.
    """
    if shipped is not None and not any(shipped.values()):
        shipped = None
    tables = needed_tables(schema, queries)
    content = None if shipped is None else {table.name: list(shipped.get(table.name, ())) for table in tables}
    return Subject(Schema(schema.db_id, tables), content, empty_tables)
