"""Readers of tables.json, SQLite files and SQL text."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from data import spider_data

from testsuite.errors import InputError
from testsuite.schema import (
    Affinity,
    ForeignKey,
    Schema,
    load_schema,
    merge,
    read_sql_schema,
    read_sql_script,
    read_sqlite_rows,
    read_sqlite_schema,
    read_tables_json,
)
from testsuite.schema.constraints import checks_of
from testsuite.schema.sql_text import statements_of

DDL = """
CREATE TABLE guild (id INTEGER PRIMARY KEY, code TEXT UNIQUE, master INT REFERENCES guild,
    CHECK (code <> 'CHECK (x)'));
CREATE TABLE "order" ("guild code" TEXT REFERENCES guild(CODE), line INT NOT NULL CHECK (line > (0)),
    note BLOB, weight DOUBLE, day DATE, "sum" INT GENERATED ALWAYS AS (line + 1),
    PRIMARY KEY (line, "guild code")); -- ; a comment
CREATE TABLE part (a INT, b TEXT, gone INT REFERENCES nowhere(x), FOREIGN KEY (a, b) REFERENCES "Order");
CREATE UNIQUE INDEX both ON part (a, b);
CREATE UNIQUE INDEX some ON part (a) WHERE b > 1;
CREATE UNIQUE INDEX computed ON part (a + 1);
CREATE VIEW seen AS SELECT 1;
CREATE TABLE small (k TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO guild VALUES (1, 'a;b', NULL);
"""


def make_file(path: Path, ddl: str = DDL) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(ddl)
    return path


@pytest.fixture
def schema() -> Schema:
    return read_sql_schema(DDL, "guilds")


def test_tables_and_columns(schema: Schema) -> None:
    assert [t.name for t in schema.tables] == ["guild", "order", "part", "small"]
    order = schema.table("ORDER")
    assert [c.name for c in order.columns] == ["guild code", "line", "note", "weight", "day", "sum"]
    assert [c.affinity for c in order.columns] == [
        Affinity.TEXT,
        Affinity.INTEGER,
        Affinity.BLOB,
        Affinity.REAL,
        Affinity.NUMERIC,
        Affinity.INTEGER,
    ]


def test_keys_and_not_null(schema: Schema) -> None:
    guild, order, part, small = schema.tables
    assert guild.primary_key == ("id",) and guild.column("id").not_null and guild.uniques == (("code",),)
    assert order.primary_key == ("line", "guild code")
    assert order.column("line").not_null and not order.column("guild code").not_null
    assert part.uniques == (("a", "b"),)
    assert small.column("k").not_null


def test_foreign_keys_are_resolved(schema: Schema) -> None:
    guild, order, part, _ = schema.tables
    assert guild.foreign_keys == (ForeignKey(("master",), "guild", ("id",)),)
    assert order.foreign_keys == (ForeignKey(("guild code",), "guild", ("code",)),)
    assert part.foreign_keys == (ForeignKey(("a", "b"), "order", ("line", "guild code")),)


def test_checks(schema: Schema) -> None:
    assert schema.table("guild").checks == ("code <> 'CHECK (x)'",)
    assert schema.table("order").checks == ("line > (0)",)
    assert checks_of('CREATE TABLE t (a /* CHECK (no) */ INT, "check" INT, check(a IN (1, 2)))') == ("a IN (1, 2)",)


def test_rows_of_a_script() -> None:
    schema, rows = read_sql_script(DDL, "guilds")
    assert rows["guild"] == [(1, "a;b", None)]
    assert set(rows) == {t.name for t in schema.tables} and rows["part"] == []


def test_a_file_reads_as_its_script(tmp_path: Path) -> None:
    file = make_file(tmp_path / "gu#il d?s.sqlite")
    assert read_sqlite_schema(file, "guilds") == read_sql_schema(DDL, "guilds")
    assert [p.name for p in tmp_path.iterdir()] == [file.name]


def test_undecodable_text_keeps_its_bytes(tmp_path: Path) -> None:
    file = make_file(tmp_path / "a.sqlite", "CREATE TABLE t (a TEXT); INSERT INTO t VALUES (CAST(X'61E9' AS TEXT));")
    ((cell,),) = read_sqlite_rows(file, read_sqlite_schema(file))["t"]
    assert isinstance(cell, str) and cell.encode("utf-8", "surrogateescape") == b"a\xe9"


def test_a_column_the_file_lacks_is_no_string(tmp_path: Path) -> None:
    file = make_file(tmp_path / "a.sqlite", "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x');")
    with pytest.raises(InputError, match="no such column"):
        read_sqlite_rows(file, read_sql_schema("CREATE TABLE t (b TEXT)", "a"))


def test_files_that_are_none(tmp_path: Path) -> None:
    missing = tmp_path / "missing.sqlite"
    with pytest.raises(InputError, match="no such file"):
        read_sqlite_schema(missing)
    assert not missing.exists()
    (tmp_path / "text.sqlite").write_text("hello, this is no database")
    with pytest.raises(InputError, match="not an SQLite database"):
        read_sqlite_schema(tmp_path / "text.sqlite")
    (tmp_path / "empty.sqlite").write_bytes(b"")
    with pytest.raises(InputError, match="no tables"):
        read_sqlite_schema(tmp_path / "empty.sqlite")
    cut = make_file(tmp_path / "cut.sqlite")
    cut.write_bytes(cut.read_bytes()[:5000])
    with pytest.raises(InputError, match="cannot read"):
        read_sqlite_rows(cut, read_sqlite_schema(cut))


def test_unwritten_changes_are_not_overlooked(tmp_path: Path) -> None:
    file = make_file(tmp_path / "a.sqlite")
    (tmp_path / "a.sqlite-wal").write_bytes(b"x")
    with pytest.raises(InputError, match=r"a\.sqlite-wal"):
        read_sqlite_schema(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CREATE TABLE t (a INT);\n\nCREATE TABLE t (b INT);", "line 3"),
        ("SELECT 1;", "makes no table"),
        ("CREATE TABLE t (a);\nATTACH 'made.db' AS m;", "line 2"),
        ("CREATE TABLE t (a);\nVACUUM INTO 'made.db';", "line 2"),
    ],
)
def test_scripts_that_are_wrong(text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        read_sql_schema(text, "x")
    assert list(tmp_path.iterdir()) == []


def test_statements_keep_strings_whole() -> None:
    assert statements_of("a 'x;y';\n\n-- c;\nb;\nc") == [(1, "a 'x;y';"), (3, "\n\n-- c;\nb;"), (5, "\nc")]


ENTRY = {
    "db_id": "d",
    "table_names_original": ["Guild", "Part"],
    "column_names_original": [[-1, "*"], [0, "ID"], [0, "Code"], [1, "A"], [1, "B"], [1, "Day"]],
    "column_types": ["text", "number", "text", "number", "text", "time"],
    "primary_keys": [1, [3, 4]],
    "foreign_keys": [[3, 1], [4, 2], [3, 3], [3, 4]],
}


def write(tmp_path: Path, *entries: object) -> Path:
    file = tmp_path / "tables.json"
    file.write_text(json.dumps(list(entries)))
    return file


def test_tables_json(tmp_path: Path) -> None:
    schema = read_tables_json(write(tmp_path, ENTRY))["d"]
    guild, part = schema.tables
    assert guild.primary_key == ("ID",) and guild.column("id").not_null
    assert part.primary_key == ("A", "B")
    assert part.foreign_keys == (
        ForeignKey(("A",), "Guild", ("ID",), False),
        ForeignKey(("B",), "Guild", ("Code",), False),
        ForeignKey(("A",), "Part", ("B",), False),
    )
    assert [c.kind for c in part.columns] == ["number", "text", "time"]
    assert part.column("Day").affinity is Affinity.TEXT


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"db_id": ""}, "no db_id"),
        ({"foreign_keys": [[3, 99]]}, "entry 0 .d.*foreign_keys names column number 99"),
        ({"foreign_keys": [[3, 0]]}, "column number 0"),
        ({"foreign_keys": [3]}, "pair"),
        ({"primary_keys": ["ID"]}, "primary_keys names column number 'ID'"),
        ({"column_types": ["text"]}, "1 words for 6"),
        ({"column_names_original": [[-1, "*"]] + [[7, "x"]] * 5}, "column 1 is no"),
        ({"column_names_original": [[-1, "*"]] + [[0, "x"], [0, "X"]] + [[1, n] for n in "abc"]}, "twice"),
        ({"table_names_original": ["Part", "part"]}, "table is named twice"),
        ({"table_names_original": None}, "table_names_original"),
        ({"table_names_original": ["a", "b", "c"]}, "table c has no columns"),
    ],
)
def test_broken_tables_json(change: dict[str, object], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_tables_json(write(tmp_path, {**ENTRY, **change}))


def test_tables_json_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="repeats db_id d"):
        read_tables_json(write(tmp_path, ENTRY, ENTRY))
    (tmp_path / "bad.json").write_text("[\n{]")
    with pytest.raises(InputError, match="line 2"):
        read_tables_json(tmp_path / "bad.json")
    with pytest.raises(InputError, match="cannot be read"):
        read_tables_json(tmp_path / "none.json")


def test_merge(tmp_path: Path) -> None:
    listed = read_tables_json(write(tmp_path, ENTRY))["d"]
    file = read_sql_schema(
        "CREATE TABLE GUILD (id INTEGER PRIMARY KEY, code VARCHAR(9), more INT);"
        "CREATE TABLE part (a INT REFERENCES guild(id), b TEXT);",
        "d",
    )
    merged = merge(file, listed)
    guild, part = merged.tables
    assert [c.kind for c in guild.columns] == ["number", "text", None]
    assert guild.column("code").declared_type == "VARCHAR(9)"
    assert part.primary_key == ("a", "b")
    assert part.foreign_keys == (
        ForeignKey(("a",), "GUILD", ("id",), True),
        ForeignKey(("b",), "GUILD", ("code",), False),
        ForeignKey(("a",), "part", ("b",), False),
    )
    assert Schema.from_dict(json.loads(json.dumps(merged.to_dict()))) == merged


def test_merge_keeps_the_primary_key_of_the_file(tmp_path: Path) -> None:
    file = read_sql_schema("CREATE TABLE Guild (id INT, code TEXT PRIMARY KEY)", "d")
    merged = merge(file, read_tables_json(write(tmp_path, ENTRY))["d"])
    assert merged.table("Guild").primary_key == ("code",)


def test_foreign_keys_keep_their_order() -> None:
    schema = read_sql_schema("CREATE TABLE a (x INT, y INT, z INT REFERENCES a(x), w INT REFERENCES a(y))", "d")
    assert [key.columns for key in schema.table("a").foreign_keys] == [("z",), ("w",)]


def test_check_inside_another_expression_is_none() -> None:
    assert checks_of("CREATE TABLE t (a INT DEFAULT (check(1)), CHECK (a > check(2)))") == ("a > check(2)",)


def test_merge_sees_parts_of_a_composite_key(tmp_path: Path) -> None:
    file = read_sql_schema(
        "CREATE TABLE Guild (id INT, code TEXT, PRIMARY KEY (id, code));"
        "CREATE TABLE Part (a INT, b TEXT, FOREIGN KEY (a, b) REFERENCES Guild);",
        "d",
    )
    listed = read_tables_json(write(tmp_path, {**ENTRY, "foreign_keys": [[3, 1], [4, 2]]}))["d"]
    assert merge(file, listed).table("Part").foreign_keys == file.table("Part").foreign_keys


def test_load_schema(tmp_path: Path) -> None:
    (tmp_path / "guilds.sql").write_text(DDL)
    file = make_file(tmp_path / "guilds.sqlite")
    listed = write(tmp_path, ENTRY)
    assert load_schema(str(tmp_path / "guilds.sql")) == load_schema(str(file))
    assert load_schema(f"{listed}:d").db_id == "d"
    with pytest.raises(InputError, match="no schema 'dd'; did you mean d"):
        load_schema(f"{listed}:dd")
    for spec in (str(listed), "nothing", str(tmp_path / "none.sql")):
        with pytest.raises(InputError, match=r"DB_ID|expected"):
            load_schema(spec)


def test_all_spider_schemas() -> None:
    schemas = read_tables_json(spider_data() / "tables.json")
    assert len(schemas) == 166
    assert sum(len(t.foreign_keys) for s in schemas.values() for t in s.tables) > 600


def test_spider_databases_agree_with_their_tables_json() -> None:
    schemas = read_tables_json(spider_data() / "tables.json")
    files = sorted(spider_data().glob("database/*/*.sqlite"))
    assert len(files) == 19
    for file in files:
        schema = read_sqlite_schema(file)
        merged = merge(schema, schemas[file.stem])
        assert {t.name.lower() for t in merged.tables} == {t.name.lower() for t in schemas[file.stem].tables}
        assert all(column.kind for _, column in merged.columns())
        rows = read_sqlite_rows(file, merged)
        with closing(sqlite3.connect(file.as_uri() + "?mode=ro&immutable=1", uri=True)) as connection:
            for table in merged.tables:
                (count,) = connection.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()
                assert len(rows[table.name]) == count
