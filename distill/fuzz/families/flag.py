"""Yes-or-no texts and other markers of two values: 'T'/'F', 'Y'/'N', 'true'/'false'."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from distill.fuzz.families.base import Scalar
from testsuite.schema import Column, Storage

PAIRS = (("T", "F"), ("Y", "N"), ("yes", "no"), ("true", "false"), ("0", "1"), ("M", "F"))


def _pair(examples: Sequence[Scalar]) -> tuple[str, str] | None:
    seen = {str(e).lower() for e in examples}
    for pair in PAIRS:
        if seen and seen <= {p.lower() for p in pair}:
            return pair
    return None


class Flag:
    """TEXT storage that only ever holds one of two words."""

    @staticmethod
    def suits(column: Column, storage: Storage, examples: Sequence[Scalar]) -> bool:
        if storage is not Storage.TEXT:
            return False
        return _pair(examples) is not None or (not examples and "BOOL" in column.declared_type.upper())

    @staticmethod
    def near(value: Scalar) -> list[Scalar]:
        text = str(value)
        others: list[Scalar] = []
        for pair in PAIRS:
            if text in pair:
                others.extend(p for p in pair if p != text)
        return [*others[:1], text.swapcase()]

    @staticmethod
    def fresh(column: Column, examples: Sequence[Scalar], count: int, rng: np.random.Generator) -> list[Scalar]:
        pair = _pair(examples) or PAIRS[0]
        seen = [str(e) for e in examples]
        if seen and all(s.islower() for s in seen if s.isalpha()):
            return [p.lower() for p in pair]
        return list(pair)
