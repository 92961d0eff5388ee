"""What every form of file is read into, and how bytes become text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from testsuite.errors import InputError
from testsuite.official.sqltokens import TokenKind, sql_tokens


@dataclass(frozen=True, slots=True)
class Line:
    """One query of a file: its id, database (predictions may lack one), text and where it stands.

    Of golds also: further texts that are right as well (``accepted``), the difficulty that the file gives, and
    the place in a dialogue (``interaction`` from 0 and ``turn`` from 1, None where the file has no dialogues), and
    whether comparisons written apart were ``joined`` (see ``joined_comparisons``).
    """

    id: str
    db_id: str | None
    sql: str
    where: str
    accepted: tuple[str, ...] = ()
    difficulty: str | None = None
    interaction: int | None = None
    turn: int | None = None
    joined: bool = False


_APART = ("<", ">", "!")


def joined_comparisons(sql: str) -> str:
    """The query with ``> =``, ``< =`` and ``! =`` made one sign, outside of quotation marks.

    Golds of SParC and CoSQL are made of tokens, and hold such signs. No query that is right holds them, and the
    published script joins them too, so this takes no verdict away.
    """
    if "=" not in sql:
        return sql
    tokens = list(sql_tokens(sql))
    kept: list[str] = []
    for place, token in enumerate(tokens):
        before = place - 1
        while before >= 0 and tokens[before].kind is TokenKind.SPACE:
            before -= 1
        if token.text == "=" and 0 <= before < place - 1 and tokens[before].text in _APART:
            del kept[before + 1 - place :]
        kept.append(token.text)
    return "".join(kept)


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes, hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, a byte order mark dropped, line ends made alike. InputError where that fails."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: can't be read: {error.strerror or error}") from error
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError(f"{path}:{line}: not UTF-8 text; save the file as UTF-8") from None


def text_lines(text: str) -> list[str]:
    """The lines of a text; the last line's end is no line of its own."""
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return lines


def by_interaction(golds: Sequence[Line]) -> list[list[Line]]:
    """Golds of one interaction together, in order; all in one where the file has no interactions."""
    return [list(group) for _, group in groupby(golds, key=lambda gold: gold.interaction)]


def check_ids(lines: Iterable[Line]) -> None:
    """Raise InputError where an id stands twice."""
    seen: dict[str, str] = {}
    for line in lines:
        if line.id in seen:
            raise InputError(
                f"{line.where}: id {line.id!r} stands already at {seen[line.id]}; ids must be unique, and are compared "
                "as text"
            )
        seen[line.id] = line.where
