"""Where the instances of each database are: a suite, or SQLite files in the layout of the published suites."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from testsuite.errors import SuiteFileError
from testsuite.official import instance_files
from testsuite.schema import Schema
from testsuite.schema.sqlite_file import read_sqlite_schema
from testsuite.score.files import file_hash
from testsuite.suite import check_suite, read_manifest
from testsuite.suite.store import MANIFEST


@dataclass(frozen=True, slots=True)
class Source:
    """The instances of one database.

    ``files`` holds the SQLite files, smallest first; empty for a suite. ``shipped`` is the file of a suite's shipped
    instance where the suite was made of files.
    """

    folder: Path
    count: int
    digest: str
    files: tuple[Path, ...] = ()
    shipped: Path | None = None

    @property
    def shipped_file(self) -> Path | None:
        """The file of the shipped instance, ``<db_id>/<db_id>.sqlite``."""
        name = f"{self.folder.name}.sqlite"
        return self.shipped or next((path for path in self.files if path.name == name), None)

    @property
    def importable(self) -> list[Path]:
        """The files that a suite is made of: the shipped instance first, the others by name."""
        found = [path for path in self.files if path.suffix == ".sqlite"]
        return sorted(found, key=lambda path: (path != self.shipped_file, path.name))


def find_sources(directory: Path, db_ids: Iterable[str], take_files: bool) -> dict[str, Source]:
    """The sources of those databases that have one, every file of theirs checked and hashed.

    Args:
        take_files: whether SQLite files will do where there is no suite.

    Raises:
        SuiteFileError: a suite is damaged, or there are SQLite files where only a suite will do.
    """
    found: dict[str, Source] = {}
    for db_id in db_ids:
        folder = directory / db_id
        if Path(db_id).name != db_id:
            continue
        if (folder / MANIFEST).is_file():
            noted = check_suite(folder)["instances"]
            found[db_id] = Source(folder, len(noted), file_hash(folder / MANIFEST))  # type: ignore[arg-type]
            continue
        if not folder.is_dir() or not any(".sqlite" in path.name for path in folder.iterdir()):
            continue
        if not take_files:
            raise SuiteFileError(
                f"{folder}: holds SQLite files and no suite; give the directory as --db, which makes a suite of them, "
                f"or run `distill import {directory} -o SUITES` and score over SUITES, or ask for --semantics "
                "official, which runs on such files"
            )
        files = tuple(instance_files(folder))
        digest = hashlib.sha256()
        for path in sorted(files):
            digest.update(f"{path.name}\0{file_hash(path)}\0".encode())
        found[db_id] = Source(folder, len(files), digest.hexdigest(), files)
    return found


def source_schema(source: Source) -> Schema:
    """The schema of a source, without its content."""
    if source.files:
        return read_sqlite_schema(source.shipped_file or source.files[0], source.folder.name)
    data = read_manifest(source.folder)
    try:
        return Schema.from_dict(data["schema"])  # type: ignore[arg-type]
    except (KeyError, TypeError, ValueError) as error:
        raise SuiteFileError(
            f"{source.folder / MANIFEST}: the manifest is damaged ({error!r}); build the suite again"
        ) from error
