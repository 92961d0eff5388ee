"""Execution and test-suite accuracy as the published script decides them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
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

_Outcome: TypeAlias = tuple[Reason, str | None, str]
_SHORT = 0.25
"""Seconds a query may take on an instance before the others are tried first."""


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


class _GoldFailed(Exception):  # noqa: N818 - an outcome, not a fault
    """The gold could not be run on an instance."""

    def __init__(self, outcome: _Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


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
    timeout: seconds for each run of the gold, for all runs of the prediction as written together, and for all runs of
        plugged predictions together.
    max_candidates: plugged predictions to try at most.
    files: connections to use again; None opens them anew.

    Raises InputError where there is no instance; never for what the queries do.
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
    if not sqlite_paths:
        raise InputError("no instance to run the queries on")
    gold, prediction = executed_text(gold_sql), executed_text(prediction_sql)
    if not keep_distinct:
        gold, prediction = without_distinct(gold), without_distinct(prediction)
    total, queries = plugged(gold, prediction) if plug_value else (0, iter(()))
    pair = _Pair(gold, sqlite_paths, timeout, files)
    tried = 1
    try:
        reason, instance, message = pair.outcome(prediction)
        if reason == "equal":
            return OfficialVerdict(True, "equal", None, "", 1 + total, tried)
        pair.wind_up()
        for query in islice(queries, max_candidates):
            if pair.late:
                break
            tried += 1
            if pair.outcome(query)[0] == "equal":
                return OfficialVerdict(True, "equal_plugged", None, "", 1 + total, tried)
    except _GoldFailed as failure:
        reason, instance, message = failure.outcome
        return OfficialVerdict(None, reason, instance, message, 1 + total, tried)
    if tried < 1 + total:
        return OfficialVerdict(False, "capped", instance, message, 1 + total, tried)
    return OfficialVerdict(False, reason, instance, message, 1 + total, tried)


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

    def wind_up(self) -> None:
        """Gives predictions all their time again."""
        self._left = self._timeout

    @property
    def late(self) -> bool:
        return self._left <= 0

    def outcome(self, prediction: str) -> _Outcome:
        """Verdict on one query, the instance it fell on, and a message. Gives up at the first difference.

        An instance on which the query is slow is put off, since another may refute it in no time.
        """
        slow: list[Path] = []
        for path in self._paths:
            found = self._on_instance(path, prediction, min(self._left, _SHORT))
            if found is not None and found[0] == "prediction_timeout":
                slow.append(path)
            elif found is not None:
                return found
        for path in slow:
            found = self._on_instance(path, prediction, self._left)
            if found is not None:
                return found
        return "equal", None, ""

    def _on_instance(self, path: Path, prediction: str, seconds: float) -> _Outcome | None:
        """None where the answers are equal."""
        gold = self._gold_answer(path)
        start = monotonic()
        try:
            # One row more than the gold has is enough to know that the answers differ.
            with self._files.guard(False, self._left):
                rows = self._files.rows(path, prediction, start + seconds, len(gold) + 1)
        except QueryFailed as error:
            return "prediction_error", path.name, str(error)
        except QueryTimeout as error:
            return "prediction_timeout", path.name, str(error)
        finally:
            self._left -= monotonic() - start
        return None if answers_equal(gold, rows, self._ordered) else ("different", path.name, "")

    def _gold_answer(self, path: Path) -> list[Row]:
        answer = self._answers.get(path)
        if answer is None:
            try:
                with self._files.guard(True, self._timeout):
                    answer = self._files.rows(path, self._gold, monotonic() + self._timeout)
            except QueryFailed as error:
                raise _GoldFailed(("gold_error", path.name, str(error))) from None
            except QueryTimeout as error:
                raise _GoldFailed(("gold_timeout", path.name, str(error))) from None
            self._answers[path] = answer
        return answer
