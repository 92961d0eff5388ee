"""Instances as SQLite files: the very rows, keys where the content honours them, nothing overwritten."""

from __future__ import annotations

import pytest

from testsuite.errors import InputError
from testsuite.schema import Affinity, Column, ForeignKey, Schema, Table
from testsuite.schema.sqlite_file import read_sqlite_rows, read_sqlite_schema
from testsuite.suite import InstanceNote, Manifest, Suite, export_sqlite, stack_rows

SCHEMA = Schema(
    "farm",
    (
        Table(
            "barn",
            (
                Column("id", "INTEGER", Affinity.INTEGER, not_null=True),
                Column("na me", "VARCHAR(20)", Affinity.TEXT),
                Column("size", "", Affinity.BLOB),
            ),
            ("id",),
            (("na me",),),
            (),
            ("size > 0",),
        ),
        Table(
            "cow",
            (Column("barn", "INTEGER", Affinity.INTEGER), Column("milk", "REAL", Affinity.REAL)),
            foreign_keys=(ForeignKey(("barn",), "barn", ("id",)),),
        ),
    ),
)
GOOD = {"barn": [(1, "a", 2), (5, None, "x")], "cow": [(1, 2.0), (None, None), (1, 2.0)]}
NULL_KEY = {"barn": [(None, "b", 2)], "cow": []}
BROKEN = {"barn": [(1, "b", -2), (1, "b", b"\x00\xff")], "cow": [(9, 1e300)]}
BAD_TEXT = {"barn": [(1, "caf\udce9", 1)], "cow": [("text", 0.5)]}


def suite(contents, origins):
    notes = tuple(InstanceNote(str(n), origin, 1, 1) for n, origin in enumerate(origins))
    return Suite(stack_rows(SCHEMA, contents), Manifest("farm", notes))


def test_names_rows_and_keys(tmp_path):
    made = suite([GOOD, NULL_KEY, BROKEN, BAD_TEXT], ["generated", "shipped", "generated", "generated"])
    paths = export_sqlite(made, tmp_path)
    assert [path.name for path in paths] == ["farm_0001.sqlite", "farm.sqlite", "farm_0002.sqlite", "farm_0003.sqlite"]
    for path, rows in zip(paths, [GOOD, NULL_KEY, BROKEN, BAD_TEXT], strict=True):
        assert repr(read_sqlite_rows(path, SCHEMA)) == repr(rows)
        types = [[c.declared_type for c in t.columns] for t in read_sqlite_schema(path).tables]
        assert types == [["INTEGER", "VARCHAR(20)", ""], ["INTEGER", "REAL"]]
    kept = read_sqlite_schema(paths[0], "farm")
    assert kept == SCHEMA
    # A NULL in a rowid key would be numbered by SQLite: that content goes without the key.
    assert read_sqlite_schema(paths[1]).table("barn").primary_key == ()
    assert read_sqlite_schema(paths[2]).table("cow").foreign_keys == SCHEMA.table("cow").foreign_keys
    assert sorted(path.name for path in (tmp_path / "farm").iterdir()) == sorted(path.name for path in paths)


def test_files_there_are_never_replaced(tmp_path):
    export_sqlite(suite([GOOD], ["shipped"]), tmp_path)
    before = (tmp_path / "farm" / "farm.sqlite").read_bytes()
    with pytest.raises(InputError, match="already"):
        export_sqlite(suite([BROKEN], ["shipped"]), tmp_path)
    assert (tmp_path / "farm" / "farm.sqlite").read_bytes() == before


def test_no_place_to_write(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="can't be written here"):
        export_sqlite(suite([GOOD], ["shipped"]), tmp_path / "file")
