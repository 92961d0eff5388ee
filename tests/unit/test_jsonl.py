from __future__ import annotations

import json
from pathlib import Path

import pytest

from testsuite.errors import InputError
from testsuite.jsonl import read_records, write_records, write_whole


def read(path: Path) -> list[object]:
    return list(read_records(path, lambda data: data["a"], "make it", "no record"))


def test_what_was_written_comes_back_with_half_a_surrogate_pair(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    values = ["\ud800", "é\u2028", ""]
    write_records(path, ({"a": value} for value in values))
    assert read(path) == values
    assert [json.loads(line)["a"] for line in path.read_text(encoding="utf-8").split("\n")[:-1]] == values


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    with pytest.raises(InputError, match=r"x: can't be written: Is a directory"):
        write_records(tmp_path / "x", [{}])
    with pytest.raises(OSError):
        write_whole(tmp_path / "x", "")
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


@pytest.mark.parametrize("line", ["{", "[1]", "3", '{"b": 1}'])
def test_a_damaged_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{"a": 1}}\n\n{line}\n')
    with pytest.raises(InputError, match=r"x\.jsonl:3: no record"):
        read(path)


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"a": "\xff"}\n')
    with pytest.raises(InputError, match=r"can't be read .*; make it"):
        read(path)
