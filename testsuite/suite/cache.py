"""Suites made of SQLite files, kept between runs.

An entry's name is a hash of all that decides its content, and an entry is read only after its own hashes were checked.
It appears under its name at once and whole, so processes may make the same entry at the same time.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from testsuite.errors import InputError, SuiteFileError
from testsuite.suite.importing import read_files
from testsuite.suite.manifest import FORMAT_VERSION, Manifest
from testsuite.suite.store import check_suite, save_suite
from testsuite.versions import tool_versions

_SOURCE = "files_sha256"
_ATTEMPTS = 3


def cache_directory(given: Path | None = None) -> Path:
    """The directory given, else ``testsuite-accuracy`` where the system keeps caches of the user."""
    if given is not None:
        return given
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "testsuite-accuracy"


def cached_folder(cache: Path, db_id: str, digest: str) -> Path:
    """Where the suite of these files stands in the cache, made or not.

    Args:
        digest: hash of the files' names and bytes.
    """
    parts = (str(FORMAT_VERSION), tool_versions()["testsuite-accuracy"], db_id, digest)
    return cache / hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24] / db_id


def is_cached(folder: Path, db_id: str, digest: str) -> bool:
    """Whether a whole, unchanged suite of these files stands there, as this version writes them."""
    try:
        manifest = Manifest.from_dict(check_suite(folder))
    except (SuiteFileError, KeyError, TypeError, ValueError, AttributeError):
        return False
    return manifest.db_id == db_id and manifest.options.get(_SOURCE) == digest


def fill_cache(cache: Path, db_id: str, files: Sequence[Path], digest: str) -> Path:
    """Make the suite of these files in the cache, in place of whatever stands there, and give its folder.

    Raises:
        InputError: a file is damaged or has other tables, or the cache cannot be written.
    """
    folder = cached_folder(cache, db_id, digest)
    suite = read_files(db_id, files, options={_SOURCE: digest})
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache, prefix="making-", ignore_cleanup_errors=True) as scratch:
            made = Path(scratch) / "new"
            save_suite(made, suite.stack, suite.manifest)
            for attempt in range(_ATTEMPTS):
                try:
                    made.rename(folder.parent)
                    return folder
                except OSError:
                    # Something stands there: another process was quicker, or it is no suite of these files.
                    if is_cached(folder, db_id, digest):
                        return folder
                    _set_aside(folder.parent, Path(scratch) / f"old{attempt}")
    except OSError as error:
        raise InputError(
            f"{cache}: suites can't be kept here ({error.strerror or error}); choose another directory with --cache"
        ) from error
    raise InputError(f"{folder.parent}: can't be replaced; remove it, or choose another directory with --cache")


def _set_aside(entry: Path, place: Path) -> None:
    try:
        entry.rename(place)
    except FileNotFoundError:
        return
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
