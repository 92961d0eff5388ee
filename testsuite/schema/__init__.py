"""Schemas: the records, and one reader per source (tables.json, a .sqlite file, SQL text)."""

from testsuite.schema.model import (
    Affinity,
    Column,
    ForeignKey,
    Schema,
    Storage,
    Table,
    affinity_of,
    empty_ddl,
    quote,
)

__all__ = [
    "Affinity",
    "Column",
    "ForeignKey",
    "Schema",
    "Storage",
    "Table",
    "affinity_of",
    "empty_ddl",
    "quote",
]
