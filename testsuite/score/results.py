"""RESULTS on disk: ``run.json`` (what was asked), ``items.jsonl`` (records as they finish) and ``summary.json``.

A run that was killed goes on where it stopped: the records of items.jsonl are kept where the fingerprint in run.json
says that they answer the same question. Records of a fault outside the queries are not: those items are tried again.
A finished items.jsonl is in the golds' order, whatever the number of workers and however often the run was stopped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from testsuite.errors import InputError
from testsuite.jsonl import json_line, read_records, write_json, write_whole
from testsuite.metrics import Figures, figures_of
from testsuite.metrics.groups import natural
from testsuite.records import Fate, ItemResult
from testsuite.score.pairs import Origin, Pair, read_origin, read_pairs_of

if TYPE_CHECKING:
    import pandas

ITEMS, RUN, SUMMARY = "items.jsonl", "run.json", "summary.json"


def _parse(raw: str) -> ItemResult | None:
    try:
        return ItemResult.from_dict(json.loads(raw))
    except (ValueError, KeyError, TypeError):
        return None


@dataclass
class ResultsWriter:
    """Appends records to items.jsonl; each is on disk before the next is asked for.

    Use ``open_results`` to make one.
    """

    directory: Path
    done: dict[str, ItemResult]
    _file: IO[str]

    def add(self, result: ItemResult) -> None:
        """Append one record. InputError when the disk is full or the file can't be written."""
        try:
            self._file.write(json_line(result.to_dict()))
            self._file.flush()
        except OSError as error:
            raise InputError(
                f"{self.directory / ITEMS}: can't be written ({error.strerror or error}); "
                "records already there are kept, run the same command again to go on"
            ) from error
        self.done[result.id] = result

    def close(self) -> None:
        """Close items.jsonl; closing twice does nothing."""
        # A record that could not be written is still in the file's buffer, and has been told of.
        with suppress(OSError):
            self._file.close()

    def finish(self, summary: Mapping[str, object], order: Sequence[str]) -> None:
        """Put the records of items.jsonl in the given order of ids, and write summary.json."""
        self.close()
        try:
            write_whole(self.directory / ITEMS, "".join(json_line(self.done[name].to_dict()) for name in order))
            write_json(self.directory / SUMMARY, summary)
        except OSError as error:
            raise InputError(
                f"{self.directory}: can't be written ({error.strerror or error}); "
                "records already there are kept, run the same command again to go on"
            ) from error


def open_results(directory: Path, fingerprint: Mapping[str, object]) -> ResultsWriter:
    """Open a results directory, keeping what an earlier, interrupted run of the same question left.

    Args:
        fingerprint: hashes of all inputs and the options that can change a verdict.

    Raises:
        InputError: the directory holds another run's results, or can't be written.
    """
    done: dict[str, ItemResult] = {}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        run, items = directory / RUN, directory / ITEMS
        if items.exists():
            try:
                earlier = json.loads(run.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                earlier = None
            if earlier != json.loads(json.dumps(fingerprint)):
                raise InputError(
                    f"{directory}: holds the results of another run (other inputs, options or version); "
                    "choose another directory for -o, or remove this one"
                )
            lines = items.read_text(encoding="utf-8").split("\n")
            again = False
            for record in filter(None, map(_parse, lines)):
                if record.fate is Fate.INFRASTRUCTURE:
                    again = True
                else:
                    done[record.id] = record
            # A kill can leave half a line: write back the whole ones.
            write_whole(items, "".join(json_line(record.to_dict()) for record in done.values()))
            if again:
                # It tells of records that are no more.
                (directory / SUMMARY).unlink(missing_ok=True)
        write_json(run, fingerprint)
        file = items.open("a", encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise InputError(f"{directory}: results can't be written here: {error.strerror or error}") from error
    return ResultsWriter(directory, done, file)


def null_results() -> ResultsWriter:
    """A writer that keeps records in memory only."""
    return ResultsWriter(Path(os.devnull), {}, Path(os.devnull).open("w", encoding="utf-8"))


def load_items(directory: Path) -> Iterator[ItemResult]:
    """The records of a results directory, in file order.

    Raises:
        InputError: there is no items.jsonl, or a line of it is damaged.
    """
    advice = "`testsuite score -o` writes it"
    return read_records(directory / ITEMS, ItemResult.from_dict, advice, "not a result record")


@dataclass(frozen=True)
class Results:
    """A finished run.

    Attributes:
        directory: where it was read from.
        items: one record per item, in natural order of their ids.
        summary: content of summary.json.
    """

    directory: Path
    items: tuple[ItemResult, ...]
    summary: Mapping[str, Any]

    @property
    def etype(self) -> str:
        """What the run was asked for: exec | match | all."""
        return str(self.summary["options"].get("etype", "exec"))

    @cached_property
    def figures(self) -> Figures:
        """All figures, made from the records."""
        return figures_of(self.items, self.etype)

    @cached_property
    def pairs(self) -> Mapping[str, Pair]:
        """The queries of every item by its id, in the golds' order; InputError where the run kept none."""
        return read_pairs_of(self.directory)

    @cached_property
    def origin(self) -> Origin:
        """Where the inputs were when the run was made."""
        return read_origin(self.directory)

    def to_pandas(self) -> pandas.DataFrame:
        """The records as a table, one row per item, one column per field of ``ItemResult``.

        Raises:
            InputError: pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise InputError("to_pandas needs pandas, which is not installed: pip install pandas") from None
        return pandas.DataFrame([item.to_dict() for item in self.items], columns=list(ItemResult.__slots__))


def load_results(path: str | Path) -> Results:
    """Read a results directory that ``testsuite score -o`` wrote.

    Raises:
        InputError: it is no results directory, the run did not finish, or a file is damaged.
    """
    directory = Path(path)
    summary_path = directory / SUMMARY
    if not (directory / ITEMS).is_file():
        raise InputError(f"{directory}: no results directory ({ITEMS} is not there); `testsuite score -o` writes one")
    if not summary_path.is_file():
        raise InputError(f"{directory}: the run did not finish; give its `testsuite score` command again to go on")
    try:
        summary = json.loads(summary_path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{summary_path}: can't be read: {error}") from error
    if not isinstance(summary, dict) or not isinstance(summary.get("options"), dict) or "items" not in summary:
        raise InputError(f"{summary_path}: not a summary of `testsuite score`")
    items = {item.id: item for item in load_items(directory)}
    if len(items) != summary["items"]:
        raise InputError(
            f"{directory}: {ITEMS} has {len(items)} items and {SUMMARY} tells of {summary['items']}; score again"
        )
    return Results(directory, tuple(items[name] for name in sorted(items, key=natural)), summary)
