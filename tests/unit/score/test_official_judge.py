"""The published script's verdicts as records: fates, flags, the shipped instance alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from testsuite.official import ReadOnlyFiles
from testsuite.records import Fate, Item
from testsuite.score.official_judge import OfficialJudge, open_instances
from testsuite.score.sources import find_sources
from testsuite.suite import InstanceNote, Manifest, instance_id, save_suite, stack_rows

CONTENTS = {
    "shop.sqlite": [("pen", 3), ("ink", 9)],
    "shop_0000.sqlite": [("pen", 5), ("pen", 5), ("ink", 9), ("cup", None)],
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "shop").mkdir()
    for name, rows in CONTENTS.items():
        with closing(sqlite3.connect(tmp_path / "shop" / name)) as connection:
            connection.execute("CREATE TABLE item (name TEXT, price INTEGER)")
            connection.executemany("INSERT INTO item VALUES (?, ?)", rows)
            connection.commit()
    return tmp_path


def judged(folder, gold, prediction, **options):
    source = find_sources(folder, ["shop"], take_files=True)["shop"]
    with ReadOnlyFiles() as files:
        instances = open_instances(source, folder)
        return OfficialJudge(instances, files, **options).judge(Item("0", "shop", gold, prediction))


SLOW = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
CASES = {
    "equal": ("SELECT name FROM item", "SELECT item.name FROM item", Fate.OK, True, True, ()),
    "lucky": ("SELECT count(*) FROM item", "SELECT count(price) FROM item", Fate.OK, False, True, ("lucky_pass",)),
    "different": ("SELECT name FROM item", "SELECT price FROM item", Fate.OK, False, False, ()),
    "bad prediction": ("SELECT name FROM item", "SELECT nam FROM item", Fate.PREDICTION_ERROR, False, False, ()),
    "bad gold": ("SELECT nam FROM item", "SELECT name FROM item", Fate.GOLD_ERROR, None, None, ()),
    "slow gold": (SLOW, "SELECT name FROM item", Fate.GOLD_TIMEOUT, None, None, ()),
    "slow prediction": ("SELECT name FROM item", SLOW, Fate.PREDICTION_TIMEOUT, False, False, ()),
    "no prediction": ("SELECT name FROM item WHERE 0", " ", Fate.INVALID_PREDICTION, False, False, ()),
    "a quirk": ("SELECT 1 FROM item", "SELECT value FROM item", Fate.OK, True, True, ()),
}


@pytest.mark.parametrize("name", CASES)
def test_cases(folder, name):
    gold, prediction, fate, suite, execution, flags = CASES[name]
    found = judged(folder, gold, prediction, timeout=0.6 if "slow" in name else 30.0)
    assert (found.fate, found.test_suite, found.execution, found.flags) == (fate, suite, execution, flags)


def test_where_they_differ(folder):
    gold, prediction = "SELECT count(*) FROM item", "SELECT count(price) FROM item"
    assert judged(folder, gold, prediction).failed_on == ("shop_0000",)


def test_distinct_counts_only_if_kept(folder):
    pair = ("SELECT name FROM item", "SELECT DISTINCT name FROM item")
    assert judged(folder, *pair).test_suite is True
    kept = judged(folder, *pair, keep_distinct=True)
    assert (kept.test_suite, kept.execution) == (False, True)


def test_plugged_values(folder):
    pair = ("SELECT name FROM item WHERE price = 9", "SELECT name FROM item WHERE price = 4")
    assert judged(folder, *pair).test_suite is False
    plugged = judged(folder, *pair, plug_value=True)
    assert (plugged.test_suite, plugged.execution, plugged.flags) == (True, True, ("equal_plugged",))


def test_values_that_fit_the_shipped_instance_only(folder):
    pair = ("SELECT name FROM item WHERE price > 5", "SELECT name FROM item WHERE price >= 77")
    found = judged(folder, *pair, plug_value=True)
    assert (found.test_suite, found.execution, found.flags) == (False, True, ("lucky_pass",))


def test_a_verdict_cut_short_says_so(folder):
    values = " OR ".join(f"price = {n}" for n in range(1, 13))
    slots = " AND ".join(["price > 77"] * 4)
    pair = (f"SELECT name FROM item WHERE {values}", f"SELECT price FROM item WHERE {slots} OR price > 1")
    found = judged(folder, *pair, plug_value=True, timeout=0.2)
    assert (found.fate, found.test_suite) == (Fate.OK, False)
    assert "capped" in found.flags


def test_no_shipped_instance(folder):
    (folder / "shop" / "shop.sqlite").unlink()
    found = judged(folder, "SELECT name FROM item", "SELECT price FROM item")
    assert (found.test_suite, found.execution) == (False, None)


def test_a_suite_is_written_once_and_names_its_instances(folder, tmp_path_factory):
    from testsuite.schema.sqlite_file import read_sqlite_rows, read_sqlite_schema

    schema = read_sqlite_schema(folder / "shop" / "shop.sqlite", "shop")
    stack = stack_rows(schema, [read_sqlite_rows(folder / "shop" / name, schema) for name in CONTENTS])
    notes = tuple(
        InstanceNote(instance_id(stack, n), origin, 1, 1) for n, origin in enumerate(["shipped", "generated"])
    )
    suites, scratch = tmp_path_factory.mktemp("suites"), tmp_path_factory.mktemp("scratch")
    save_suite(suites, stack, Manifest("shop", notes))
    source = find_sources(suites, ["shop"], take_files=False)["shop"]
    first, again = open_instances(source, scratch), open_instances(source, scratch)
    assert first == again
    assert [path.name for path in scratch.iterdir()] == ["shop"]
    assert not any(path.stat().st_mode & 0o222 for path in first.paths)
    with ReadOnlyFiles() as files:
        item = Item("0", "shop", "SELECT count(*) FROM item", "SELECT count(price) FROM item")
        found = OfficialJudge(first, files).judge(item)
    assert (found.test_suite, found.execution, found.failed_on) == (False, True, (notes[1].id,))
