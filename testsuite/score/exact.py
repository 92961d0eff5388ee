"""Exact set match and hardness of items, by the published rules, from ``tables.json`` or our own schemas.

``exact_strict`` stands beside it: the same question asked of the whole of SQL, reported apart.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
from testsuite.official.strict import query_form
from testsuite.query.clauses import clauses
from testsuite.query.parse import Unparsed
from testsuite.records import Fate, Item, ItemResult
from testsuite.schema import Schema
from testsuite.schema.tables_json import read_tables_json
from testsuite.score.options import ScoreOptions


@dataclass(frozen=True, slots=True)
class MatchTables:
    """One database as exact set match sees it (``official``: foreign keys in file order), and its schema."""

    official: OfficialTables
    schema: Schema
    hardness: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Hardness of the golds met so far."""


@dataclass(frozen=True, slots=True)
class ExactMatch:
    """What the published parser says of a pair.

    ``equal`` is None where it does not take the gold. ``prediction_parsed`` is False where it does not take the
    prediction, which is then never equal. ``message`` says where it stopped in the gold. ``partial`` holds, by
    component, the parts that the prediction has, the gold has, and both have; components without any are left out.
    """

    equal: bool | None
    hardness: str
    prediction_parsed: bool = True
    message: str = ""
    partial: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)


def tables_of_file(path: Path) -> dict[str, MatchTables]:
    """The databases of a ``tables.json`` by db_id, foreign keys in its order. InputError as ``read_tables_json``."""
    schemas = read_tables_json(path)
    entries = json.loads(path.read_text(encoding="utf-8"))
    tables = {}
    for number, entry in enumerate(entries):
        try:
            db_id = str(entry["db_id"])
            tables[db_id] = MatchTables(read_official_tables(entry), schemas[db_id])
        except InputError as error:
            raise InputError(f"{path}: entry {number}: {error}") from error
    return tables


def tables_of_schema(schema: Schema) -> MatchTables:
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
    entry = {
        "db_id": schema.db_id,
        "table_names_original": [table.name for table in schema.tables],
        "column_names_original": listed,
        "foreign_keys": pairs,
    }
    return MatchTables(read_official_tables(entry), schema)


def match_exactly(item: Item, tables: OfficialTables) -> ExactMatch:
    """Exact set match of one item, and its gold's hardness. Never raises for what the queries hold."""
    try:
        gold = parse_official(item.gold, tables)
    except NotParsed as error:
        message = f"exact set match: the published parser does not take the gold: {error}"
        return ExactMatch(None, hardness(None), message=message)
    prediction = parse_prediction(replaced_value(item.prediction), tables)
    match = exact_match(gold, prediction or EMPTY, tables.key_columns)
    partial = {
        name: (part.prediction, part.gold, part.matched)
        for name, part in match.components.items()
        if part.prediction or part.gold
    }
    return ExactMatch(match.equal, hardness(gold), prediction is not None, partial=partial)


def match_strictly(item: Item, schema: Schema) -> bool | None:
    """``exact_strict`` of one item, values not counted.

    None where the gold is not read, False where the prediction is not.
    """
    try:
        gold = query_form(item.gold, schema)
    except (Unparsed, RecursionError):
        return None
    try:
        return gold == query_form(item.prediction, schema)
    except (Unparsed, RecursionError):
        return False


def gold_hardness(gold: str, tables: OfficialTables) -> str:
    """Hardness of a gold; ``unknown`` where the published parser does not take it."""
    try:
        return hardness(parse_official(gold, tables))
    except NotParsed:
        return hardness(None)


def with_match(result: ItemResult, item: Item, tables: MatchTables, options: ScoreOptions) -> ItemResult:
    """The record with its hardness and the gold's clauses, and both exact matches where they are asked for."""
    result = replace(result, components=clauses(item.gold))
    if not options.matches:
        if item.gold not in tables.hardness:
            tables.hardness[item.gold] = gold_hardness(item.gold, tables.official)
        return replace(result, hardness=tables.hardness[item.gold])
    found = match_exactly(item, tables.official)
    flags = result.flags if found.prediction_parsed else (*result.flags, "exact_not_parsed")
    result = replace(
        result,
        exact=found.equal,
        exact_strict=match_strictly(item, tables.schema),
        partial=None if found.equal is None else found.partial,
        hardness=found.hardness,
        flags=flags,
    )
    if found.equal is None and not options.executes:
        return replace(result, fate=Fate.GOLD_ERROR, message=found.message)
    if found.equal is None:
        message = "; ".join(filter(None, (result.message, found.message)))
        return replace(result, flags=(*result.flags, "exact_gold_not_parsed"), message=message)
    return result
