"""Suites on disk: what is written is read back, the same bytes for the same content, damage is an error."""

import json

import pytest

from testsuite.errors import SuiteFileError
from testsuite.schema import Affinity, Column, Schema, Table
from testsuite.suite import InstanceNote, Manifest, instance_id, load_suite, save_suite, stack_rows

SCHEMA = Schema(
    "shop",
    (
        Table(
            "item list",
            (
                Column("id", "INTEGER", Affinity.INTEGER, not_null=True),
                Column("name", "TEXT", Affinity.TEXT),
                Column("price", "DECIMAL(6,2)", Affinity.NUMERIC),
            ),
            primary_key=("id",),
        ),
        Table("empty", (Column("x", "", Affinity.BLOB),)),
    ),
)
ROWS = [
    {"item list": [(1, "Å", 2), (2, None, 2.5), (3, "\ud800", 4)]},
    {"item list": []},
    {"item list": [(7, b"\x00\x01", "dear")], "empty": [(b"raw",), ("text",)]},
]


def manifest(count: int) -> Manifest:
    return Manifest("shop", tuple(InstanceNote(f"i{n}", "generated", 1, 1) for n in range(count)), seed=3)


def test_round_trip_keeps_every_cell(tmp_path):
    stack = stack_rows(SCHEMA, ROWS)
    folder = save_suite(tmp_path, stack, manifest(3))
    suite = load_suite(folder)
    for number, rows in enumerate(ROWS):
        read = suite.stack.rows(number)
        assert read["item list"] == rows.get("item list", [])
        assert read["empty"] == rows.get("empty", [])
        assert [[type(v) for v in row] for row in read["item list"]] == [
            [type(v) for v in r] for r in rows["item list"]
        ]
    assert suite.manifest == manifest(3)
    assert suite.stack.storage == stack.storage


def test_same_content_same_bytes(tmp_path):
    stack = stack_rows(SCHEMA, ROWS)
    first, second = (save_suite(tmp_path / name, stack, manifest(3)) for name in "ab")
    for path in sorted(first.iterdir()):
        assert path.read_bytes() == (second / path.name).read_bytes()


def test_ids_follow_content(tmp_path):
    stack = stack_rows(SCHEMA, [ROWS[0], ROWS[0], ROWS[2]])
    assert instance_id(stack, 0) == instance_id(stack, 1) != instance_id(stack, 2)


def test_take_reorders_instances():
    stack = stack_rows(SCHEMA, ROWS)
    taken = stack.take([2, 0])
    assert taken.rows(0) == stack.rows(2)
    assert taken.rows(1) == stack.rows(0)


@pytest.mark.parametrize("damage", ["truncate", "remove", "manifest", "version", "no_manifest"])
def test_damage_is_an_error_that_names_the_file(tmp_path, damage):
    folder = save_suite(tmp_path, stack_rows(SCHEMA, ROWS), manifest(3))
    table = next(folder.glob("00_*.parquet"))
    path = folder / "manifest.json"
    if damage == "truncate":
        table.write_bytes(table.read_bytes()[:-9])
    elif damage == "remove":
        table.unlink()
    elif damage == "manifest":
        path.write_text(path.read_text()[:100])
    elif damage == "version":
        data = json.loads(path.read_text())
        data["format_version"] = 99
        path.write_text(json.dumps(data))
    else:
        path.unlink()
    with pytest.raises(SuiteFileError) as error:
        load_suite(folder)
    named = table if damage in {"truncate", "remove"} else folder
    assert str(named) in str(error.value)
    assert "build" in str(error.value)


def test_rows_are_counted_over_all_tables():
    assert stack_rows(SCHEMA, ROWS).row_counts.tolist() == [3, 0, 3]
