"""Gold and prediction files: Spider text (``SQL<TAB>db_id``) and JSONL keyed by id. Errors name file and line."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from testsuite.errors import InputError
from testsuite.records import Item


@dataclass(frozen=True, slots=True)
class Line:
    """One query of a file: its id, database (predictions may lack one), text and where it stands."""

    id: str
    db_id: str | None
    sql: str
    where: str


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes, hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _read(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: can't be read: {error.strerror or error}") from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError(f"{path}:{line}: not UTF-8 text; save the file as UTF-8") from None


def _read_jsonl(path: Path, text: str) -> list[Line]:
    lines: list[Line] = []
    seen: dict[str, int] = {}
    for number, raw in enumerate(text.split("\n"), start=1):
        if not raw.strip():
            continue
        where = f"{path}:{number}"
        try:
            data = json.loads(raw)
        except ValueError as error:
            raise InputError(f"{where}: not a JSON object ({error}); one object a line is expected") from None
        if not isinstance(data, dict) or "id" not in data or not isinstance(data.get("sql"), str):
            raise InputError(f'{where}: expected {{"id": .., "db_id": .., "sql": "..."}} with sql as text')
        identifier, db_id = str(data["id"]), data.get("db_id")
        if identifier in seen:
            raise InputError(
                f"{where}: id {identifier!r} stands already on line {seen[identifier]}; ids must be unique"
            )
        if db_id is not None and not isinstance(db_id, str):
            raise InputError(f"{where}: db_id of item {identifier!r} is not text")
        seen[identifier] = number
        lines.append(Line(identifier, db_id, data["sql"], where))
    return lines


def _text_lines(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return lines


def _is_jsonl(path: Path, text: str) -> bool:
    return path.suffix.lower() in {".jsonl", ".ndjson"} or text.lstrip()[:1] == "{"


def read_gold(path: Path) -> list[Line]:
    """The golds of a file, in order.

    Raises:
        InputError: the file is missing, empty, or a line is not ``SQL<TAB>db_id``.
    """
    text = _read(path)
    if _is_jsonl(path, text):
        lines = _read_jsonl(path, text)
        for line in lines:
            if not line.db_id:
                raise InputError(f"{line.where}: gold {line.id!r} has no db_id")
    else:
        lines = []
        for number, raw in enumerate(_text_lines(text), start=1):
            if not raw.strip():
                continue
            where = f"{path}:{number}"
            sql, tab, db_id = raw.rstrip().rpartition("\t")
            if not tab:
                raise InputError(f"{where}: expected SQL<TAB>db_id, found no tab: {raw.strip()[:60]!r}")
            if not sql.strip() or not db_id.strip():
                raise InputError(f"{where}: expected SQL<TAB>db_id, one of them is empty")
            lines.append(Line(str(len(lines)), db_id.strip(), sql.strip(), where))
    if not lines:
        raise InputError(f"{path}: holds no gold")
    return lines


def read_predictions(path: Path, golds: list[Line]) -> list[Line]:
    """The predictions of a file, one per gold and in the golds' order.

    A text file has one line per gold, blank lines between interactions where the gold file has them; elsewhere a
    blank line is an empty prediction. A JSONL file is matched by id.

    Raises:
        InputError: a prediction is missing, surplus or of another database.
    """
    text = _read(path)
    if _is_jsonl(path, text):
        found = {line.id: line for line in _read_jsonl(path, text)}
        missing = [gold for gold in golds if gold.id not in found]
        if missing:
            raise InputError(
                f"{path}: {len(missing)} of {len(golds)} golds have no prediction, the first is id "
                f"{missing[0].id!r} ({missing[0].where}); give an empty sql where the model gave none"
            )
        known = {gold.id for gold in golds}
        surplus = [line for line in found.values() if line.id not in known]
        if surplus:
            raise InputError(f"{surplus[0].where}: id {surplus[0].id!r} is not among the golds")
        lines = [found[gold.id] for gold in golds]
    else:
        raw_lines = _text_lines(text)
        if len(raw_lines) != len(golds):
            filled = [raw for raw in raw_lines if raw.strip()]
            numbers = [n for n, raw in enumerate(raw_lines, start=1) if raw.strip()]
            if len(filled) != len(golds):
                raise InputError(
                    f"{path}: {len(raw_lines)} lines ({len(filled)} not blank) for {len(golds)} golds; one prediction "
                    "a line is expected, an empty line where the model gave none"
                )
        else:
            filled, numbers = raw_lines, list(range(1, len(raw_lines) + 1))
        lines = []
        for gold, raw, number in zip(golds, filled, numbers, strict=True):
            sql, tab, db_id = raw.partition("\t")
            named = db_id.split("\t")[0].strip() if tab else None
            lines.append(Line(gold.id, named or None, sql.strip(), f"{path}:{number}"))
    for gold, line in zip(golds, lines, strict=True):
        if line.db_id and gold.db_id and line.db_id != gold.db_id:
            raise InputError(
                f"{line.where}: the prediction is for database {line.db_id!r}, its gold ({gold.where}) for "
                f"{gold.db_id!r}; the files do not line up"
            )
    return lines


def read_items(gold: Path, prediction: Path) -> list[Item]:
    """Gold and prediction of every item, in the golds' order. InputError as the two readers say."""
    golds = read_gold(gold)
    predictions = read_predictions(prediction, golds)
    return [Item(g.id, str(g.db_id), g.sql, p.sql, p.where) for g, p in zip(golds, predictions, strict=True)]
