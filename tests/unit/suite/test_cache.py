"""The cache of suites made of SQLite files: made once, checked always, rebuilt where it is not what it should be."""

from __future__ import annotations

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from testsuite.errors import InputError
from testsuite.suite import cache_directory, cached_folder, fill_cache, is_cached, load_suite


@pytest.fixture
def files(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    for name, rows in {"shop.sqlite": [(1,)], "shop_1.sqlite": [(2,), (None,)]}.items():
        with closing(sqlite3.connect(folder / name)) as connection:
            connection.execute("CREATE TABLE item (id INTEGER)")
            connection.executemany("INSERT INTO item VALUES (?)", rows)
            connection.commit()
    return sorted(folder.iterdir())


def test_made_once(tmp_path, files):
    cache = tmp_path / "deep" / "cache"
    folder = cached_folder(cache, "shop", "one")
    assert not is_cached(folder, "shop", "one")
    assert fill_cache(cache, "shop", files, "one") == folder
    assert is_cached(folder, "shop", "one")
    suite = load_suite(folder)
    assert [note.origin for note in suite.manifest.instances] == ["shipped", "imported"]
    assert suite.stack.rows(1) == {"item": [(2,), (None,)]}
    assert cached_folder(cache, "shop", "two") != folder
    assert [path.name for path in cache.iterdir()] == [folder.parent.name], "nothing else is left there"


def break_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text("{", encoding="utf-8")


def break_content(folder: Path) -> None:
    next(folder.glob("*.parquet")).write_bytes(b"PAR1")


def lose_content(folder: Path) -> None:
    next(folder.glob("*.parquet")).unlink()


def make_foreign(folder: Path) -> None:
    text = (folder / "manifest.json").read_text(encoding="utf-8")
    (folder / "manifest.json").write_text(text.replace('"one"', '"two"'), encoding="utf-8")


def make_a_file(folder: Path) -> None:
    shutil.rmtree(folder.parent)
    folder.parent.write_text("not a suite", encoding="utf-8")


@pytest.mark.parametrize("damage", [break_manifest, break_content, lose_content, make_foreign, make_a_file])
def test_a_damaged_entry_is_made_again(tmp_path, files, damage):
    cache = tmp_path / "cache"
    folder = fill_cache(cache, "shop", files, "one")
    damage(folder)
    assert not is_cached(folder, "shop", "one")
    fill_cache(cache, "shop", files, "one")
    assert is_cached(folder, "shop", "one")
    assert load_suite(folder).stack.count == 2
    assert [path.name for path in cache.iterdir()] == [folder.parent.name]


def test_many_at_once(tmp_path, files):
    cache = tmp_path / "cache"
    with ThreadPoolExecutor(8) as pool:
        folders = set(pool.map(lambda _: fill_cache(cache, "shop", files, "one"), range(8)))
    assert len(folders) == 1
    assert is_cached(folders.pop(), "shop", "one")


def test_where_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory() == tmp_path / "testsuite-accuracy"
    assert cache_directory(tmp_path / "own") == tmp_path / "own"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_directory() == Path.home() / ".cache" / "testsuite-accuracy"


def test_a_cache_that_cannot_be_written(tmp_path, files):
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    with pytest.raises(InputError, match="--cache"):
        fill_cache(tmp_path / "cache", "shop", files, "one")
