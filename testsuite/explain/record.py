"""What is said of a wrong prediction, and the file it is kept in: ``causes.jsonl``, one line per wrong item."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from testsuite.errors import InputError

CAUSES_FILE = "causes.jsonl"


@dataclass(frozen=True, slots=True)
class FoundCause:
    """One cause. ``repair`` is the prediction with the repair of all its causes, where the suite accepted that."""

    name: str
    confirmed: bool
    repair: str | None


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer as plain JSON data; bytes stand as SQL literals. ``error`` is SQLite's message in place of rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ShownExample:
    """The smallest counterexample.

    Attributes:
        script: CREATE TABLE and INSERT statements.
        rows: how many it inserts.
        instance: the instance of the suite it was made from, ``i`` and its position.
        gold: what SQLite answers to the gold.
        prediction: what SQLite answers to the prediction.
        verified: whether SQLite, run on the script, shows the difference in these two answers.
        only_open: the difference hangs on what SQL leaves open (ties, rows without ORDER BY), so that the answers
            which SQLite gives may look alike.
    """

    script: str
    rows: int
    instance: str
    gold: ShownAnswer
    prediction: ShownAnswer
    verified: bool
    only_open: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one item is wrong.

    Attributes:
        id: the item's.
        db_id: its database.
        lucky: whether it is right on the shipped instance.
        causes: at least one.
        counterexample: None where the prediction does not run, or SQLite shows no difference.
        differs_on: instances on which the answers differ, ``i`` and position, all of them.
        instances: how many the suite has.
    """

    id: str
    db_id: str
    lucky: bool
    causes: tuple[FoundCause, ...]
    counterexample: ShownExample | None
    differs_on: tuple[str, ...] = ()
    instances: int = 0

    @property
    def confirmed(self) -> bool:
        """Whether its causes are confirmed."""
        return all(cause.confirmed for cause in self.causes)

    def to_dict(self) -> dict[str, object]:
        """Plain JSON data; ``from_dict`` reads it back."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Explanation:
        """What ``to_dict`` wrote; KeyError, TypeError or ValueError on other data."""
        raw = dict(data)
        raw["causes"] = tuple(FoundCause(**cause) for cause in raw["causes"])
        raw["differs_on"] = tuple(raw.get("differs_on", ()))
        if raw["counterexample"] is not None:
            example = dict(raw["counterexample"])
            for side in ("gold", "prediction"):
                answer = example[side]
                rows = tuple(tuple(row) for row in answer["rows"])
                example[side] = ShownAnswer(tuple(answer["columns"]), rows, answer.get("error"))
            raw["counterexample"] = ShownExample(**example)
        return cls(**raw)


def save_causes(directory: Path, found: Iterable[Explanation]) -> Path:
    """Write causes.jsonl into a results directory.

    Raises:
        InputError: it can't be written.
    """
    path = directory / CAUSES_FILE
    part = path.with_name(CAUSES_FILE + ".part")
    try:
        lines = (json.dumps(one.to_dict(), ensure_ascii=False) + "\n" for one in found)
        part.write_text("".join(lines), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise InputError(f"{path}: can't be written: {error.strerror or error}") from error
    return path


def load_causes(directory: Path) -> dict[str, Explanation]:
    """The explanations of a results directory by item id, in the golds' order.

    Raises:
        InputError: there are none yet, or a line is damaged.
    """
    path = directory / CAUSES_FILE
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: can't be read ({error}); `testsuite explain {directory} --all` writes it") from error
    found: dict[str, Explanation] = {}
    for number, raw in enumerate(lines, start=1):
        if not raw:
            continue
        try:
            one = Explanation.from_dict(json.loads(raw))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                f"{path}:{number}: not an explanation; `testsuite explain {directory} --all` writes the file anew"
            ) from None
        found[one.id] = one
    return found
