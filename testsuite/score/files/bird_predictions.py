"""BIRD's prediction files: ``{"0": "SQL\\t----- bird -----\\tdb_id", ..}``, by question id or by place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from testsuite.errors import InputError
from testsuite.score.files.lines import Line

SEPARATOR = "\t----- bird -----\t"


def is_bird_predictions(data: object) -> bool:
    """Whether a JSON value can be such a file, rather than one object of ours."""
    return isinstance(data, dict) and bool(data) and not data.keys() & {"id", "question_id", "sql", "SQL"}


def read_bird_predictions(path: Path, data: Mapping[str, object], golds: Sequence[Line]) -> list[Line]:
    """The predictions of such a file by gold id.

    Published files for the small development set count questions from 0 whatever their ids: where the keys are just
    the numbers below the number of golds, and not the golds' ids, they are places.
    """
    known = {gold.id for gold in golds}
    by_place = data.keys() != known and data.keys() == {str(number) for number in range(len(golds))}
    lines = []
    for key, value in data.items():
        where = f"{path}: question {key}"
        if not isinstance(value, str):
            raise InputError(
                f"{where}: the prediction is {type(value).__name__}, not text; give SQL, or empty text where the model "
                f"gave none, followed by {SEPARATOR!r} and the db_id"
            )
        parts = value.split(SEPARATOR)
        if len(parts) != 2 or not parts[1].strip():
            raise InputError(f"{where}: expected SQL, {SEPARATOR!r} and a db_id, each once: {value[:60]!r}")
        identifier = golds[int(key)].id if by_place else key
        lines.append(Line(identifier, parts[1].strip(), parts[0].strip(), where))
    return lines
