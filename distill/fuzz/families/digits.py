"""Numbers kept as text: years, house numbers, codes of digits. As text '9' comes after '10'."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from distill.fuzz.families.base import Scalar
from testsuite.schema import Column, Storage


class Digits:
    """TEXT storage whose values are nearly all plain digits."""

    @staticmethod
    def suits(column: Column, storage: Storage, examples: Sequence[Scalar]) -> bool:
        if storage is not Storage.TEXT or not examples:
            return False
        plain = sum(isinstance(e, str) and e.isascii() and e.isdigit() for e in examples)
        return plain >= 0.8 * len(examples)

    @staticmethod
    def near(value: Scalar) -> list[Scalar]:
        text = str(value)
        if not (text.isascii() and text.isdigit()) or len(text) > 15:
            return [text[:-1]] if len(text) > 1 else []
        number = int(text)
        near = [max(number - 1, 0), number + 1, number + 10, number * 10]
        return [str(n).zfill(len(text)) for n in near]

    @staticmethod
    def fresh(column: Column, examples: Sequence[Scalar], count: int, rng: np.random.Generator) -> list[Scalar]:
        plain = [str(e) for e in examples if str(e).isascii() and str(e).isdigit() and len(str(e)) < 16]
        if not plain:
            return [str(v) for v in rng.integers(0, 1000, count)]
        low, high = min(int(p) for p in plain), max(int(p) for p in plain)
        spread = max(2, (high - low) // 4)
        width = len(plain[0]) if len({len(p) for p in plain}) == 1 else 0
        return [str(v).zfill(width) for v in rng.integers(max(0, low - spread), high + spread + 1, count)]
