"""Random schemas with awkward names and types, and small contents with ties, NULLs and nasty text."""

from __future__ import annotations

from distill.fuzz.grammar.chance import Chance, often, pick
from testsuite.schema.model import Column, Schema, Table, affinity_of
from testsuite.suite.stack import Row, Stack, Value, stack_rows

KINDS = ("int", "text", "real", "num", "date", "digits")
"""What a column holds: ``digits`` is text that often looks like a number, ``num`` a NUMERIC with fractions."""

_TYPES = {
    "int": ("INTEGER", "INT", "bigint", "NUMERIC"),
    "text": ("TEXT", "VARCHAR(20)", "char(5)"),
    "real": ("REAL", "DOUBLE", "float"),
    "num": ("NUMERIC", "DECIMAL(8,2)"),
    "date": ("TEXT", "DATE", "DATETIME"),
    "digits": ("TEXT", "varchar(9)"),
}
_TABLES = ("t", "Two", "the third")
_COLUMNS = ("a", "B", "c d", "group", "e")
_POOLS: dict[str, tuple[Value, ...]] = {
    "int": (0, 1, 2, 3, -1, -7, 10, 100),
    "text": ("a", "b", "A", "ab", "", "abc", " a", "a ", "Ö", "ö", "a%b", "x_y", "it's"),
    "real": (0.0, 1.0, 0.5, 2.5, -1.5, 3.25, 100.0, 1e10),
    "num": (0, 1, 2.5, -1, 3, 0.25),
    "date": ("2020-01-31", "2020-02-29", "1999-12-31", "2020-01-31 10:11:12", "bad", "2021-3-4"),
    "digits": ("1", "2", "01", "1.0", "10", "-1", "x", "1x", "", " 1", "0"),
}


def kind_of(column: Column) -> str:
    """The kind a column was made with."""
    return column.kind or "text"


def random_schema(chance: Chance, number: int = 0) -> Schema:
    """Two or three tables; each has an ``id`` and a ``ref`` that joins, now and then of another type."""
    tables = []
    for place in range(2 + chance.below(2)):
        kinds = ["int", "digits" if often(chance, 20) else "int"]
        names = ["id", "ref"]
        for name in _COLUMNS[: 2 + chance.below(4)]:
            kinds.append(pick(chance, KINDS))
            names.append(name)
        columns = []
        for name, kind in zip(names, kinds, strict=True):
            declared = "INTEGER" if name == "id" else pick(chance, _TYPES[kind])
            columns.append(Column(name, declared, affinity_of(declared), kind=kind))
        tables.append(Table(_TABLES[place], tuple(columns)))
    return Schema(f"random{number}", tuple(tables))


def random_stack(chance: Chance, schema: Schema, count: int) -> Stack:
    """``count`` instances of up to seven rows per table; some tables are empty, values repeat."""
    contents = []
    for _ in range(count):
        content: dict[str, list[Row]] = {}
        for table in schema.tables:
            rows: list[Row] = []
            size = 0 if often(chance, 10) else 1 + chance.below(7)
            missing = pick(chance, (0, 0, 10, 30))
            width = pick(chance, (2, 4, 20))
            for place in range(size):
                cells: list[Value] = []
                for column in table.columns:
                    if column.name == "id":
                        cells.append(place + 1)
                    elif often(chance, missing):
                        cells.append(None)
                    else:
                        cells.append(_stored(column, pick(chance, _POOLS[kind_of(column)][:width])))
                rows.append(tuple(cells))
            if rows and often(chance, 20):
                rows.append((len(rows) + 1, *rows[0][1:]))
            content[table.name] = rows
        contents.append(content)
    return stack_rows(schema, contents)


def _stored(column: Column, value: Value) -> Value:
    """The cell as the column's affinity keeps it."""
    if column.affinity == "REAL" and isinstance(value, int):
        return float(value)
    if column.affinity in ("INTEGER", "NUMERIC") and isinstance(value, float) and value.is_integer():
        return int(value)
    return value
