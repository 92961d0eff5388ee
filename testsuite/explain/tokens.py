"""Two query texts side by side, with the words in which they differ."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_WORD = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|[A-Za-z_][\w.]*|\d+(?:\.\d+)?|<>|<=|>=|!=|==|\|\||\S")

Marked = list[tuple[str, bool]]
"""Pieces of a text, blanks among them, and whether the other text has something else there."""


def marked(gold: str, prediction: str) -> tuple[Marked, Marked]:
    """Both texts in pieces. Case and blanks make no difference."""
    found = [list(_WORD.finditer(text)) for text in (gold, prediction)]
    words = [[match.group().lower() for match in matches] for matches in found]
    same: tuple[set[int], set[int]] = set(), set()
    for start, other, size in SequenceMatcher(None, words[0], words[1], autojunk=False).get_matching_blocks():
        same[0].update(range(start, start + size))
        same[1].update(range(other, other + size))
    sides = []
    for text, matches, kept in zip((gold, prediction), found, same, strict=True):
        pieces: Marked = []
        end = 0
        for number, match in enumerate(matches):
            if match.start() > end:
                pieces.append((text[end : match.start()], False))
            pieces.append((match.group(), number not in kept))
            end = match.end()
        if end < len(text):
            pieces.append((text[end:], False))
        sides.append(pieces)
    return sides[0], sides[1]
