"""Random SQLite queries over a schema; valid in SQLite most of the time."""

from __future__ import annotations

from dataclasses import dataclass, field

from distill.fuzz.grammar import rarer
from distill.fuzz.grammar.chance import Chance, often, pick
from distill.fuzz.grammar.contents import KINDS, kind_of
from distill.fuzz.grammar.expressions import LITERALS, NUMBERS, RARE, Sight, Writer
from testsuite.schema.model import Schema, quote

AGGREGATES = ("COUNT", "SUM", "AVG", "MIN", "MAX", "TOTAL")


@dataclass(slots=True)
class _Source:
    """One FROM item: its text and the columns it gives under its alias."""

    text: str
    alias: str
    columns: list[tuple[str, str]]

    def sights(self) -> list[Sight]:
        return [Sight(f"{self.alias}.{quote(name)}", kind) for name, kind in self.columns]


@dataclass
class _Maker:
    chance: Chance
    schema: Schema
    aliases: int = 0
    ctes: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)

    def alias(self) -> str:
        self.aliases += 1
        return f"x{self.aliases}"

    def writer(self, columns: tuple[Sight, ...], outer: tuple[Sight, ...], depth: int) -> Writer:
        def subquery(kind: str, around: tuple[Sight, ...], left: int) -> str:
            return self.one_column(kind, around + outer, left)

        return Writer(self.chance, columns, outer, subquery if depth > 0 else None)

    def source(self, depth: int) -> _Source:
        chance, alias = self.chance, self.alias()
        if depth > 0 and often(chance, 15):
            kinds = [pick(chance, KINDS) for _ in range(1 + chance.below(3))]
            names = [f"c{n}" for n in range(len(kinds))]
            inner = self.query(kinds, (), depth - 1, names=names)
            return _Source(f"({inner}) AS {alias}", alias, list(zip(names, kinds, strict=True)))
        if often(chance, RARE // 4):
            rows = ", ".join(f"({pick(chance, LITERALS['int'])}, {pick(chance, LITERALS['text'])})" for _ in range(2))
            names, kinds = ["n", "t"], ["int", "text"]
            inner = f"SELECT column1 AS n, column2 AS t FROM (VALUES {rows})"
            return _Source(f"({inner}) AS {alias}", alias, list(zip(names, kinds, strict=True)))
        if self.ctes and often(chance, 40):
            name, columns = pick(chance, self.ctes)
            return _Source(f"{name} AS {alias}", alias, columns)
        table = pick(chance, self.schema.tables)
        columns = [(column.name, kind_of(column)) for column in table.columns]
        return _Source(f"{quote(table.name)} AS {alias}", alias, columns)

    def from_clause(self, outer: tuple[Sight, ...], depth: int) -> tuple[str, tuple[Sight, ...]]:
        chance = self.chance
        first = self.source(depth)
        text, sights = first.text, first.sights()
        for _ in range(pick(chance, (0, 0, 1, 1, 2))):
            new = self.source(depth)
            before, sights = sights, sights + new.sights()
            form = chance.below(9)
            if form == 0:
                text += f", {new.text}"
                continue
            if form == 1 and often(chance, 2 * RARE):
                text += f" NATURAL {pick(chance, ('', 'LEFT '))}JOIN {new.text}"
                continue
            if form == 1:
                text += f" {pick(chance, ('CROSS JOIN', 'JOIN'))} {new.text}"
                continue
            word = pick(
                chance, ("JOIN", "INNER JOIN", "LEFT JOIN", "LEFT JOIN", "LEFT OUTER JOIN", "RIGHT JOIN", "FULL JOIN")
            )
            if form == 2 and ("id", "int") in new.columns and first.columns[0][0] == "id":
                text += f" {word} {new.text} USING (id)"
                continue
            left = pick(chance, before)
            same = [s for s in new.sights() if s.kind == left.kind] or new.sights()
            condition = f"{left.text} = {pick(chance, same).text}"
            if often(chance, 20):
                condition += f" AND {self.writer(tuple(sights), outer, 0).condition(1)}"
            text += f" {word} {new.text} ON {condition}"
        return text, tuple(sights)

    def aggregate(self, writer: Writer, kind: str, depth: int) -> str:
        chance = self.chance
        if kind not in NUMBERS:
            return f"{pick(chance, ('MIN', 'MAX'))}({writer.value(kind, depth)})"
        form = chance.below(8)
        if form < 2:
            return "COUNT(*)"
        if form == 2:
            return f"COUNT(DISTINCT {writer.value(pick(chance, KINDS), 0)})"
        name = pick(chance, AGGREGATES)
        inner = "DISTINCT " if often(chance, 10) else ""
        argument = writer.value(pick(chance, (kind, kind, "digits")), depth)
        text = f"{name}({inner}{argument})"
        if often(chance, 8):
            text += f" FILTER (WHERE {writer.condition(1)})"
        return f"ROUND({text}, 2)" if form == 7 else text

    def window(self, writer: Writer, kind: str) -> str:
        chance = self.chance
        over = []
        if often(chance, 60):
            over.append(f"PARTITION BY {writer.value(pick(chance, KINDS), 0)}")
        ordered = often(chance, 70)
        if ordered:
            over.append(f"ORDER BY {writer.value(pick(chance, KINDS), 0)}{pick(chance, ('', ' DESC'))}")
            if often(chance, 25):
                over.append(pick(chance, ("ROWS BETWEEN 1 PRECEDING AND CURRENT ROW", "RANGE UNBOUNDED PRECEDING")))
            elif often(chance, RARE):
                over.append(pick(chance, rarer.FRAMES))
        if often(chance, 2 * RARE):
            return f"{rarer.call_over(writer, kind)} OVER ({' '.join(over)})"
        if kind not in NUMBERS:
            call = f"{pick(chance, ('MIN', 'MAX', 'FIRST_VALUE', 'LAG'))}({writer.value(kind, 0)})"
        else:
            call = pick(
                chance,
                (
                    "ROW_NUMBER()",
                    "RANK()",
                    "DENSE_RANK()",
                    f"SUM({writer.value(kind, 0)})",
                    "COUNT(*)",
                    f"AVG({writer.value(kind, 0)})",
                ),
            )
        return f"{call} OVER ({' '.join(over)})"

    def core(self, kinds: list[str], outer: tuple[Sight, ...], depth: int, names: list[str] | None) -> str:
        """One SELECT giving columns of the kinds asked for."""
        chance = self.chance
        source, sights = self.from_clause(outer, depth)
        writer = self.writer(sights, outer, depth)
        grouped, tail = [], ""
        form = chance.below(10)
        items: list[str] = []
        if form < 6:
            for kind in kinds:
                window = depth > 0 and often(chance, 5)
                items.append(self.window(writer, kind) if window else writer.value(kind, depth))
        elif form < 9:
            grouped = [
                writer.value(pick(chance, [s.kind for s in sights]), int(often(chance, 15)))
                for _ in range(1 + chance.below(2))
            ]
            for kind in kinds:
                items.append(self.aggregate(writer, kind, int(often(chance, 20))))
            if kinds and often(chance, 70) and sights:
                place = chance.below(len(kinds))
                grouped[0] = items[place] = writer.value(kinds[place], int(often(chance, 15)))
            grouped = [g for g in grouped if not g.lstrip("(-").replace(".", "")[:1].isdigit()]
            if grouped:
                tail = f" GROUP BY {', '.join(grouped)}"
                if often(chance, 30):
                    compared = f"{pick(chance, ('>', '=', '<', '>='))} {pick(chance, ('1', '2', '0'))}"
                    tail += f" HAVING {self.aggregate(writer, 'int', 0)} {compared}"
        else:
            items = [self.aggregate(writer, kind, int(often(chance, 20))) for kind in kinds]
        if names:
            items = [f"{item} AS {name}" for item, name in zip(items, names, strict=True)]
        where = f" WHERE {writer.condition(depth)}" if often(chance, 45) else ""
        distinct = "DISTINCT " if often(chance, 12) else ""
        return f"SELECT {distinct}{', '.join(items)} FROM {source}{where}{tail}"

    def query(self, kinds: list[str], outer: tuple[Sight, ...], depth: int, names: list[str] | None = None) -> str:
        """A SELECT or a set operation, with or without order and limit."""
        chance = self.chance
        text = self.core(kinds, outer, depth, names)
        if depth > 0 and often(chance, 12):
            for _ in range(1 + int(often(chance, 25))):
                word = pick(chance, ("UNION", "UNION ALL", "INTERSECT", "EXCEPT"))
                text += f" {word} {self.core(kinds, outer, depth - 1, names)}"
        if often(chance, 30):
            terms = [
                f"{1 + chance.below(len(kinds))}{pick(chance, ('', ' DESC', ' ASC', ' DESC NULLS LAST'))}"
                for _ in range(1 + chance.below(2))
            ]
            text += f" ORDER BY {', '.join(terms)}"
        if often(chance, 15):
            text += f" LIMIT {pick(chance, ('1', '2', '3', '0', '-1'))}{pick(chance, ('', '', ' OFFSET 1'))}"
        return text

    def one_column(self, kind: str, outer: tuple[Sight, ...], depth: int) -> str:
        """A subquery of one column, correlated or not."""
        correlated = outer if often(self.chance, 50) else ()
        if kind not in KINDS:
            kind = "int"
        return self.query([kind], correlated, max(0, depth - 1))

    def statement(self) -> str:
        """A whole query."""
        chance = self.chance
        head = ""
        if often(chance, 12):
            names = ["p", "q"]
            kinds = [pick(chance, KINDS), "int"]
            inner = self.query(kinds, (), 1, names)
            self.ctes.append(("cte", list(zip(names, kinds, strict=True))))
            head = f"WITH cte AS ({inner}) "
        elif often(chance, 4):
            step = pick(chance, ("n + 1", "n * 2"))
            head = (
                f"WITH RECURSIVE cte(n) AS (SELECT 1 UNION ALL SELECT {step} FROM cte WHERE n < {3 + chance.below(5)}) "
            )
            self.ctes.append(("cte", [("n", "int")]))
        depth = pick(chance, (1, 1, 2, 2, 3))
        kinds = [pick(chance, KINDS) for _ in range(1 + chance.below(3))]
        text = self.query(kinds, (), depth)
        return head + text


def random_query(chance: Chance, schema: Schema) -> str:
    """One SQLite query over the schema of ``random_schema``."""
    return _Maker(chance, schema).statement()
