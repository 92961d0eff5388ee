"""JSON files that are written whole and read back line by line: the files of RESULTS."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from testsuite.errors import InputError

T = TypeVar("T")


def json_line(record: Mapping[str, object]) -> str:
    """A record as one line, its end included."""
    return json.dumps(record, ensure_ascii=False) + "\n"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old one or the new one, never half of it; OSError where that fails."""
    part = path.with_name(path.name + ".part")
    try:
        # Half of a surrogate pair is no UTF-8; its escape is JSON's too.
        part.write_text(text, encoding="utf-8", errors="backslashreplace")
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise


def write_json(path: Path, data: object) -> None:
    """Write one JSON value by ``write_whole``."""
    write_whole(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def write_records(path: Path, records: Iterable[Mapping[str, object]]) -> None:
    """Write a file of one record a line by ``write_whole``.

    Raises:
        InputError: it can't be written.
    """
    try:
        write_whole(path, "".join(map(json_line, records)))
    except OSError as error:
        raise InputError(f"{path}: can't be written: {error.strerror or error}") from error


def read_records(path: Path, parse: Callable[[Any], T], advice: str, damaged: str) -> Iterator[T]:
    """The records of a file of one a line, in its order; empty lines are passed over.

    Args:
        parse: makes a record of a line's JSON; ValueError, KeyError, TypeError or AttributeError where it is none.
        advice: said where the file can't be read.
        damaged: said of a line that is no record.

    Raises:
        InputError: the file can't be read, or a line of it is damaged.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: can't be read ({error}); {advice}") from error
    for number, raw in enumerate(lines, start=1):
        if not raw:
            continue
        try:
            record = parse(json.loads(raw))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(f"{path}:{number}: {damaged}") from None
        yield record
