"""What RESULTS is about: ``pairs.jsonl`` (the queries of every item) and ``origin.json`` (where they came from).

With these a results directory stands by itself: a later command shows, explains or probes a pair without the files it
was read from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from testsuite.errors import InputError
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
    lines = "".join(
        json.dumps(asdict(Pair(i.id, i.db_id, (i.gold, *i.accepted), i.prediction)), ensure_ascii=False) + "\n"
        for i in items
    )
    texts = {PAIRS: lines, ORIGIN: json.dumps(asdict(origin), indent=1, ensure_ascii=False) + "\n"}
    for name, text in texts.items():
        path = directory / name
        part = path.with_name(name + ".part")
        try:
            # Half of a surrogate pair, which a prediction may hold, is no UTF-8: its escape is JSON's too.
            part.write_text(text, encoding="utf-8", errors="backslashreplace")
            part.replace(path)
        except OSError as error:
            raise InputError(f"{path}: can't be written: {error.strerror or error}") from error


def read_pairs_of(directory: Path) -> Mapping[str, Pair]:
    """The queries of a results directory by item id, in the golds' order.

    Raises:
        InputError: there is no pairs.jsonl, or a line of it is damaged.
    """
    path = directory / PAIRS
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise InputError(
            f"{path}: can't be read ({error}); it holds the queries of a run: score again with this version"
        ) from error
    pairs: dict[str, Pair] = {}
    for number, raw in enumerate(lines, start=1):
        if not raw:
            continue
        try:
            data = json.loads(raw)
            golds = tuple(str(gold) for gold in data["golds"])
            pair = Pair(str(data["id"]), str(data["db_id"]), golds, str(data["prediction"]))
            if not golds:
                raise ValueError
        except (ValueError, KeyError, TypeError):
            raise InputError(
                f"{path}:{number}: not a pair of queries; score again to have the file made anew"
            ) from None
        pairs[pair.id] = pair
    return pairs


def read_origin(directory: Path) -> Origin:
    """Where the inputs of a run were; nothing is known where origin.json is missing or damaged."""
    try:
        data = json.loads((directory / ORIGIN).read_text(encoding="utf-8"))
        known = {field.name: data[field.name] for field in fields(Origin) if isinstance(data.get(field.name), str)}
    except (OSError, ValueError, AttributeError):
        return Origin()
    return Origin(**known)
