"""Random values and conditions as SQLite text, over the columns in sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from distill.fuzz.grammar import rarer
from distill.fuzz.grammar.chance import Chance, often, pick

# Of a hundred expressions, how many take a form of ``rarer``.
RARE = 8

NUMBERS = ("int", "real", "num")

LITERALS = {
    "int": ("1", "0", "2", "-1", "3", "10"),
    "real": ("0.5", "2.5", "1.0", "-1.5", "100.0"),
    "num": ("1", "2.5", "0"),
    "text": ("'a'", "'b'", "''", "'A'", "'ab'", "'1'", '"zz"'),
    "date": ("'2020-01-31'", "'2020'", "'1999-12-31'", "'2020-02-29'"),
    "digits": ("'1'", "'01'", "'x'", "'10'", "''"),
}
PATTERNS = ("'a%'", "'%a'", "'A_'", "'%'", "'_'", "'1%'", "'%20%'", "''", "'ö%'", "'%a_b%'")
DATE_FORMATS = ("'%Y'", "'%m'", "'%Y-%m'", "'%d'", "'%j'", "'%s'", "'%H'")
MODIFIERS = ("'+1 day'", "'-1 month'", "'start of month'", "'+1 year'", "'weekday 0'")


@dataclass(frozen=True, slots=True)
class Sight:
    """A column that can be named, and its kind."""

    text: str
    kind: str


Subquery = Callable[[str, "tuple[Sight, ...]", int], str]
"""Makes a subquery of one column: (kind, outer columns in sight, depth) to text without parentheses."""


@dataclass(frozen=True)
class Writer:
    """Writes expressions.

    ``columns`` are in sight here, ``outer`` only from enclosing queries. ``subquery`` is None where none may stand.
    """

    chance: Chance
    columns: tuple[Sight, ...]
    outer: tuple[Sight, ...] = ()
    subquery: Callable[[str, tuple[Sight, ...], int], str] | None = None

    def _column(self, kinds: Sequence[str]) -> str | None:
        pool = [c for c in self.columns if c.kind in kinds]
        if self.outer and often(self.chance, 15):
            pool = [c for c in self.outer if c.kind in kinds] or pool
        return pick(self.chance, pool).text if pool else None

    def value(self, kind: str, depth: int) -> str:
        """A value of a kind (see ``contents.KINDS``)."""
        chance = self.chance
        if depth <= 0 or often(chance, 40):
            column = self._column((kind,)) or self._column(NUMBERS if kind in NUMBERS else ("text", "digits"))
            if column is not None and not often(chance, 20):
                return column
            return pick(chance, LITERALS[kind])
        if kind in ("text", "date", "digits"):
            return self._text(depth - 1)
        return self._number(kind, depth - 1)

    def _number(self, kind: str, depth: int) -> str:
        chance = self.chance
        if often(chance, RARE):
            return rarer.number(self, kind, depth)
        form = chance.below(18)
        if form < 5:
            operator = pick(chance, ("+", "-", "*", "/", "%", "+", "-"))
            return f"({self.value(kind, depth)} {operator} {self.value(pick(chance, ('int', kind)), depth)})"
        if form == 5:
            return f"(-{self.value(kind, depth)})"
        if form == 6:
            return f"({self.condition(depth)})"
        if form == 7:
            return (
                f"CASE WHEN {self.condition(depth)} THEN {self.value(kind, depth)} ELSE {self.value(kind, depth)} END"
            )
        if form == 8:
            return f"COALESCE({self.value(kind, depth)}, {self.value(kind, depth)})"
        if form == 9:
            return f"ABS({self.value(kind, depth)})"
        if form == 10:
            return f"LENGTH({self.value(pick(chance, ('text', 'int', 'date')), depth)})"
        if form == 11:
            inner = self.value(pick(chance, ("text", "real", "int", "digits")), depth)
            return f"CAST({inner} AS {pick(chance, ('INTEGER', 'REAL'))})"
        if form == 12:
            return f"ROUND({self.value(pick(chance, NUMBERS), depth)}{pick(chance, ('', ', 1', ', 2'))})"
        if form == 13:
            return f"{pick(chance, ('MIN', 'MAX'))}({self.value(kind, depth)}, {self.value(kind, depth)})"
        if form == 14:
            return f"NULLIF({self.value(kind, depth)}, {self.value(kind, depth)})"
        if form == 15:
            return f"INSTR({self.value('text', depth)}, {self.value('text', depth)})"
        if form == 16 and self.subquery is not None:
            return f"({self.subquery(kind, self.columns, depth)})"
        return f"({self.value('digits', depth)} + {self.value(kind, depth)})"

    def _case(self, kind: str, depth: int) -> str:
        yes, no = self.value(kind, depth), self.value(kind, depth)
        return f"CASE WHEN {self.condition(depth)} THEN {yes} ELSE {no} END"

    def _text(self, depth: int) -> str:
        chance = self.chance
        if often(chance, RARE):
            return rarer.text(self, depth)
        form = chance.below(13)
        if form < 2:
            return f"({self.value('text', depth)} || {self.value(pick(chance, ('text', 'int', 'date')), depth)})"
        if form == 2:
            return f"{pick(chance, ('UPPER', 'LOWER', 'TRIM', 'LTRIM', 'RTRIM'))}({self.value('text', depth)})"
        if form == 3:
            start, length = pick(chance, ("1", "2", "-2", "0")), pick(chance, ("1", "2", "4"))
            return f"SUBSTR({self.value(pick(chance, ('text', 'date')), depth)}, {start}, {length})"
        if form == 4:
            return f"REPLACE({self.value('text', depth)}, 'a', {self.value('text', depth)})"
        if form == 5:
            return self._case("text", depth)
        if form == 6:
            first, second, third = (self.value("text", depth) for _ in range(3))
            return f"CASE {first} WHEN {second} THEN {third} END"
        if form == 7:
            return f"COALESCE({self.value('text', depth)}, {self.value('text', depth)})"
        if form == 8:
            return f"CAST({self.value(pick(chance, ('int', 'text', 'real')), depth)} AS TEXT)"
        if form == 9:
            return f"STRFTIME({pick(chance, DATE_FORMATS)}, {self.value('date', depth)})"
        if form == 10:
            return f"DATE({self.value('date', depth)}, {pick(chance, MODIFIERS)})"
        if form == 11 and self.subquery is not None:
            return f"({self.subquery('text', self.columns, depth)})"
        return f"IIF({self.condition(depth)}, {self.value('text', depth)}, {self.value('text', depth)})"

    def _kind(self) -> str:
        kinds = [c.kind for c in self.columns]
        return pick(self.chance, kinds) if kinds else "int"

    def condition(self, depth: int) -> str:
        """A truth value."""
        chance = self.chance
        kind = self._kind()
        other = kind if not often(chance, 20) else pick(chance, tuple(LITERALS))
        if depth > 0 and often(chance, RARE):
            return rarer.condition(self, kind, depth - 1)
        form = chance.below(20)
        left = self.value(kind, depth - 1)
        if form < 6 or depth <= 0:
            return (
                f"{left} {pick(chance, ('=', '<', '>', '<=', '>=', '<>', '!=', '=='))} {self.value(other, depth - 1)}"
            )
        if form == 6:
            return f"{left} {pick(chance, ('IS NULL', 'IS NOT NULL', 'NOTNULL'))}"
        if form == 7:
            word = pick(chance, ("BETWEEN", "NOT BETWEEN"))
            return f"{left} {word} {self.value(other, depth - 1)} AND {self.value(kind, depth - 1)}"
        if form == 8:
            items = ", ".join(self.value(other, 0) for _ in range(1 + chance.below(3)))
            return f"{left} {pick(chance, ('IN', 'NOT IN'))} ({items})"
        if form in (9, 10) and self.subquery is not None:
            inner = self.subquery(other, self.columns, depth - 1)
            return f"{left} {pick(chance, ('IN', 'NOT IN'))} ({inner})"
        if form == 11 and self.subquery is not None:
            return f"{pick(chance, ('EXISTS', 'NOT EXISTS'))} ({self.subquery(kind, self.columns, depth - 1)})"
        if form == 12:
            return f"{left} {pick(chance, ('LIKE', 'NOT LIKE'))} {pick(chance, PATTERNS)}"
        if form == 13:
            return f"({self.condition(depth - 1)} AND {self.condition(depth - 1)})"
        if form == 14:
            return f"({self.condition(depth - 1)} OR {self.condition(depth - 1)})"
        if form == 15:
            return f"NOT ({self.condition(depth - 1)})"
        if form == 16:
            return f"{left} {pick(chance, ('IS', 'IS NOT'))} {self.value(other, depth - 1)}"
        if form == 17:
            return f"{left} = {self.value(other, depth - 1)} COLLATE NOCASE"
        if form == 18:
            return left
        return f"{left} GLOB 'a*'"
