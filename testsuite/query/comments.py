"""Comments of SQL text, blanked: sqlglot joins ORDER and BY into one token only over blanks."""

from __future__ import annotations

import re

# SQLite's quotes and comments, https://sqlite.org/lang_comment.html; a block comment may be left open at the end.
_PIECE = re.compile(
    r"""'[^']*' | "[^"]*" | `[^`]*` | \[[^\]]*\] | (?P<comment> --[^\n]* | /\*.*?(?:\*/|\Z))""", re.DOTALL | re.VERBOSE
)


def without_comments(sql: str) -> str:
    """The text with every comment replaced by as many blanks, so that positions stay; literals are left alone."""
    return _PIECE.sub(lambda piece: " " * len(piece["comment"]) if piece["comment"] else piece[0], sql)
