"""Rarer forms of SQLite's language: each is seldom written, and each is one more way to be read wrongly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from distill.fuzz.grammar.chance import pick

if TYPE_CHECKING:
    from distill.fuzz.grammar.expressions import Writer

CLOCK_FORMATS = ("'%w'", "'%W'", "'%H:%M'", "'%Y-%m-%d'", "'%J'", "'%M%S'", "'%%'", "'%q'")
CLOCK_MODIFIERS = (
    "'+1 day', '-1 month'",
    "'start of year', '+1 month'",
    "'-1 day', 'weekday 1'",
    "'+36 hours'",
    "'+1.5 days'",
    "'12:30'",
    "'nonsense'",
    "NULL",
)
PRINT_FORMATS = ("'%d'", "'%5d|'", "'%-5d|'", "'%05d'", "'%.2f'", "'%s'", "'%10s|'", "'%x'", "'%,d'", "'%%'", "'%g'")
NUMBER_TEXTS = ("0x1F", "1e1", ".5", "2.", "TRUE", "FALSE", "9223372036854775807", "1e-3", "-9223372036854775808")
TEXT_FORMS = ("x'61'", "'it''s'", "char(97, 98)", "'Ä'", "' a'", "'a '", "'1e1'", "'0x10'")


def number(writer: Writer, kind: str, depth: int) -> str:
    """A number by a rarer form."""
    chance = writer.chance
    form = chance.below(14)
    first = writer.value(kind, depth)
    if form < 3:
        return f"({first} {pick(chance, ('&', '|', '<<', '>>'))} {writer.value('int', depth)})"
    if form == 3:
        return f"(~{first})"
    if form == 4:
        return f"JULIANDAY({writer.value('date', depth)})"
    if form == 5:
        return f"UNICODE({writer.value('text', depth)})"
    if form == 6:
        return pick(chance, NUMBER_TEXTS)
    if form == 7:
        return f"CAST({first} AS {pick(chance, ('NUMERIC', 'INT', 'FLOAT', 'DECIMAL(5, 2)', 'BIGINT', 'BOOLEAN'))})"
    if form == 8:
        return f"(JULIANDAY({writer.value('date', depth)}) - JULIANDAY({writer.value('date', depth)}))"
    if form == 9:
        return f"CASE {first} WHEN {writer.value(kind, depth)} THEN {writer.value(kind, 0)} END"
    if form == 10:
        return f"IFNULL({first}, {writer.value('text', 0)})"
    if form == 11:
        part = pick(chance, ("'%Y'", "'%m'", "'%d'", "'%w'"))
        return f"CAST(STRFTIME({part}, {writer.value('date', 0)}) AS INTEGER)"
    if form == 12:
        return f"SIGN({first})"
    return f"(+{first})"


def text(writer: Writer, depth: int) -> str:
    """A text by a rarer form."""
    chance = writer.chance
    form = chance.below(13)
    if form < 2:
        kind = pick(chance, ("int", "real", "text"))
        return f"{pick(chance, ('PRINTF', 'FORMAT'))}({pick(chance, PRINT_FORMATS)}, {writer.value(kind, depth)})"
    if form == 2:
        return f"TYPEOF({writer.value(pick(chance, ('int', 'real', 'num', 'text')), depth)})"
    if form == 3:
        return f"{pick(chance, ('HEX', 'QUOTE'))}({writer.value(pick(chance, ('text', 'int')), depth)})"
    if form == 4:
        return pick(chance, TEXT_FORMS)
    if form == 5:
        return f"SUBSTR({writer.value('text', depth)}, {writer.value('int', 0)}, {writer.value('int', 0)})"
    if form == 6:
        return f"{pick(chance, ('TRIM', 'LTRIM', 'RTRIM'))}({writer.value('text', depth)}, 'ab')"
    if form == 7:
        return f"STRFTIME({pick(chance, CLOCK_FORMATS)}, {writer.value('date', depth)})"
    if form == 8:
        word = pick(chance, ("DATE", "DATETIME", "TIME"))
        return f"{word}({writer.value('date', depth)}, {pick(chance, CLOCK_MODIFIERS)})"
    if form == 9:
        word = pick(chance, ("DATE", "DATETIME", "TIME"))
        return f"{word}({writer.value(pick(chance, ('date', 'text', 'real')), 0)})"
    if form == 10:
        return f"({writer.value('int', depth)} || {writer.value('real', depth)})"
    if form == 11:
        return f"NULLIF({writer.value('text', depth)}, {writer.value('int', 0)})"
    return f"SUBSTRING({writer.value('text', depth)}, 2)"


def condition(writer: Writer, kind: str, depth: int) -> str:
    """A truth value by a rarer form."""
    chance = writer.chance
    form = chance.below(13)
    left, right = writer.value(kind, depth), writer.value(kind, depth)
    if form == 0:
        return f"{writer.value('text', depth)} LIKE {writer.value('text', depth)}"
    if form == 1:
        pattern = pick(chance, ("'a!%%'", "'!_%'", "'%!'", "'A!!%'"))
        return f"{writer.value('text', depth)} LIKE {pattern} ESCAPE '!'"
    if form == 2:
        operator = pick(chance, ("=", "<", "<>", "IS", ">="))
        return f"({left}, {writer.value('int', 0)}) {operator} ({right}, {writer.value('int', 0)})"
    if form == 3 and writer.subquery is not None:
        return f"({left}, 1) IN (SELECT *, 1 FROM ({writer.subquery(kind, writer.columns, depth)}))"
    if form == 4:
        return f"{left} IN (VALUES ({right}), ({writer.value('int', 0)}))"
    if form == 5:
        return f"{left} IS {pick(chance, ('', 'NOT '))}DISTINCT FROM {right}"
    if form == 6:
        return f"{left} ISNULL"
    if form == 7:
        return f"({left} = {right}) = {pick(chance, ('1', '0', 'TRUE', 'FALSE'))}"
    if form == 8:
        return f"{left} IS {pick(chance, ('TRUE', 'NOT TRUE', 'FALSE', 'NOT FALSE'))}"
    if form == 9:
        return f"{left} COLLATE NOCASE {pick(chance, ('<', '>=', 'IS'))} {right}"
    if form == 10:
        pattern = pick(chance, ("'[a-c]*'", "'?'", "'*[^a]'", "'A?*'"))
        return f"{writer.value('text', depth)} GLOB {pattern}"
    if form == 11 and writer.subquery is not None:
        return f"{left} {pick(chance, ('>', '<=', '<>'))} ({writer.subquery(kind, writer.columns, depth)})"
    return f"NOT {left} {pick(chance, ('IN', 'NOT IN'))} ()"


def call_over(writer: Writer, kind: str) -> str:
    """The call of a rarer window function."""
    chance = writer.chance
    value = writer.value(kind, 0)
    return pick(
        chance,
        (
            "NTILE(2)",
            f"LAST_VALUE({value})",
            f"NTH_VALUE({value}, 2)",
            f"LEAD({value}, 2, {writer.value(kind, 0)})",
            f"LAG({value}, 1)",
            "PERCENT_RANK()",
            "CUME_DIST()",
            f"TOTAL({value})",
        ),
    )


FRAMES = (
    "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING",
    "ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING",
    "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
    "GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW",
    "ROWS 1 PRECEDING EXCLUDE CURRENT ROW",
)
