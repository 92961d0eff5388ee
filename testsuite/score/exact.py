"""Exact set match and hardness of items, by the published rules, from ``tables.json`` or our own schemas."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from testsuite.errors import InputError
from testsuite.official import (
    EMPTY,
    NotParsed,
    OfficialTables,
    exact_match,
    hardness,
    parse_official,
    parse_prediction,
    read_official_tables,
    replaced_value,
)
from testsuite.records import Fate, Item, ItemResult
from testsuite.schema import Schema
from testsuite.schema.tables_json import read_tables_json
from testsuite.score.options import ScoreOptions


@dataclass(frozen=True, slots=True)
class ExactMatch:
    """What the published parser says of a pair.

    ``equal`` is None where it does not take the gold. ``prediction_parsed`` is False where it does not take the
    prediction, which is then never equal. ``message`` says where it stopped in the gold.
    """

    equal: bool | None
    hardness: str
    prediction_parsed: bool = True
    message: str = ""


def tables_of_file(path: Path) -> dict[str, OfficialTables]:
    """The databases of a ``tables.json`` by db_id, foreign keys in its order. InputError as ``read_tables_json``."""
    read_tables_json(path)
    entries = json.loads(path.read_text(encoding="utf-8"))
    tables = {}
    for number, entry in enumerate(entries):
        try:
            tables[str(entry["db_id"])] = read_official_tables(entry)
        except InputError as error:
            raise InputError(f"{path}: entry {number}: {error}") from error
    return tables


def tables_of_schema(schema: Schema) -> OfficialTables:
    """The same from a schema, foreign keys in the order of tables.

    With a column in several foreign keys, that order can decide which columns stand for one another.
    """
    listed: list[tuple[int, str]] = [(-1, "*")]
    numbers: dict[tuple[str, str], int] = {}
    for place, table in enumerate(schema.tables):
        for column in table.columns:
            numbers[table.name.lower(), column.name.lower()] = len(listed)
            listed.append((place, column.name))
    pairs = [
        (numbers[table.name.lower(), child.lower()], numbers[key.parent.lower(), parent.lower()])
        for table in schema.tables
        for key in table.foreign_keys
        for child, parent in zip(key.columns, key.parent_columns, strict=True)
    ]
    return read_official_tables(
        {
            "db_id": schema.db_id,
            "table_names_original": [table.name for table in schema.tables],
            "column_names_original": listed,
            "foreign_keys": pairs,
        }
    )


def match_exactly(item: Item, tables: OfficialTables) -> ExactMatch:
    """Exact set match of one item, and its gold's hardness. Never raises for what the queries hold."""
    try:
        gold = parse_official(item.gold, tables)
    except NotParsed as error:
        message = f"exact set match: the published parser does not take the gold: {error}"
        return ExactMatch(None, hardness(None), message=message)
    prediction = parse_prediction(replaced_value(item.prediction), tables)
    equal = exact_match(gold, prediction or EMPTY, tables.key_columns).equal
    return ExactMatch(equal, hardness(gold), prediction is not None)


def with_match(result: ItemResult, item: Item, tables: OfficialTables, options: ScoreOptions) -> ItemResult:
    """The record with its hardness, and exact set match where that is asked for."""
    found = match_exactly(item, tables)
    if not options.matches:
        return replace(result, hardness=found.hardness)
    flags = result.flags if found.prediction_parsed else (*result.flags, "exact_not_parsed")
    result = replace(result, exact=found.equal, hardness=found.hardness, flags=flags)
    if found.equal is None and not options.executes:
        return replace(result, fate=Fate.GOLD_ERROR, message=found.message)
    if found.equal is None:
        message = "; ".join(filter(None, (result.message, found.message)))
        return replace(result, flags=(*result.flags, "exact_gold_not_parsed"), message=message)
    return result
