"""Queries as JSON objects, one a line (JSONL) or in one list.

Four kinds of object: ours ``{"id", "db_id", "sql"}``, where ``sql`` may be a list of golds that are all right, or
``golds`` holds them; BIRD's ``{"question_id", "db_id", "SQL", "difficulty"}``; Spider's ``{"db_id", "query"}``; and
SParC's and CoSQL's ``{"database_id", "interaction": [{"query"}]}``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from testsuite.errors import InputError
from testsuite.score.files.lines import Line, check_ids

_EXPECTED = (
    'expected {"id": .., "db_id": .., "sql": ".."}, or an entry of BIRD ("question_id", "db_id", "SQL"), Spider '
    '("db_id", "query") or SParC and CoSQL ("database_id", "interaction")'
)


def json_value(path: Path, text: str) -> object:
    """The one JSON value of a file. InputError names the line where it breaks."""
    try:
        return json.loads(text)
    except ValueError as error:
        place = f"{path}:{error.lineno}" if isinstance(error, json.JSONDecodeError) else str(path)
        raise InputError(f"{place}: not JSON ({error})") from None


def read_jsonl(path: Path, text: str) -> tuple[list[Line], bool]:
    """The queries of a JSONL file, and whether their objects are BIRD's."""

    def entries() -> Iterator[tuple[str, object]]:
        for number, raw in enumerate(text.split("\n"), start=1):
            if raw.strip():
                try:
                    yield f"{path}:{number}", json.loads(raw)
                except ValueError as error:
                    message = f"{path}:{number}: not a JSON object ({error}); one object a line is expected"
                    raise InputError(message) from None

    return _lines(entries())


def read_list(path: Path, data: list[object]) -> tuple[list[Line], bool]:
    """The queries of a JSON list, and whether its objects are BIRD's."""
    return _lines((f"{path}: entry {number}", entry) for number, entry in enumerate(data))


def _lines(entries: Iterator[tuple[str, object]]) -> tuple[list[Line], bool]:
    lines: list[Line] = []
    bird = False
    interactions = 0
    for where, entry in entries:
        if not isinstance(entry, dict):
            raise InputError(f"{where}: {_EXPECTED}")
        if "interaction" in entry and isinstance(entry["interaction"], list):
            lines += _interaction(where, entry, interactions, len(lines))
            interactions += 1
        else:
            lines.append(_line(where, entry, len(lines)))
            bird = bird or "SQL" in entry
    if interactions == 1:
        lines = [replace(line, interaction=None, turn=None) for line in lines]
    check_ids(lines)
    return lines, bird


def _interaction(where: str, entry: Mapping[str, object], number: int, first: int) -> list[Line]:
    turns = entry["interaction"]
    assert isinstance(turns, list)
    db_id = entry.get("database_id", entry.get("db_id"))
    if not turns:
        raise InputError(f"{where}: an interaction without turns")
    found = []
    for turn, data in enumerate(turns, start=1):
        place = f"{where}, turn {turn}"
        if not isinstance(data, dict) or not isinstance(data.get("query"), str) or not isinstance(db_id, str):
            raise InputError(f'{place}: expected "database_id" in the entry and "query" in every turn, as text')
        sql = " ".join(data["query"].split("\n")).strip()
        found.append(Line(str(first + turn - 1), db_id, sql, place, interaction=number, turn=turn))
    return found


def _line(where: str, entry: Mapping[str, object], position: int) -> Line:
    # Spider's own entries hold the parsed query as "sql".
    key = next((key for key in ("golds", "sql", "SQL", "query") if not isinstance(entry.get(key, {}), dict)), None)
    identifier = entry.get("id", entry.get("question_id"))
    if identifier is None and key == "query":
        identifier = position
    if key is None or identifier is None or isinstance(identifier, (list, dict)):
        raise InputError(f"{where}: {_EXPECTED}")
    identifier = str(identifier)
    texts = entry[key] if isinstance(entry[key], list) else [entry[key]]
    assert isinstance(texts, list)
    if not texts or not all(isinstance(text, str) for text in texts):
        raise InputError(f'{where}: "{key}" of item {identifier!r} must be text, or a list of accepted golds')
    db_id = entry.get("db_id", entry.get("database_id"))
    if db_id is not None and not isinstance(db_id, str):
        raise InputError(f"{where}: db_id of item {identifier!r} is not text")
    difficulty = entry.get("difficulty")
    if difficulty is not None and not isinstance(difficulty, str):
        raise InputError(f"{where}: difficulty of item {identifier!r} is not text")
    places = {name: entry.get(name) for name in ("interaction", "turn")}
    for name, place in places.items():
        if place is not None and (not isinstance(place, int) or isinstance(place, bool)):
            raise InputError(f"{where}: {name} of item {identifier!r} is not a whole number")
    return Line(
        identifier,
        db_id,
        texts[0],
        where,
        tuple(dict.fromkeys(texts[1:])),
        difficulty,
        places["interaction"],  # type: ignore[arg-type]
        places["turn"],  # type: ignore[arg-type]
    )
