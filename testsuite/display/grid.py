"""A table before it has a form: titled sections of labelled rows. ``formats`` writes it out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a row is, so that each form can set it its own way."""

    VALUE = "value"
    DETAIL = "detail"
    """Belongs to the row above: an interval, a count of what is left out."""


@dataclass(frozen=True, slots=True)
class Row:
    """A label and one text per column."""

    label: str
    cells: tuple[str, ...]
    kind: Kind = Kind.VALUE


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under a heading of their own, which may be empty."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: ``corner`` heads the labels, ``columns`` the cells; every row has a cell per column."""

    title: str
    corner: str
    columns: tuple[str, ...]
    sections: tuple[Section, ...]
