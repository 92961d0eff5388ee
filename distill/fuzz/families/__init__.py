"""Families of values, one per file. The first family that suits a column makes its values."""

from __future__ import annotations

from collections.abc import Sequence

from distill.fuzz.families.base import Family, Scalar
from distill.fuzz.families.digits import Digits
from distill.fuzz.families.flag import Flag
from distill.fuzz.families.integer import Integer
from distill.fuzz.families.moment import Moment
from distill.fuzz.families.real import Real
from distill.fuzz.families.words import Words
from testsuite.schema import Column, Storage

FAMILIES: tuple[type[Family], ...] = (Integer, Real, Flag, Moment, Digits, Words)


def family_of(column: Column, storage: Storage, examples: Sequence[Scalar]) -> type[Family]:
    """The first family that suits the column; ``examples`` are its distinct shipped values."""
    return next(family for family in FAMILIES if family.suits(column, storage, examples))


__all__ = ["FAMILIES", "Family", "Scalar", "family_of"]
