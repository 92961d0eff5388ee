"""What is said of a wrong prediction, and the file it is kept in: ``causes.jsonl``, one line per wrong item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from testsuite.jsonl import read_records, write_records

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
    write_records(path, (one.to_dict() for one in found))
    return path


def load_causes(directory: Path) -> dict[str, Explanation]:
    """The explanations of a results directory by item id, in the golds' order.

    Raises:
        InputError: there are none yet, or a line is damaged.
    """
    advice = f"`testsuite explain {directory} --all` writes it"
    damaged = f"not an explanation; `testsuite explain {directory} --all` writes the file anew"
    return {one.id: one for one in read_records(directory / CAUSES_FILE, Explanation.from_dict, advice, damaged)}
