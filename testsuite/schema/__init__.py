"""Schemas: the records, and one reader per source (tables.json, a .sqlite file, SQL text)."""

from testsuite.schema.load import load_schema
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
from testsuite.schema.sql_text import read_sql_schema, read_sql_script
from testsuite.schema.sqlite_file import read_sqlite_rows, read_sqlite_schema
from testsuite.schema.tables_json import merge, read_tables_json

__all__ = [
    "Affinity",
    "Column",
    "ForeignKey",
    "Schema",
    "Storage",
    "Table",
    "affinity_of",
    "empty_ddl",
    "load_schema",
    "merge",
    "quote",
    "read_sql_schema",
    "read_sql_script",
    "read_sqlite_rows",
    "read_sqlite_schema",
    "read_tables_json",
]
