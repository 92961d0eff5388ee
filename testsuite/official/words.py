"""Words of a query, cut as the published script cuts them: a Treebank word tokenizer run over SQL.

The rules are those of the Penn Treebank tokenizer (Robert MacIntyre's script) in the form nltk gives them,
reduced to the ones that can still apply once every quoted text has been taken out: no `'` and no `"` is left then.
They are made for English, and their oddities decide what parses: `a=1` is one word, `1,2` is one word, `cannot` is two.
"""

from __future__ import annotations

import re

from testsuite.official.errors import NotParsed

_SPACED = r" \g<0> "
# In this order; each works on the text the one before left.
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[«“‘„]|[`]+"), _SPACED),
    (re.compile(r"``"), _SPACED),
    # The final full stop only, since the text is taken as one sentence.
    (re.compile(r"([^.])(\.)([\])}>»”’ ]*)\s*$"), r"\1 \2 \3 "),
    (re.compile(r"([:,])([^\d])"), r" \1 \2"),
    (re.compile(r"([:,])$"), r" \1 "),
    (re.compile(r"\.{2,}"), _SPACED),
    (re.compile(r"[;@#$%&]"), _SPACED),
    (re.compile(r"([^.])(\.)([\])}>]*)\s*$"), r"\1 \2\3 "),
    (re.compile(r"[?!]"), _SPACED),
    (re.compile(r"[*]"), _SPACED),
    (re.compile(r"[\]\[(){}<>]"), _SPACED),
    (re.compile(r"--"), " -- "),
    (re.compile(r"[»”’]"), _SPACED),
    (re.compile(r"\b(can)(not)\b", re.IGNORECASE), r" \1 \2 "),
    (re.compile(r"\b(gim)(me)\b", re.IGNORECASE), r" \1 \2 "),
    (re.compile(r"\b(gon)(na)\b", re.IGNORECASE), r" \1 \2 "),
    (re.compile(r"\b(got)(ta)\b", re.IGNORECASE), r" \1 \2 "),
    (re.compile(r"\b(lem)(me)\b", re.IGNORECASE), r" \1 \2 "),
    (re.compile(r"\b(wan)(na)(?=\s|$)", re.IGNORECASE), r" \1 \2 "),
)
_JOINED = frozenset("!<>")


def treebank_words(text: str) -> list[str]:
    """The words of a text without quotation marks, in their own case."""
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text.split()


def words(sql: str) -> list[str]:
    """Words of a query: quoted texts whole, in their case, between `"`; everything else lower case.

    Raises NotParsed for an odd number of quotation marks.
    """
    sql = sql.replace("'", '"')
    parts = sql.split('"')
    if len(parts) % 2 == 0:
        raise NotParsed("odd number of quotation marks")
    # A quoted text becomes a name first, because the rules look at the characters around it:
    # glued to its neighbour (`="x"`) it is no word of its own.
    literals: dict[str, str] = {}
    pieces: list[str] = []
    for number, part in enumerate(parts):
        if number % 2:
            name = f"__val_{number}__"
            literals[name] = f'"{part}"'
            pieces.append(name)
        else:
            pieces.append(part)
    found = [word.lower() for word in treebank_words("".join(pieces))]
    found = [literals.get(word, word) for word in found]
    joined: list[str] = []
    for word in found:
        if word == "=" and joined and joined[-1] in _JOINED:
            joined[-1] += word
        else:
            joined.append(word)
    return joined
