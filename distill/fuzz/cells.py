"""One form per value that SQLite finds equal, and how each column writes it."""

from __future__ import annotations

import math

from distill.fuzz.families import Scalar
from testsuite.schema import Affinity, Column, Storage
from testsuite.suite.stack import Value, fits


def canonical(value: Value, mixed: bool) -> Scalar | None:
    """One form per value SQLite finds equal; ``mixed``: text and number columns share the domain."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() and abs(value) <= 2**53 else value
    if isinstance(value, str):
        if mixed and len(value) < 16:
            try:
                number = int(value)
            except ValueError:
                return value
            return number if str(number) == value else value
        return value
    return value if isinstance(value, int) and abs(value) < 2**63 else None


def written(value: Scalar, column: Column, storage: Storage) -> Value:
    """The value as the column would hold it; None where it cannot."""
    out: Value
    if storage is Storage.TEXT:
        out = str(value) if isinstance(value, int) else value
        # SQLite writes numbers as text only for TEXT affinity.
        if isinstance(value, int) and column.affinity is not Affinity.TEXT:
            return None
        if not isinstance(out, str):
            return None
    elif isinstance(value, str):
        return None
    elif storage is Storage.REAL:
        out = float(value)
    elif storage is Storage.INTEGER:
        out = value if isinstance(value, int) else None
    else:
        out = value
    return out if fits(storage, column.affinity, out) else None


def coerced(constant: Scalar, column: Column, storage: Storage) -> list[Scalar]:
    """A constant as a value of the column, as comparison would convert it; both neighbours of a fraction."""
    if storage is Storage.TEXT:
        return [constant if isinstance(constant, str) else repr(constant)]
    if isinstance(constant, str):
        try:
            constant = float(constant)
        except ValueError:
            return []
        if not math.isfinite(constant):
            return []
        constant = int(constant) if constant.is_integer() else constant
    if storage is Storage.INTEGER and isinstance(constant, float):
        return [math.floor(constant), math.ceil(constant)] if math.isfinite(constant) else []
    return [constant]


def filled(pattern: str) -> tuple[list[Scalar], list[Scalar]]:
    """Texts that match a LIKE pattern, and texts that nearly do."""
    middle = pattern.replace("_", "a")
    core = middle.replace("%", "")
    matching: list[Scalar] = [core, middle.replace("%", "x"), middle.replace("%", " and "), core.swapcase()]
    missing: list[Scalar] = ["x" + core + "x", core[1:] or "y", core[:-1] or "z", core + "s", "x " + core]
    return matching, missing
