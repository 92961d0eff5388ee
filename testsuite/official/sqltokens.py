"""Tokens of SQL text as the published script's lexer cuts them, as far as its verdicts depend on them.

Only three questions are asked: which words are DISTINCT, which texts are quoted, and where the first statement ends.
Joined, the tokens give the text back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto


class TokenKind(Enum):
    """What a token is."""

    SPACE = auto()
    NEWLINE = auto()
    COMMENT = auto()
    STRING = auto()  # between ' or "
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class SqlToken:
    """A piece of SQL text."""

    kind: TokenKind
    text: str


# The first that matches at a place wins. A backslash before a quotation mark keeps a string open.
_LEXICON = re.compile(
    r"""
      (?P<COMMENT>(?:--|\#[ ]).*?(?:\r\n|\r|\n|$)|/\*[\s\S]*?\*/)
    | (?P<NEWLINE>\r\n|\r|\n)
    | (?P<SPACE>\s)
    | (?P<NAME>`(?:``|[^`])*`|´(?:´´|[^´])*´|(?<![\w\])])\[[^\]\[]+\])
    | (?P<DOLLAR>(?P<tag>\$(?:[_A-Z]\w*)?\$)[\s\S]*?(?P=tag))
    | (?P<PLACE>[$:?]\w+|%(?:\(\w+\))?s\b|\\\w+|(?:@|\#\#|\#)[^\W\d_]\w+)
    | (?P<NUMBER>-?0x[\dA-F]+|-?\d+(?:\.\d+)?E-?\d+|-?(?:\d+\.\d*|\.\d+|\d+)(?![_A-Z]))
    | (?P<STRING>'(?:''|\\'|[^'])*'|"(?:""|\\"|[^"])*")
    | (?P<WORD>\w[\w$\#]*)
    | (?P<COMPARISON>[<>=~!]+)
    | (?P<OPERATOR>[+/@\#%^&|-]+)
    | (?P<ANY>[\s\S])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_KINDS = {kind.name: kind for kind in TokenKind}


def sql_tokens(sql: str) -> Iterator[SqlToken]:
    """All tokens, in order."""
    for found in _LEXICON.finditer(sql):
        yield SqlToken(_KINDS.get(found.lastgroup or "", TokenKind.OTHER), found.group())


def first_statement(sql: str) -> list[SqlToken]:
    """Tokens up to the first `;` outside parentheses, with what blanks and comments follow it."""
    taken: list[SqlToken] = []
    depth = 0
    ended = False
    for token in sql_tokens(sql):
        if ended and token.kind not in (TokenKind.SPACE, TokenKind.COMMENT):
            break
        taken.append(token)
        if token.text == "(":
            depth += 1
        elif token.text == ")":
            depth -= 1
        elif token.text == ";" and depth <= 0:
            ended = True
    return taken


def without_distinct(sql: str) -> str:
    """The first statement of `sql` without the word DISTINCT, wherever it stands outside quotation marks."""
    return "".join(token.text for token in first_statement(sql) if token.text.lower() != "distinct")
