"""Find the query in what a model wrote."""

from __future__ import annotations

import re

# A fence that was not closed (a completion cut off) runs to the end.
_SQL_FENCE = re.compile(r"```[ \t]*(?:sql|sqlite)[ \t]*\n(.*?)(?:```|\Z)", re.IGNORECASE | re.DOTALL)
_FENCE = re.compile(r"```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
_START = re.compile(r"\b(?:SELECT|WITH|VALUES)\b", re.IGNORECASE)
_LINE_START = re.compile(r"^[ \t]*(?=(?:SELECT|WITH|VALUES)\b)", re.IGNORECASE | re.MULTILINE)
_PIECE = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|--[^\n]*|/\*.*?\*/|(;)", re.DOTALL)


def extract_sql(text: str) -> str:
    """The query in a completion.

    The last fence marked ``sql`` counts, else the last fence of any kind, else the last statement: from SELECT, WITH
    or VALUES (at the start of a line where there is such a line) to its semicolon or the end of the text. Nothing is
    repaired: text after a query without a semicolon stays, and SQLite will refuse it. Without any of these the text
    itself is returned.
    """
    fences = _SQL_FENCE.findall(text) or _FENCE.findall(text)
    if fences:
        return str(fences[-1]).strip()
    last, place = "", 0
    while True:
        start = _LINE_START.search(text, place) or (None if last else _START.search(text, place))
        if start is None:
            return last or text.strip()
        end = next((piece.start() for piece in _PIECE.finditer(text, start.start()) if piece[1]), len(text))
        last, place = text[start.start() : end].strip(), end
