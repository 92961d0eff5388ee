"""What RESULTS is about: ``pairs.jsonl`` (the queries of every item) and ``origin.json`` (where they came from).

With these a results directory stands by itself: a later command shows, explains or probes a pair without the files it
was read from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from testsuite.errors import InputError
from testsuite.jsonl import read_records, write_json, write_records
from testsuite.records import Item

PAIRS, ORIGIN = "pairs.jsonl", "origin.json"


@dataclass(frozen=True, slots=True)
class Pair:
    """The queries of one item: its golds, the one of the file first, and the prediction."""

    id: str
    db_id: str
    golds: tuple[str, ...]
    prediction: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Absolute paths of the inputs of a run, None for what was not given."""

    gold: str | None = None
    predictions: str | None = None
    suites: str | None = None
    databases: str | None = None
    tables: str | None = None


def write_origin(directory: Path, items: Iterable[Item], origin: Origin) -> None:
    """Write pairs.jsonl, in the items' order, and origin.json.

    Raises:
        InputError: the directory can't be written.
    """
    pairs = (Pair(item.id, item.db_id, (item.gold, *item.accepted), item.prediction) for item in items)
    write_records(directory / PAIRS, map(asdict, pairs))
    path = directory / ORIGIN
    try:
        write_json(path, asdict(origin))
    except OSError as error:
        raise InputError(f"{path}: can't be written: {error.strerror or error}") from error


def read_pairs_of(directory: Path) -> Mapping[str, Pair]:
    """The queries of a results directory by item id, in the golds' order.

    Raises:
        InputError: there is no pairs.jsonl, or a line of it is damaged.
    """
    advice = "it holds the queries of a run: score again with this version"
    damaged = "not a pair of queries; score again to have the file made anew"
    return {pair.id: pair for pair in read_records(directory / PAIRS, _pair, advice, damaged)}


def _pair(data: Mapping[str, Any]) -> Pair:
    golds = tuple(str(gold) for gold in data["golds"])
    if not golds:
        raise ValueError("no gold")
    return Pair(str(data["id"]), str(data["db_id"]), golds, str(data["prediction"]))


def read_origin(directory: Path) -> Origin:
    """Where the inputs of a run were; nothing is known where origin.json is missing or damaged."""
    try:
        data = json.loads((directory / ORIGIN).read_text(encoding="utf-8"))
        known = {field.name: data[field.name] for field in fields(Origin) if isinstance(data.get(field.name), str)}
    except (OSError, ValueError, AttributeError):
        return Origin()
    return Origin(**known)
