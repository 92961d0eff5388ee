from __future__ import annotations

from pathlib import Path

import pytest

from testsuite.errors import InputError
from testsuite.records import Item
from testsuite.score.pairs import ORIGIN, PAIRS, Origin, Pair, read_origin, read_pairs_of, write_origin

ITEMS = [Item("2", "d", "SELECT 'é\u2028'", "p", accepted=("SELECT 2",)), Item("10", "d", "g", "")]


def test_pairs_come_back_in_the_golds_order(tmp_path: Path) -> None:
    write_origin(tmp_path, ITEMS, Origin(gold="/g", suites="/s"))
    pairs = read_pairs_of(tmp_path)
    assert list(pairs.values()) == [
        Pair("2", "d", ("SELECT 'é\u2028'", "SELECT 2"), "p"),
        Pair("10", "d", ("g",), ""),
    ]
    assert read_origin(tmp_path) == Origin(gold="/g", suites="/s")


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    write_origin(tmp_path, ITEMS, Origin())
    with (tmp_path / PAIRS).open("a") as file:
        file.write('{"id": "3", "db_id": "d", "golds": []}\n')
    with pytest.raises(InputError, match=r"pairs\.jsonl:3: not a pair"):
        read_pairs_of(tmp_path)


def test_results_without_pairs_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="score again"):
        read_pairs_of(tmp_path)
    assert read_origin(tmp_path) == Origin()
    (tmp_path / ORIGIN).write_text("[1]")
    assert read_origin(tmp_path) == Origin()
