"""A schema from what a person writes on the command line."""

from __future__ import annotations

import difflib
from pathlib import Path

from testsuite.errors import InputError
from testsuite.schema.model import Schema
from testsuite.schema.sql_text import read_sql_schema
from testsuite.schema.sqlite_file import read_sqlite_schema
from testsuite.schema.tables_json import read_tables_json


def load_schema(spec: str) -> Schema:
    """The schema that ``spec`` names: a ``.sql`` script, an SQLite file, or ``tables.json:db_id``.

    Raises:
        InputError: nothing of these; the message says what was expected.
    """
    path = Path(spec)
    if path.is_file() and path.suffix.lower() == ".sql":
        try:
            return read_sql_schema(path.read_text(encoding="utf-8"), path.stem)
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: not UTF-8 text at byte {error.start}; save it as UTF-8") from error
    if path.is_file() and path.suffix.lower() != ".json":
        return read_sqlite_schema(path)
    before, colon, db_id = spec.rpartition(":")
    if colon and Path(before).suffix.lower() == ".json":
        schemas = read_tables_json(before)
        if db_id in schemas:
            return schemas[db_id]
        near = difflib.get_close_matches(db_id, schemas, n=3)
        hint = f"; did you mean {', '.join(near)}?" if near else f" among its {len(schemas)}"
        raise InputError(f"{before}: there is no schema {db_id!r}{hint}")
    if path.is_file():
        raise InputError(f"{spec}: say which schema of it, as in {spec}:DB_ID")
    raise InputError(f"{spec}: expected an existing .sql or .sqlite file, or tables.json:db_id")


__all__ = ["load_schema"]
