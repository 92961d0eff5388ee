"""The published parser's language: a small part of SQL, taken word by word.

It is more lenient than its grammar looks, and verdicts depend on it: the comma between select items and the
connective between conditions may be missing, FROM is looked for anywhere after SELECT, an operand that is no literal
swallows all words up to `,`, `)`, `and` or a clause word, and whatever follows a complete query is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from testsuite.official.errors import NotParsed
from testsuite.official.names import ALL_COLUMNS, OfficialTables
from testsuite.official.structure import (
    AGGREGATES,
    CLAUSES,
    COMPARISONS,
    CONNECTIVES,
    JOINING,
    NO_AGGREGATE,
    OPERATORS,
    SET_OPERATIONS,
    ColumnUnit,
    Condition,
    Conditions,
    Item,
    Order,
    Query,
    Unit,
    Value,
    ValueUnit,
)
from testsuite.official.words import words

MAX_NESTING = 100
"""Queries inside queries, set operations included. The script's own bound is Python's recursion limit."""

_CLOSERS = frozenset((")", ";"))
_OPERAND_END = CLAUSES | JOINING | {",", ")", "and"}


def parse_official(sql: str, tables: OfficialTables) -> Query:
    """The structure the published parser finds in `sql`.

    sql: the query as the script gets it (see `testsuite.official.text`).
    tables: names of the database's tables and columns.
    Raises NotParsed for everything that parser does not take. Never anything else.
    """
    found = words(sql)
    return _Reader(found, tables.columns, _tables_by_name(found, tables)).query(0)


def parse_prediction(sql: str, tables: OfficialTables) -> Query | None:
    """As `parse_official`, but None for what is not parsed."""
    try:
        return parse_official(sql, tables)
    except NotParsed:
        return None


def _tables_by_name(found: Sequence[str], tables: OfficialTables) -> dict[str, str]:
    """Tables and aliases of the whole query, whatever their scope; the last `X as Y` wins."""
    names: dict[str, str] = {}
    for at, word in enumerate(found):
        if word == "as":
            if at + 1 == len(found):
                raise NotParsed("AS without a name")
            names[found[at + 1]] = found[at - 1]
    for table in tables.columns:
        if table in names:
            raise NotParsed(f"alias {table} is the name of a table")
        names[table] = table
    return names


class _Reader:
    """A place in a list of words."""

    def __init__(self, found: Sequence[str], columns: Mapping[str, tuple[str, ...]], names: Mapping[str, str]) -> None:
        self._words = found
        self._columns = columns
        self._names = names
        self._at = 0

    @property
    def _word(self) -> str:
        """The next word; at the end the empty word, which is never one."""
        return self._words[self._at] if self._at < len(self._words) else ""

    def _skip(self, word: str) -> bool:
        if self._word == word:
            self._at += 1
            return True
        return False

    def _expect(self, word: str) -> None:
        if not self._skip(word):
            raise NotParsed(f"{word} expected before {self._word or 'the end'}")

    def query(self, depth: int) -> Query:
        if depth > MAX_NESTING:
            raise NotParsed("nested too deeply")
        block = self._skip("(")
        start = self._at
        units, joins, scope, end = self._from(start, depth)
        self._at = start
        distinct, items = self._select(scope)
        self._at = end
        where = self._conditions(scope, depth) if self._skip("where") else ()
        groups = self._groups(scope)
        having = self._conditions(scope, depth) if self._skip("having") else ()
        order = self._order(scope)
        limit = self._limit()
        self._semicolons()
        if block:
            self._expect(")")
            self._semicolons()
        branches: dict[str, Query] = {}
        if self._word in SET_OPERATIONS:
            word = self._word
            self._at += 1
            branches[word] = self.query(depth + 1)
        return Query(
            distinct=distinct,
            items=items,
            units=units,
            joins=joins,
            where=where,
            groups=groups,
            having=having,
            order=order,
            limit=limit,
            intersect=branches.get("intersect"),
            union=branches.get("union"),
            except_=branches.get("except"),
        )

    def _semicolons(self) -> None:
        while self._skip(";"):
            pass

    def _from(self, start: int, depth: int) -> tuple[tuple[Unit, ...], Conditions, tuple[str, ...], int]:
        """Units, join conditions, tables for bare columns, and where FROM ends."""
        try:
            self._at = list(self._words).index("from", start) + 1
        except ValueError:
            raise NotParsed("no FROM") from None
        units: list[Unit] = []
        scope: list[str] = []
        joins: list[Condition | str] = []
        while self._word:
            block = self._skip("(")
            if self._word == "select":
                units.append(self.query(depth + 1))
            else:
                self._skip("join")
                table = self._table()
                units.append(table)
                scope.append(table)
            if self._skip("on"):
                found = self._conditions(tuple(scope), depth)
                if joins:
                    joins.append("and")
                joins.extend(found)
            if block:
                self._expect(")")
            if self._word in CLAUSES or self._word in _CLOSERS:
                break
        return tuple(units), tuple(joins), tuple(scope), self._at

    def _table(self) -> str:
        table = self._names.get(self._word)
        if table is None or table not in self._columns:
            raise NotParsed(f"no table {self._word or 'at the end'}")
        self._at += 1
        if self._word == "as":
            self._at += 2
        return table

    def _select(self, scope: tuple[str, ...]) -> tuple[bool, tuple[Item, ...]]:
        self._expect("select")
        distinct = self._skip("distinct")
        items: list[Item] = []
        while self._word and self._word not in CLAUSES:
            aggregate = self._aggregate()
            items.append(Item(aggregate, self._value_unit(scope)))
            self._skip(",")
        return distinct, tuple(items)

    def _aggregate(self) -> str:
        if self._word in AGGREGATES:
            word = self._word
            self._at += 1
            return word
        return NO_AGGREGATE

    def _value_unit(self, scope: tuple[str, ...]) -> ValueUnit:
        block = self._skip("(")
        left = self._column_unit(scope)
        operator, right = None, None
        if self._word in OPERATORS:
            operator = self._word
            self._at += 1
            right = self._column_unit(scope)
        if block:
            self._expect(")")
        return ValueUnit(operator, left, right)

    def _column_unit(self, scope: tuple[str, ...]) -> ColumnUnit:
        block = self._skip("(")
        aggregate = self._aggregate()
        if aggregate != NO_AGGREGATE:
            self._expect("(")
            distinct = self._skip("distinct")
            column = self._column(scope)
            self._expect(")")
            # The parenthesis before the aggregate, if any, is left open.
            return ColumnUnit(aggregate, column, distinct)
        distinct = self._skip("distinct")
        column = self._column(scope)
        if block:
            self._expect(")")
        return ColumnUnit(NO_AGGREGATE, column, distinct)

    def _column(self, scope: tuple[str, ...]) -> str:
        word = self._word
        self._at += 1
        if word == "*":
            return ALL_COLUMNS
        if "." in word:
            owner, _, name = word.partition(".")
            table = self._names.get(owner)
            if table is not None and name in self._columns.get(table, ()):
                return f"{table}.{name}"
        else:
            for table in scope:
                if word in self._columns[table]:
                    return f"{table}.{word}"
        raise NotParsed(f"no column {word or 'at the end'}")

    def _conditions(self, scope: tuple[str, ...], depth: int) -> Conditions:
        found: list[Condition | str] = []
        while self._word:
            unit = self._value_unit(scope)
            negated = self._skip("not")
            comparison = self._word
            if comparison not in COMPARISONS:
                raise NotParsed(f"no comparison {comparison or 'at the end'}")
            self._at += 1
            value = self._value(scope, depth)
            second: Value = None
            if comparison == "between":
                self._expect("and")
                second = self._value(scope, depth)
            found.append(Condition(negated, comparison, unit, value, second))
            if self._word in CLAUSES or self._word in _CLOSERS or self._word in JOINING:
                break
            if self._word in CONNECTIVES:
                found.append(self._word)
                self._at += 1
        return tuple(found)

    def _value(self, scope: tuple[str, ...], depth: int) -> Value:
        start = self._at
        block = self._skip("(")
        value: Value
        if self._word == "select":
            value = self.query(depth + 1)
        elif '"' in self._word:
            value = self._word
            self._at += 1
        else:
            try:
                value = float(self._word)
                self._at += 1
            except ValueError:
                value = self._operand(start, scope)
        if block:
            self._expect(")")
        return value

    def _operand(self, start: int, scope: tuple[str, ...]) -> ColumnUnit:
        """A column unit from `start` on; the words behind it, up to the end of an operand, are lost."""
        end = self._at
        while end < len(self._words) and self._words[end] not in _OPERAND_END:
            end += 1
        value = _Reader(self._words[start:end], self._columns, self._names)._column_unit(scope)
        self._at = end
        return value

    def _groups(self, scope: tuple[str, ...]) -> tuple[ColumnUnit, ...]:
        if not self._skip("group"):
            return ()
        self._expect("by")
        found: list[ColumnUnit] = []
        while self._word and self._word not in CLAUSES and self._word not in _CLOSERS:
            found.append(self._column_unit(scope))
            if not self._skip(","):
                break
        return tuple(found)

    def _order(self, scope: tuple[str, ...]) -> Order | None:
        if not self._skip("order"):
            return None
        self._expect("by")
        found: list[ValueUnit] = []
        direction: Literal["asc", "desc"] = "asc"
        while self._word and self._word not in CLAUSES and self._word not in _CLOSERS:
            found.append(self._value_unit(scope))
            if self._word == "asc" or self._word == "desc":
                direction = "asc" if self._word == "asc" else "desc"
                self._at += 1
            if not self._skip(","):
                break
        return Order(direction, tuple(found))

    def _limit(self) -> bool:
        if not self._skip("limit"):
            return False
        if not self._word:
            raise NotParsed("LIMIT without a number")
        self._at += 1
        return True
