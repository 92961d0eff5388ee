"""Value plugging: the prediction's own values are slots, filled with the gold's values in every way.

Slots and values are found on text, as the published script finds them, so an alias such as `b2` is a value too
(any one character but t, followed by digits), and everything in a plugged query that is no value is lower case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from testsuite.official.sqltokens import TokenKind, sql_tokens

_MARK = "VALUERARE"
"""Stands for a value while a query is taken apart."""
_DECIMAL = re.compile(r"[-+]?\d*\.\d+")
_INTEGER = re.compile(r"[^tT]\d+")
_ALL_OF_ALIAS = re.compile(r"[tT][123]\.\*")


@dataclass(frozen=True, slots=True)
class Template:
    """A query with slots.

    words: the query, lower case; None is a slot.
    values: values that stood in the slots, and any other found, in order of first appearance, each once.
    """

    words: tuple[str | None, ...]
    values: tuple[str, ...]

    @property
    def slots(self) -> int:
        return self.words.count(None)

    def filled(self, values: tuple[str, ...]) -> str:
        """The query with `values` in its slots, in order."""
        rest = iter(values)
        return " ".join(next(rest) if word is None else word for word in self.words)


def template(sql: str) -> Template:
    """Takes a query apart into words, slots and values."""
    text = _ALL_OF_ALIAS.sub("*", sql.strip().replace(";", "").replace("\t", ""))
    text = " ".join(token.text for token in sql_tokens(text) if token.kind is not TokenKind.SPACE)
    values: list[str] = []
    for token in list(sql_tokens(text)):
        if token.kind is TokenKind.STRING:
            values.append(token.text)
            # Wherever the same text stands, inside another string too.
            text = text.replace(token.text, _MARK)
    found = text.split()
    for pattern in (_DECIMAL, _INTEGER):
        numbers = {number.strip() for number in pattern.findall(" ".join(found))}
        values += [word for word in found if word in numbers]
        found = [_MARK if word in numbers else word for word in found]
    return Template(tuple(None if word == _MARK else word.lower() for word in found), tuple(dict.fromkeys(values)))


def plugged(gold: str, prediction: str) -> tuple[int, Iterator[str]]:
    """How many assignments of the gold's values to the prediction's slots there are, and the queries, lazily.

    There is none where the gold has no value and the prediction has a slot, and one where the prediction has no slot.
    """
    values = template(gold).values
    shape = template(prediction)
    assignments = product(values, repeat=shape.slots)
    return len(values) ** shape.slots, (shape.filled(assignment) for assignment in assignments)
