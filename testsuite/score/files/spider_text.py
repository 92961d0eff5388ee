"""Spider's text files: one query a line, blank lines between interactions (SParC, CoSQL)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from testsuite.errors import InputError
from testsuite.score.files.lines import Line, by_interaction, text_lines

_WORD = re.compile(r"[\w.-]+")


def read_gold_text(path: Path, text: str) -> list[Line]:
    """Golds, ``SQL<TAB>db_id`` each; tabs in the SQL stay. Blank lines make interactions where there are several."""
    lines: list[Line] = []
    interaction = turn = 0
    for number, raw in enumerate(text_lines(text), start=1):
        if not raw.strip():
            interaction, turn = interaction + (turn > 0), 0
            continue
        where = f"{path}:{number}"
        sql, tab, db_id = raw.rstrip().rpartition("\t")
        if not tab:
            raise InputError(f"{where}: expected SQL<TAB>db_id, found no tab: {raw.strip()[:60]!r}")
        if not sql.strip() or not db_id.strip():
            raise InputError(f"{where}: expected SQL<TAB>db_id, one of them is empty")
        turn += 1
        lines.append(Line(str(len(lines)), db_id.strip(), sql.strip(), where, interaction=interaction, turn=turn))
    if lines and lines[-1].interaction == 0:
        return [replace(line, interaction=None, turn=None) for line in lines]
    return lines


def read_prediction_text(path: Path, text: str, golds: Sequence[Line], first_field: bool) -> list[Line]:
    """Predictions, one line per gold; see ``read_predictions``."""
    lines = text_lines(text)
    dialogues = any(gold.interaction is not None for gold in golds)
    numbers = _dialogue_lines(path, lines, golds) if dialogues else _plain_lines(path, lines, golds)
    db_ids = {gold.db_id for gold in golds}
    return [
        _prediction(f"{path}:{number + 1}", lines[number], gold, db_ids, first_field)
        for number, gold in zip(numbers, golds, strict=True)
    ]


def _plain_lines(path: Path, lines: Sequence[str], golds: Sequence[Line]) -> list[int]:
    """Which line is whose prediction. An empty line is an empty prediction, unless the others are enough."""
    if len(lines) >= len(golds) and not any(line.strip() for line in lines[len(golds) :]):
        return list(range(len(golds)))
    filled = [number for number, line in enumerate(lines) if line.strip()]
    if len(filled) != len(golds):
        raise InputError(
            f"{path}: {len(lines)} lines ({len(filled)} not blank) for {len(golds)} golds; one prediction "
            "a line is expected, an empty line where the model gave none"
        )
    return filled


def _dialogue_lines(path: Path, lines: Sequence[str], golds: Sequence[Line]) -> list[int]:
    """The same for interactions. Either blank lines stand just where the golds have them, and then any other blank
    line is an empty prediction; or they part interactions of the golds' sizes; or there are none."""
    groups = by_interaction(golds)
    places: list[int] = []
    breaks: list[int] = []
    for group in groups:
        start = places[-1] + 2 if places else 0
        breaks += [start - 1] if places else []
        places += range(start, start + len(group))
    blank_after = not any(line.strip() for line in lines[places[-1] + 1 :])
    if len(lines) > places[-1] and blank_after and not any(lines[number].strip() for number in breaks):
        return places
    filled = [number for number, line in enumerate(lines) if line.strip()]
    found: list[list[int]] = []
    for number in filled:
        if not found or number - found[-1][-1] > 1:
            found.append([])
        found[-1].append(number)
    if len(found) == 1 and len(filled) == len(golds):
        return filled
    for index, group in enumerate(groups):
        given = found[index] if index < len(found) else []
        if len(given) != len(group):
            line = given[0] if given else len(lines) - 1
            raise InputError(
                f"{path}:{line + 1}: interaction {index + 1} has {len(given)} predictions here, and {len(group)} golds "
                f"({group[0].where}); put one blank line between interactions, and one prediction per gold in each"
            )
    if len(found) > len(groups):
        raise InputError(
            f"{path}:{found[len(groups)][0] + 1}: interaction {len(groups) + 1} starts here, and the golds end with "
            f"interaction {len(groups)} ({golds[-1].where})"
        )
    return filled


def _prediction(where: str, raw: str, gold: Line, db_ids: set[str | None], first_field: bool) -> Line:
    fields = [field.strip() for field in raw.split("\t")]
    if gold.db_id in fields[1:]:
        sql = "\t".join(raw.split("\t")[: fields.index(gold.db_id, 1)])
        return Line(gold.id, gold.db_id, sql.split("\t")[0].strip() if first_field else sql.strip(), where)
    named = len(fields) == 2 and _WORD.fullmatch(fields[1]) is not None
    if len(fields) > 1 and (named or fields[1] in db_ids):
        return Line(gold.id, fields[1], fields[0], where)
    return Line(gold.id, None, fields[0] if first_field else raw.strip(), where)
