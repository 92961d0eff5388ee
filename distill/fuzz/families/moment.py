"""Dates and times kept as text in ISO form, so that their order as text is their order in time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np

from distill.fuzz.families.base import Scalar
from testsuite.schema import Column, Storage

_FORMATS = (
    (re.compile(r"\d{4}-\d\d-\d\d"), "%Y-%m-%d"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"), "%Y-%m-%d %H:%M:%S"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "%Y-%m-%d %H:%M"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"), "%Y-%m-%dT%H:%M:%S"),
)


def _read(text: Scalar) -> tuple[datetime, str] | None:
    for pattern, form in _FORMATS:
        if isinstance(text, str) and pattern.fullmatch(text):
            try:
                return datetime.strptime(text, form), form
            except ValueError:
                return None
    return None


def _write(moment: datetime, form: str) -> str:
    # Not strftime("%Y"), which leaves off leading zeros of early years on some systems.
    return moment.strftime(form.replace("%Y", f"{moment.year:04d}"))


class Moment:
    """TEXT storage of ISO dates or moments."""

    @staticmethod
    def suits(column: Column, storage: Storage, examples: Sequence[Scalar]) -> bool:
        if storage is not Storage.TEXT:
            return False
        if examples:
            return sum(_read(e) is not None for e in examples) >= 0.8 * len(examples)
        name = column.declared_type.upper()
        return "DATE" in name or "TIME" in name or column.kind == "time"

    @staticmethod
    def near(value: Scalar) -> list[Scalar]:
        found = _read(value)
        if found is None:
            return []
        moment, form = found
        steps = [timedelta(days=d) for d in (-366, -31, -1, 1, 31, 366)]
        if "%H" in form:
            steps += [timedelta(seconds=-1), timedelta(seconds=1)]
        near: list[Scalar] = []
        for step in steps:
            try:
                near.append(_write(moment + step, form))
            except OverflowError:
                continue
        return near

    @staticmethod
    def fresh(column: Column, examples: Sequence[Scalar], count: int, rng: np.random.Generator) -> list[Scalar]:
        read = [found for e in examples if (found := _read(e)) is not None]
        if not read:
            form = "%Y-%m-%d %H:%M:%S" if "TIME" in column.declared_type.upper() else "%Y-%m-%d"
            read = [(datetime(2000, 1, 1), form), (datetime(2024, 12, 31), form)]
        form = read[0][1]
        low, high = min(m for m, _ in read), max(m for m, _ in read)
        seconds = max(86400.0 * 365, (high - low).total_seconds() * 1.2)
        if low.year < 2 or high.year > 9000:
            return [_write(m, f) for m, f in read]
        return [_write(low + timedelta(seconds=int(s)), form) for s in rng.uniform(0, seconds, count)]
