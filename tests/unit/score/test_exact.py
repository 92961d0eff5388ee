"""Exact set match of items: tables from tables.json and from schemas, and what is said where nothing is parsed."""

from __future__ import annotations

import json

import pytest

from testsuite.benchmark import materialise
from testsuite.errors import InputError
from testsuite.records import Fate, Item, ItemResult
from testsuite.schema import Affinity, Column, ForeignKey, Schema, Table
from testsuite.score.exact import match_exactly, tables_of_file, tables_of_schema, with_match
from testsuite.score.options import ScoreOptions

ID = Column("ID", "INTEGER", Affinity.INTEGER)
BARN = Column("barn", "INTEGER", Affinity.INTEGER)
SCHEMA = Schema(
    "farm", (Table("Barn", (ID,), ("ID",)), Table("Cow", (BARN,), (), (), (ForeignKey(("barn",), "Barn", ("ID",)),)))
)
TABLES = tables_of_schema(SCHEMA)
OFFICIAL = TABLES.official


def item(gold: str, prediction: str) -> Item:
    return Item("0", "farm", gold, prediction)


def test_tables_of_a_schema():
    assert dict(OFFICIAL.columns) == {"barn": ("id",), "cow": ("barn",)}
    assert dict(OFFICIAL.key_columns) == {"barn.id": "barn.id", "cow.barn": "barn.id"}


def test_tables_of_a_file_and_of_its_schemas_are_the_same_but_for_order(tmp_path):
    from testsuite.schema.tables_json import read_tables_json

    path = materialise(tmp_path).tables
    found = tables_of_file(path)
    assert list(found) == [entry["db_id"] for entry in json.loads(path.read_text())]
    for db_id, schema in read_tables_json(path).items():
        listed, made = found[db_id].official, tables_of_schema(schema).official
        assert listed.columns == made.columns
        assert listed.key_columns.keys() == made.key_columns.keys()
        assert found[db_id].schema == schema


def test_a_file_that_is_none(tmp_path):
    (tmp_path / "t.json").write_text("[{}]")
    with pytest.raises(InputError, match=r"t\.json: entry 0"):
        tables_of_file(tmp_path / "t.json")


def test_pairs():
    joined = "SELECT {} FROM barn AS T1 JOIN cow AS T2 ON T1.id = T2.barn"
    # Columns that a foreign key joins stand for one another; values do not count.
    assert match_exactly(item(joined.format("T1.id"), joined.format("T2.barn")), OFFICIAL).equal is True
    assert match_exactly(item("SELECT id FROM barn", "SELECT max(id) FROM barn"), OFFICIAL).equal is False
    quirk = item("SELECT id FROM barn WHERE id = 1", "SELECT id FROM barn WHERE id = value")
    assert match_exactly(quirk, OFFICIAL).equal is True
    found = match_exactly(item("SELECT id FROM barn", "SELECT abs(id) FROM barn"), OFFICIAL)
    assert (found.equal, found.prediction_parsed, found.hardness) == (False, False, "easy")
    found = match_exactly(item("SELECT abs(id) FROM barn", "SELECT abs(id) FROM barn"), OFFICIAL)
    assert (found.equal, found.hardness) == (None, "unknown")
    assert "does not take the gold" in found.message


def test_records():
    executed = ItemResult("0", "farm", Fate.OK, True, False)
    pair = item("SELECT id FROM barn", "SELECT abs(id) FROM barn")
    assert with_match(executed, pair, TABLES, ScoreOptions()) == ItemResult(
        "0", "farm", Fate.OK, True, False, hardness="easy", components=("none of these",)
    )
    both = with_match(executed, pair, TABLES, ScoreOptions(etype="all"))
    assert (both.fate, both.test_suite, both.exact, both.flags) == (Fate.OK, True, False, ("exact_not_parsed",))
    bad_gold = item("SELECT abs(id) FROM barn", "SELECT id FROM barn")
    both = with_match(executed, bad_gold, TABLES, ScoreOptions(etype="all"))
    assert (both.fate, both.test_suite, both.exact) == (Fate.OK, True, None)
    alone = with_match(ItemResult("0", "farm", Fate.OK, None, None), bad_gold, TABLES, ScoreOptions(etype="match"))
    assert (alone.fate, alone.exact) == (Fate.GOLD_ERROR, None)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"etype": "match", "bird": True}, "--bird changes how queries run"),
        ({"keep_distinct": True, "etype": "match"}, "--keep-distinct changes how queries run"),
        ({"plug_value": True, "semantics": "official", "etype": "match"}, "with --etype match none does"),
        ({"semantics": "official", "audit": 0.5}, "--audit does not go with"),
        ({"semantics": "official", "columns": "name"}, "--columns does not go with"),
        ({"semantics": "official", "engine": "duckdb"}, "--engine duckdb does not go with"),
        ({"semantics": "lenient"}, "not known"),
    ],
)
def test_options_that_do_not_go_together(given, said):
    with pytest.raises(InputError, match=said):
        ScoreOptions(**given)


def test_deciding_options():
    assert ScoreOptions(keep_distinct=True).deciding() == ScoreOptions().deciding()
    assert ScoreOptions(etype="match").deciding() == {"etype": "match", "semantics": "strict"}
    assert ScoreOptions().deciding()["columns"] == "any"
    official = ScoreOptions(semantics="official", keep_distinct=True).deciding()
    assert official["keep_distinct"] is True and "columns" not in official
