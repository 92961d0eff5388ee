"""Hardness of a gold by the official rules, from this project's own schema records."""

from __future__ import annotations

from functools import lru_cache

from testsuite.official.errors import NotParsed
from testsuite.official.grammar import parse_official
from testsuite.official.hardness import hardness
from testsuite.official.names import OfficialTables
from testsuite.schema import Schema


@lru_cache(maxsize=64)
def _tables(schema: Schema) -> OfficialTables:
    columns = {table.name.lower(): tuple(column.name.lower() for column in table.columns) for table in schema.tables}
    return OfficialTables(schema.db_id, columns, {})


def gold_hardness(sql: str, schema: Schema) -> str:
    """easy, medium, hard or extra; ``unknown`` where the official grammar does not take the query."""
    try:
        return str(hardness(parse_official(sql, _tables(schema))))
    except NotParsed:
        return "unknown"
