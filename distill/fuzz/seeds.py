"""Raw values of one column, by where they come from: constants of golds, their neighbours, shipped, fresh."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from distill.fuzz.cells import coerced, filled
from distill.fuzz.families import Scalar, family_of
from distill.fuzz.shapes import Condition
from testsuite.schema import Column, Storage
from testsuite.suite.stack import Row, fits

KEY_VALUES, SHIPPED_VALUES, FRESH_VALUES = 260, 150, 60
# Where the keys in reserve start.
RESERVED = 1_000_000
# A column with so few shipped values is taken for a closed list: fresh values are rare there.
CLOSED = 12


@dataclass
class Seeds:
    """Raw values of one column before they get codes, in order and without repeats."""

    constants: dict[Scalar, None]
    near: dict[Scalar, None]
    shipped: dict[Scalar, None]
    fresh: dict[Scalar, None]
    closed: bool
    reserve: dict[Scalar, None]


def _unique(values: Iterable[Scalar | None]) -> dict[Scalar, None]:
    return dict.fromkeys(v for v in values if v is not None)


def column_seeds(
    column: Column,
    storage: Storage,
    key: bool,
    conditions: Sequence[Condition],
    rows: Sequence[Row],
    at: int,
    rng: np.random.Generator,
    reserve: int = 0,
) -> Seeds:
    """What a column may hold. ``reserve``: how many keys to have beside the fresh ones."""
    seen = [v for v in dict.fromkeys(row[at] for row in rows) if not isinstance(v, bytes | type(None))]
    examples = [v for v in seen if fits(storage, column.affinity, v)]
    closed = 0 < len(examples) <= CLOSED and len(rows) > 2 * len(examples) and not key
    if len(examples) > SHIPPED_VALUES:
        examples = [examples[i] for i in sorted(rng.permutation(len(examples))[:SHIPPED_VALUES])]
    family = family_of(column, storage, examples)
    constants: list[Scalar] = []
    near: list[Scalar] = []
    for condition in conditions:
        for constant in condition.constants:
            constants += coerced(constant, column, storage)
        if storage is Storage.TEXT:
            for pattern in condition.patterns:
                matching, missing = filled(pattern)
                constants += matching
                near += missing
    for value in dict.fromkeys(constants):
        near += family.near(value)
    fresh = family.fresh(column, examples, KEY_VALUES if key else FRESH_VALUES, rng)
    if key and storage is not Storage.TEXT:
        fresh = [*range(1, KEY_VALUES), *fresh[:60]]
    elif len(examples) > 1 or not closed:
        fresh += [v for e in examples[:: max(1, len(examples) // 8)] for v in family.near(e)[:3]]
    # As numbers or as their digits: a text key may be what a column of numbers refers to.
    more: list[Scalar] = list(range(RESERVED, RESERVED + reserve))
    if storage is Storage.TEXT:
        more = [str(number) for number in more]
    return Seeds(_unique(constants), _unique(near), _unique(examples), _unique(fresh), closed, _unique(more))
