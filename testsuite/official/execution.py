"""Execution and test-suite accuracy as the published script decides them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from time import monotonic
from typing import Literal, TypeAlias

from testsuite.errors import InputError
from testsuite.official.answers import Row, answers_equal
from testsuite.official.plug import plugged
from testsuite.official.readonly import QueryFailed, QueryTimeout, ReadOnlyFiles
from testsuite.official.sqltokens import without_distinct
from testsuite.official.text import executed_text

MAX_CANDIDATES = 20_000
"""Assignments of values tried for one prediction; published predictions with a verdict need fewer than 100."""

Reason: TypeAlias = Literal[
    "equal",
    "equal_plugged",
    "different",
    "prediction_error",
    "prediction_timeout",
    "capped",
    "gold_error",
    "gold_timeout",
]


@dataclass(frozen=True, slots=True)
class OfficialVerdict:
    """What the script concludes of a pair.

    equal: None where the gold itself could not be run, which ends the script's run.
    reason: `equal`, or `equal_plugged` for a plugged prediction; of the prediction as written `different`,
        `prediction_error`, `prediction_timeout` (the script takes all three for wrong); `capped`: no plugged
        prediction tried is right, and not all were tried; `gold_error`, `gold_timeout`.
    instance: name of the file on which it was decided (that of the prediction as written); None if equal.
    message: SQLite's, for an error.
    candidates, tried: queries there were to try, and those that were tried, the prediction as written included.
    """

    equal: bool | None
    reason: Reason
    instance: str | None
    message: str
    candidates: int
    tried: int


class _GoldFailed(Exception):
    """The gold failed; one verdict."""

    def __init__(self, reason: Reason, instance: str, message: str) -> None:
        super().__init__(message)
        self.reason: Reason = reason
        self.instance = instance
        self.message = message


def instance_files(folder: Path) -> list[Path]:
    """The files of a database folder the script takes for instances: `.sqlite` anywhere in the name. Smallest first.

    Raises InputError where there is none.
    """
    found = [path for path in folder.iterdir() if ".sqlite" in path.name] if folder.is_dir() else []
    if not found:
        raise InputError(f"{folder}: no .sqlite file there")
    return sorted(found, key=lambda path: (path.stat().st_size, path.name))


def official_equal(
    gold_sql: str,
    prediction_sql: str,
    sqlite_paths: Sequence[Path],
    *,
    keep_distinct: bool = False,
    plug_value: bool = False,
    timeout: float = 30.0,
    max_candidates: int = MAX_CANDIDATES,
    files: ReadOnlyFiles | None = None,
) -> OfficialVerdict:
    """Whether the prediction answers like the gold on every instance, as the script decides it.

    gold_sql, prediction_sql: texts as read (the prediction after `prediction_text`).
    sqlite_paths: the instances, the cheapest first; see `instance_files`.
    keep_distinct: leave DISTINCT in both queries.
    plug_value: try the prediction also with the gold's values in place of its own.
    timeout: seconds for each run of the gold, and for all runs of the prediction together.
    max_candidates: plugged predictions to try at most.
    files: connections to use again; None opens them anew.

    Never raises for what the queries do.
    """
    if files is None:
        with ReadOnlyFiles() as own:
            return official_equal(
                gold_sql,
                prediction_sql,
                sqlite_paths,
                keep_distinct=keep_distinct,
                plug_value=plug_value,
                timeout=timeout,
                max_candidates=max_candidates,
                files=own,
            )
    gold, prediction = executed_text(gold_sql), executed_text(prediction_sql)
    if not keep_distinct:
        gold, prediction = without_distinct(gold), without_distinct(prediction)
    pair = _Pair(gold, sqlite_paths, timeout, files)
    total, queries = plugged(gold, prediction) if plug_value else (0, iter(()))
    first: tuple[Reason, str | None, str] | None = None
    tried = 0
    try:
        for candidate in chain((prediction,), islice(queries, max_candidates)):
            if tried and pair.late():
                return OfficialVerdict(False, "capped", first[1] if first else None, "", total + 1, tried)
            outcome = pair.outcome(candidate)
            tried += 1
            if outcome[0] == "equal":
                reason: Reason = "equal" if tried == 1 else "equal_plugged"
                return OfficialVerdict(True, reason, None, "", total + 1, tried)
            first = first or outcome
    except _GoldFailed as failure:
        return OfficialVerdict(None, failure.reason, failure.instance, failure.message, total + 1, tried)
    assert first is not None
    if tried < total + 1:
        return OfficialVerdict(False, "capped", first[1], "", total + 1, tried)
    return OfficialVerdict(False, first[0], first[1], first[2], total + 1, tried)


class _Pair:
    """A gold, its answers so far, and the time left for predictions."""

    def __init__(self, gold: str, paths: Sequence[Path], timeout: float, files: ReadOnlyFiles) -> None:
        self._gold = gold
        self._paths = paths
        self._timeout = timeout
        self._files = files
        self._ordered = "order by" in gold.lower()
        self._answers: dict[Path, list[Row]] = {}
        self._left = timeout

    def late(self) -> bool:
        return self._left <= 0

    def outcome(self, prediction: str) -> tuple[Reason, str | None, str]:
        """Verdict on one query, the instance it fell on, and a message. Gives up at the first difference."""
        for path in self._paths:
            gold = self._gold_answer(path)
            start = monotonic()
            try:
                # One row more than the gold has is enough to know that the answers differ.
                rows = self._files.rows(path, prediction, start + self._left, len(gold) + 1)
            except QueryFailed as error:
                return "prediction_error", path.name, str(error)
            except QueryTimeout as error:
                return "prediction_timeout", path.name, str(error)
            finally:
                self._left -= monotonic() - start
            if not answers_equal(gold, rows, self._ordered):
                return "different", path.name, ""
        return "equal", None, ""

    def _gold_answer(self, path: Path) -> list[Row]:
        answer = self._answers.get(path)
        if answer is None:
            try:
                answer = self._files.rows(path, self._gold, monotonic() + self._timeout)
            except QueryFailed as error:
                raise _GoldFailed("gold_error", path.name, str(error)) from None
            except QueryTimeout as error:
                raise _GoldFailed("gold_timeout", path.name, str(error)) from None
            self._answers[path] = answer
        return answer
