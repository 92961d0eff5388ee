"""Reads the labelled pairs of queries beside the Spider data (see tests/data.py): one reader per form of schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from testsuite.errors import InputError
from testsuite.schema import Schema, merge, read_sql_schema, read_sqlite_rows, read_sqlite_schema, read_tables_json
from testsuite.suite import Row

Content = dict[str, list[Row]]
EQUIVALENT = {"equivalent", "human-equivalent", "bounded-equivalent"}
DIFFERENT = {"non-equivalent", "human-inequivalent"}


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two queries with a label.

    Attributes:
        id: its name in the file.
        schema: the tables; None where the schema can't be read, for the reason in ``problem``.
        shipped: the content of Spider's database of that name, where there is one.
        equivalent: True or False as labelled; None where the label says neither.
        label: the label's own word.
        note: what the file says of the pair.
    """

    id: str
    schema: Schema | None
    shipped: Content | None
    a: str
    b: str
    equivalent: bool | None
    label: str
    note: str = ""
    problem: str = ""


def read_pairs(root: Path, name: str) -> Iterator[LabelledPair]:
    """The pairs of ``root/pairs/name.jsonl``, in order."""
    for line in (root / "pairs" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        raw = json.loads(line)
        schema, shipped, problem = None, None, ""
        try:
            schema, shipped = schema_of(raw, root)
        except InputError as error:
            problem = str(error)
        label = raw["label"]
        equivalent = True if label in EQUIVALENT else False if label in DIFFERENT else None
        note = " ".join(str(raw[key]) for key in ("reason", "note") if raw.get(key))
        yield LabelledPair(raw["id"], schema, shipped, raw["q1"], raw["q2"], equivalent, label, note, problem)


def schema_of(raw: Mapping[str, Any], root: Path) -> tuple[Schema, Content | None]:
    """The schema of a record, and the content of Spider's database where it is one of Spider's.

    Raises:
        InputError: SQLite does not take the schema.
    """
    told = raw["schema"]
    if "db_id" in raw:
        return spider(root / "spider", raw["db_id"], lambda: from_columns(raw["db_id"], told, dotted(raw)))
    if isinstance(told, list):
        return from_cosette(raw["id"], told), None
    if isinstance(told, dict):
        return from_columns(raw["id"], told, underscored(raw)), None
    if told.lstrip().startswith("{"):
        ((db_id, parts),) = json.loads(told).items()
        return spider(root / "spider", db_id, lambda: from_names(db_id, parts))
    return from_ddl(told), None


@cache
def from_ddl(text: str) -> Schema:
    """CREATE TABLE statements, which SQLite takes as they are."""
    return read_sql_schema(text, "pairs")


@cache
def _tables_json(path: Path) -> dict[str, Schema]:
    return read_tables_json(path)


@cache
def _database(folder: Path, db_id: str) -> tuple[Schema, Content | None] | None:
    known = _tables_json(folder / "tables.json").get(db_id)
    file = folder / "database" / db_id / f"{db_id}.sqlite"
    if not file.is_file():
        return None if known is None else (known, None)
    schema = read_sqlite_schema(file, db_id)
    if known is not None:
        schema = merge(schema, known)
    return schema, read_sqlite_rows(file, schema)


def spider(folder: Path, db_id: str, otherwise: Callable[[], Schema]) -> tuple[Schema, Content | None]:
    """Spider's database of that name with its content; what the record tells of it where there is none."""
    return _database(folder, db_id) or (otherwise(), None)


def from_cosette(name: str, declarations: Sequence[str]) -> Schema:
    """Cosette's ``schema s(a:int, ??);`` and ``table t(s);``. ``??`` stands for other columns: one is made of it."""
    columns: dict[str, str] = {}
    statements = []
    for text in declarations:
        found = re.fullmatch(r"\s*(schema|table)\s+(\w+)\s*\((.*)\)\s*;\s*", text, re.DOTALL)
        if found is None:
            raise InputError(f"{name}: not a declaration of Cosette: {text}")
        kind, what, inside = found.groups()
        if kind == "schema":
            columns[what] = ", ".join(_cosette_column(part.strip()) for part in inside.split(","))
        else:
            statements.append(f'CREATE TABLE "{what}" ({columns[inside.strip()]});')
    return read_sql_schema("\n".join(statements), name)


def _cosette_column(text: str) -> str:
    if text == "??":
        return '"other" INTEGER'
    column, _, kind = (part.strip() for part in text.partition(":"))
    return f'"{column}" {"TEXT" if kind in ("str", "string") else "INTEGER"}'


_TYPES = {"number": "NUMERIC", "time": "TEXT", "boolean": "TEXT", "others": "TEXT"}
Keys = tuple[dict[str, list[str]], list[tuple[str, str, str, str]]]
"""Primary keys by table, and foreign keys: child, its column, parent, its column."""


def from_columns(name: str, tables: Mapping[str, Mapping[str, str | None]], keys: Keys) -> Schema:
    """Tables as mappings of column to type."""
    primary, foreign = keys
    statements = []
    for table, columns in tables.items():
        parts = [f'"{column}" {_TYPES.get(kind or "", kind or "INTEGER")}' for column, kind in columns.items()]
        if table in primary:
            parts.append(f"PRIMARY KEY ({', '.join(f'{chr(34)}{column}{chr(34)}' for column in primary[table])})")
        parts += [
            f'FOREIGN KEY ("{column}") REFERENCES "{parent}" ("{target}")'
            for child, column, parent, target in foreign
            if child == table
        ]
        statements.append(f'CREATE TABLE "{table}" ({", ".join(parts)});')
    return read_sql_schema("\n".join(statements), name)


def underscored(raw: Mapping[str, Any]) -> Keys:
    """VeriEQL's constraints: ``{"primary": [{"value": "TABLE__COLUMN"}]}``."""
    primary: dict[str, list[str]] = {}
    foreign = []
    for constraint in raw["constraints"] or ():
        places = [next(iter(constraint.values()))[i]["value"].split("__", 1) for i in range(len(*constraint.values()))]
        if "primary" in constraint:
            for table, column in places:
                primary.setdefault(table, []).append(column)
        else:
            (child, column), (parent, target) = places
            foreign.append((child, column, parent, target))
    return primary, foreign


def dotted(raw: Mapping[str, Any]) -> Keys:
    """Constraints such as ``{"foreign": ["table.column", "table.column"]}``."""
    primary: dict[str, list[str]] = {}
    foreign = []
    for constraint in raw["constraints"] or ():
        if "primary" in constraint:
            table, column = constraint["primary"].split(".", 1)
            primary.setdefault(table, []).append(column)
        else:
            child, parent = constraint["foreign"]
            foreign.append((*child.split(".", 1), *parent.split(".", 1)))
    return primary, foreign


def from_names(name: str, parts: Mapping[str, Any]) -> Schema:
    """Names of columns without types: ``{"tables": {t: {"columns": "*, a, b"}}, "primary_keys": "t.a", ..}``."""
    tables = {
        table: {column.strip(): None for column in told["columns"].split(",") if column.strip() not in ("", "*")}
        for table, told in parts["tables"].items()
    }
    primary: dict[str, list[str]] = {}
    for place in filter(None, parts.get("primary_keys", "").split(",")):
        table, column = place.strip().split(".", 1)
        primary.setdefault(table, []).append(column)
    foreign = []
    for text in filter(None, parts.get("foreign_keys", "").split(",")):
        child, _, parent = text.partition("=")
        foreign.append((*child.strip().split(".", 1), *parent.strip().split(".", 1)))
    return from_columns(name, tables, (primary, foreign))
