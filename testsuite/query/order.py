"""Whether the outermost query of a text is ordered, found from its tokens alone."""

from __future__ import annotations

import sqlglot
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import TokenType

from testsuite.query.comments import without_comments


def ordered_text(sql: str) -> bool:
    """Whether ORDER BY stands outside all parentheses, literals and comments.

    For texts that cannot be parsed or lifted. Text that cannot even be tokenized counts as ordered: taking an
    order seriously that is none can only refuse evidence, not invent an agreement.
    """
    try:
        tokens = sqlglot.tokenize(without_comments(sql), dialect="sqlite")
    except (SqlglotError, ValueError, RecursionError):
        return True
    depth = 0
    for token in tokens:
        if token.token_type is TokenType.L_PAREN:
            depth += 1
        elif token.token_type is TokenType.R_PAREN:
            depth -= 1
        elif depth == 0 and token.token_type is TokenType.ORDER_BY:
            return True
    return False
