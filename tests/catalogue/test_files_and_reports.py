"""Files that do not line up, texts that are no UTF-8, and what a report must say."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from faults import refusal, saved_suite, scored

TREE = "CREATE TABLE tree(id INTEGER PRIMARY KEY, name TEXT, height INTEGER)"
ROWS = ("INSERT INTO tree VALUES (1,'oak',30),(2,'elm',25)", "INSERT INTO tree VALUES (1,'ash',NULL),(2,'fir',30)")
GOLD = "SELECT name FROM tree\ttree\nSELECT COUNT(*) FROM tree\ttree\nSELECT MAX(height) FROM tree\ttree\n"


def objects(*given: dict[str, object]) -> str:
    return "".join(json.dumps(entry) + "\n" for entry in given)


REFUSED = {
    # The fault, golds, predictions, and what must be said.
    "too few predictions": (GOLD, "SELECT name FROM tree\n", ["pred: 1 line", "3 golds"]),
    "too many predictions": (GOLD, "SELECT 1\n" * 4, ["pred: 4 lines", "3 golds"]),
    "a newline in a prediction": (GOLD, "SELECT name\nFROM tree\nSELECT 1\nSELECT 1\n", ["pred: 4 lines", "3 golds"]),
    "no predictions": (GOLD, "", ["pred", "3 golds"]),
    "no golds": ("\n\n", "SELECT 1\n", ["gold", "no gold"]),
    "a gold without database": ("SELECT 1\ttree\nSELECT name FROM tree\n", "SELECT 1\nSELECT 1\n",
                                ["gold:2", "SQL<TAB>db_id"]),
    "a database that is another": (GOLD, "SELECT 1\tshrub\nSELECT 1\nSELECT 1\n", ["pred:1", "'shrub'"]),
    "a missing id": (objects(*({"id": name, "db_id": "tree", "sql": "SELECT 1"} for name in "ab")),
                     objects({"id": "a", "sql": "SELECT 1"}), ["1 of 2 golds", "b"]),
    "an id twice": (objects({"id": "a", "db_id": "tree", "sql": "SELECT 1"}),
                    objects({"id": "a", "sql": "SELECT 1"}, {"id": "a", "sql": "SELECT 2"}), ["pred:", "unique"]),
    "a prediction that is no text": (objects({"id": "a", "db_id": "tree", "sql": "SELECT 1"}),
                                     objects({"id": "a", "sql": 7}), ["pred:1"]),
    "torn JSON": (objects({"id": "a", "db_id": "tree", "sql": "SELECT 1"}), '{"id": "a", "sq\n', ["pred:1", "JSON"]),
}  # fmt: skip


@pytest.mark.parametrize("fault", REFUSED)
def test_files_that_do_not_line_up_are_refused(fault: str, tmp_path: Path) -> None:
    gold, prediction, said = REFUSED[fault]
    suites = saved_suite(tmp_path, TREE, ROWS, "tree")
    (tmp_path / "gold").write_text(gold)
    (tmp_path / "pred").write_text(prediction)
    message = refusal("score", "--gold", tmp_path / "gold", "--pred", tmp_path / "pred", "--suite", suites)
    for words in said:
        assert words in message, message


def test_a_run_tells_what_it_was_made_from_and_why_each_item_failed(tmp_path: Path) -> None:
    suites = saved_suite(tmp_path, TREE, ROWS, "tree")
    gold, pred = tmp_path / "gold.sql", tmp_path / "pred.txt"
    # A byte order mark, line ends of Windows, a tab inside the SQL, and no answer at all.
    gold.write_bytes(b"\xef\xbb\xbf" + GOLD.replace("\n", "\r\n").encode())
    pred.write_bytes(b"SELECT\tname FROM tree\ttree\r\n\r\nSELECT height FROM tree WHERE name = 'oak'\r\n")
    run = scored(tmp_path, suites, gold, pred, "--tolerance", "1e-6", "--absolute-tolerance", "0.5")
    assert [run.items[number]["test_suite"] for number in "012"] == [True, False, False]
    assert [run.items[number]["fate"] for number in "012"] == ["ok", "invalid_prediction", "ok"]
    assert len(run.items["2"]["failed_on"]) == 1
    assert "lucky_pass" in run.items["2"]["flags"]
    assert run.summary["accuracy"]["test_suite"] == {"correct": 1, "of": 3}
    assert set(run.summary["inputs"]) >= {"gold", "predictions", "suites"}
    assert set(run.summary["inputs"]["suites"]) == {"tree"}
    assert {"python", "sqlite", "duckdb"} <= {name.lower() for name in run.summary["versions"]}
    options = run.summary["options"]
    assert (options["columns"], options["keep_distinct"]) == ("any", True)
    assert (options["tolerance"], options["absolute_tolerance"]) == (1e-6, 0.5)
    assert run.summary["paths"]["stacked"] == 2 and run.summary["paths"]["none"] == 1


def test_text_that_is_no_utf8_is_kept_byte_for_byte(tmp_path: Path) -> None:
    from distill.importing import import_suites

    path = tmp_path / "files" / "tree" / "tree.sqlite"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"{TREE}; INSERT INTO tree VALUES (1,CAST(X'6FE96B' AS TEXT),1),(2,'ok',2)")
        connection.executescript("INSERT INTO tree VALUES (3,CAST(X'6FE86B' AS TEXT),3)")
    import_suites(tmp_path / "files", tmp_path / "suites")
    gold, pred = tmp_path / "gold.sql", tmp_path / "pred.txt"
    gold.write_text("SELECT name FROM tree WHERE id = 1\ttree\n" * 4)
    # Equal; without the byte; with another byte in its place; by another way to the same row.
    pred.write_text("".join(f"SELECT name FROM tree WHERE {c}\n" for c in ("id = 1", "id = 2", "id = 3", "height < 2")))
    run = scored(tmp_path, tmp_path / "suites", gold, pred)
    assert [run.items[number]["test_suite"] for number in "0123"] == [True, False, False, True]
