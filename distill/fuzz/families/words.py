"""Texts: names, titles, codes. Fresh ones keep the shape (case, digits, length) of those seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from distill.fuzz.families.base import Scalar
from testsuite.schema import Column, Storage

_UPPER, _LOWER = "ABCDEFGHIKLMNOPRSTUVW", "abcdefghiklmnoprstuvw"
_WORDS = (
    *("Alder", "Birch", "Cedar", "Dale", "Elm", "Fern", "Grove", "Hazel", "Iris", "Juniper"),
    *("Lake", "Maple", "North", "Oak", "Pine", "River", "South", "Thorn", "Vale", "Willow"),
)


def _reshape(text: str, rng: np.random.Generator) -> str:
    """Another text of the same shape: about a third of the letters and all digits drawn anew."""
    draws = rng.integers(0, 1 << 30, len(text))
    change = rng.random(len(text)) < (0.34 if len(text) > 4 else 0.7)
    out = []
    for ch, draw, changed in zip(text, draws, change, strict=True):
        if ch.isascii() and ch.isdigit():
            out.append(str(draw % 10))
        elif changed and ch.isascii() and ch.isupper():
            out.append(_UPPER[draw % len(_UPPER)])
        elif changed and ch.isascii() and ch.islower():
            out.append(_LOWER[draw % len(_LOWER)])
        else:
            out.append(ch)
    return "".join(out)


def _next(ch: str) -> str:
    return {"z": "a", "Z": "A", "9": "0"}.get(ch, chr(ord(ch) + 1)) if ch.isascii() and ch.isalnum() else "x"


class Words:
    """All other TEXT storage."""

    @staticmethod
    def suits(column: Column, storage: Storage, examples: Sequence[Scalar]) -> bool:
        return storage is Storage.TEXT

    @staticmethod
    def near(value: Scalar) -> list[Scalar]:
        text = str(value)
        if not text:
            return ["x"]
        parts = text.split()
        near: list[Scalar] = [
            *(text.lower(), text.upper(), text.swapcase()),
            *(text[:-1] + _next(text[-1]), _next(text[0]) + text[1:], text + "s", "The " + text),
        ]
        if len(text) > 2:
            near.append(text[: len(text) // 2])
        if len(parts) > 1:
            near += [" ".join(parts[1:]), " ".join(parts[:-1])]
        else:
            near.append(text + " " + text)
        return near

    @staticmethod
    def fresh(column: Column, examples: Sequence[Scalar], count: int, rng: np.random.Generator) -> list[Scalar]:
        texts = [str(e) for e in examples if str(e)]
        if not texts:
            first, second = rng.integers(0, len(_WORDS), count), rng.integers(0, len(_WORDS), count)
            number = rng.integers(0, 100, count)
            return [
                _WORDS[a] if n < 40 else f"{_WORDS[a]} {_WORDS[b]}" if n < 80 else f"{_WORDS[a]} {n}"
                for a, b, n in zip(first, second, number, strict=True)
            ]
        picks = rng.integers(0, len(texts), count)
        # Long texts cost time and separate nothing that their beginning does not.
        return [_reshape(texts[p][:60], rng) for p in picks]
