"""What a cause is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from testsuite.explain.edits import Edit


@dataclass(frozen=True, slots=True)
class Cause:
    """One reason why a prediction is wrong.

    Attributes:
        name: what records call it.
        title: what people read.
        matches: whether an edit that repairs the prediction is of this kind.
    """

    name: str
    title: str
    matches: Callable[[Edit], bool]
