"""Which form a file has, and which prediction belongs to which gold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from testsuite.errors import InputError
from testsuite.records import Item
from testsuite.score.files.bird_predictions import is_bird_predictions, read_bird_predictions
from testsuite.score.files.lines import Line, joined_comparisons, read_text
from testsuite.score.files.objects import json_value, read_jsonl, read_list
from testsuite.score.files.spider_text import read_gold_text, read_prediction_text


@dataclass(frozen=True, slots=True)
class Pairs:
    """All items of two files, in the golds' order; ``bird`` says that one of them is in BIRD's form."""

    items: tuple[Item, ...]
    bird: bool


def _read_objects(path: Path, text: str) -> tuple[list[Line], bool] | dict[str, object] | None:
    """A JSON file's queries, BIRD's predictions as they stand, or None where it is plain text."""
    first = text.lstrip()[:1]
    if first == "[":
        data = json_value(path, text)
        assert isinstance(data, list)
        return read_list(path, data)
    if path.suffix.lower() == ".json" or first == "{":
        try:
            whole = json.loads(text, object_pairs_hook=_unique)
        except ValueError:
            whole = None
        except KeyError as error:
            raise InputError(f"{path}: {error.args[0]!r} stands twice in one object; give each id once") from None
        if isinstance(whole, dict) and is_bird_predictions(whole):
            return whole
    if first == "{" or path.suffix.lower() in {".jsonl", ".ndjson"}:
        return read_jsonl(path, text)
    if path.suffix.lower() == ".json":
        json_value(path, text)
        raise InputError(f"{path}: expected a JSON list of entries, or an object of predictions by question id")
    return None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object's content; KeyError where a key stands twice, of which JSON readers keep the last in silence."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise KeyError(key)
        found[key] = value
    return found


def _golds(path: Path) -> tuple[list[Line], bool]:
    text = read_text(path)
    objects = _read_objects(path, text)
    if isinstance(objects, dict):
        raise InputError(f"{path}: holds predictions in BIRD's form, not golds")
    lines, bird = (read_gold_text(path, text), False) if objects is None else objects
    for line in lines:
        if not line.db_id:
            raise InputError(f"{line.where}: gold {line.id!r} has no db_id")
    if not lines:
        raise InputError(f"{path}: holds no gold")
    return [_with_joined(line) for line in lines], bird


def _with_joined(line: Line) -> Line:
    sql, accepted = joined_comparisons(line.sql), tuple(map(joined_comparisons, line.accepted))
    if (sql, accepted) == (line.sql, line.accepted):
        return line
    return replace(line, sql=sql, accepted=accepted, joined=True)


def read_gold(path: Path) -> list[Line]:
    """The golds of a file, in order: Spider text, JSONL, or a JSON list (see ``testsuite.score.files``).

    Comparison signs written apart are joined (``joined_comparisons``).

    Raises:
        InputError: the file is missing, empty, or an entry is not as its form asks.
    """
    return _golds(path)[0]


def _predictions(path: Path, golds: Sequence[Line], first_field: bool) -> tuple[list[Line], bool]:
    text = read_text(path)
    objects = _read_objects(path, text)
    if objects is None:
        lines, bird = read_prediction_text(path, text, golds, first_field), False
    elif isinstance(objects, dict):
        lines, bird = _by_id(path, read_bird_predictions(path, objects, golds), golds), True
    else:
        lines, bird = _by_id(path, objects[0], golds), objects[1]
    for gold, line in zip(golds, lines, strict=True):
        if line.accepted:
            raise InputError(f"{line.where}: several predictions for item {line.id!r}; one is expected")
        if line.db_id and line.db_id != gold.db_id:
            raise InputError(
                f"{line.where}: the prediction is for database {line.db_id!r}, its gold ({gold.where}) for "
                f"{gold.db_id!r}; the files do not line up"
            )
    return lines, bird


def _by_id(path: Path, lines: Sequence[Line], golds: Sequence[Line]) -> list[Line]:
    found = {line.id: line for line in lines}
    missing = [gold for gold in golds if gold.id not in found]
    if missing:
        raise InputError(
            f"{path}: {len(missing)} of {len(golds)} golds have no prediction, the first is id "
            f"{missing[0].id!r} ({missing[0].where}); give an empty sql where the model gave none"
        )
    known = {gold.id for gold in golds}
    surplus = [line for line in lines if line.id not in known]
    if surplus:
        raise InputError(f"{surplus[0].where}: id {surplus[0].id!r} is not among the golds")
    return [found[gold.id] for gold in golds]


def read_predictions(path: Path, golds: Sequence[Line], first_field: bool = False) -> list[Line]:
    """The predictions of a file, one per gold and in the golds' order.

    A text file has one line per gold, blank lines between interactions where the golds have them; elsewhere a blank
    line is an empty prediction. What follows a tab is dropped where it names the gold's database. JSON is matched
    by id.

    Args:
        first_field: of a text line only what stands before the first tab is taken, as the published script does;
            otherwise tabs may stand in SQL.

    Raises:
        InputError: a prediction is missing, surplus or of another database, or interactions do not line up.
    """
    return _predictions(path, golds, first_field)[0]


def read_pairs(gold: Path, prediction: Path, first_field: bool = False) -> Pairs:
    """Gold and prediction of every item, in the golds' order. InputError as the two readers say."""
    golds, gold_bird = _golds(gold)
    predictions, prediction_bird = _predictions(prediction, golds, first_field)
    items = tuple(_item(g, p) for g, p in zip(golds, predictions, strict=True))
    return Pairs(items, gold_bird or prediction_bird)


def _item(gold: Line, prediction: Line) -> Item:
    # Where the gold is written in tokens, the prediction may be too: it is read alike, and nowhere else.
    sql = joined_comparisons(prediction.sql) if gold.joined else prediction.sql
    return Item(
        gold.id,
        str(gold.db_id),
        gold.sql,
        sql,
        prediction.where,
        gold.accepted,
        gold.difficulty,
        gold.interaction,
        gold.turn,
        gold.joined,
    )


def read_items(gold: Path, prediction: Path) -> list[Item]:
    """The items of ``read_pairs``."""
    return list(read_pairs(gold, prediction).items)
