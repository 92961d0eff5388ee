"""CHECK constraints found in the text of a CREATE TABLE statement; no pragma of SQLite lists them."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[A-Za-z_]\w*|[()]""",
    re.DOTALL,
)


def checks_of(create_table: str) -> tuple[str, ...]:
    """The conditions of all CHECK constraints, column and table ones, in order, without their parentheses."""
    found = []
    depth = 0
    awaiting = False
    opened: tuple[int, int] | None = None
    for token in _TOKEN.finditer(create_table):
        text = token.group()
        if text.startswith(("--", "/*")):
            continue
        if text == "(":
            depth += 1
            if awaiting:
                opened = (depth, token.end())
        elif text == ")":
            if opened and opened[0] == depth:
                found.append(create_table[opened[1] : token.start()].strip())
                opened = None
            depth -= 1
        # Deeper, inside DEFAULT (...) or another CHECK, the word would be part of an expression.
        awaiting = text.upper() == "CHECK" and depth == 1 and opened is None
    return tuple(found)


__all__ = ["checks_of"]
