"""SQLite files in the layout of the published suites, ``<db_id>/<db_id>*.sqlite``, and suites: one from the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from testsuite.errors import InputError
from testsuite.schema import Schema
from testsuite.schema.tables_json import read_tables_json
from testsuite.suite import export_sqlite, list_suites, load_suite, read_files, save_suite


@dataclass(frozen=True, slots=True)
class Transfer:
    """One database that was imported or exported: where it went, and how many instances it has."""

    db_id: str
    folder: Path
    instances: int


def import_suites(directory: Path, output: Path, tables: Path | None = None) -> list[Transfer]:
    """Make a suite of every folder ``directory/<db_id>`` that holds ``<db_id>*.sqlite``.

    ``<db_id>.sqlite`` is the shipped instance and comes first, the others follow by name. The schema is that of the
    first file; a ``tables.json`` adds keys that it does not declare.

    Raises:
        InputError: there are no such files, one is damaged, or its tables are not those of the first. The suites
            made before stay.
    """
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory (expected DIR/<db_id>/<db_id>*.sqlite)")
    listed = {} if tables is None else read_tables_json(tables)
    folders = [(folder, files) for folder in sorted(directory.iterdir()) if (files := instances_of(folder))]
    if not folders:
        raise InputError(f"{directory}: holds no SQLite files (expected DIR/<db_id>/<db_id>*.sqlite)")
    return [_import(folder, files, output, listed) for folder, files in folders]


def instances_of(folder: Path) -> list[Path]:
    """The files ``<db_id>*.sqlite`` of a folder named ``<db_id>``, the shipped one first, the others by name."""
    found = [path for path in folder.glob("*.sqlite") if path.name.startswith(folder.name)] if folder.is_dir() else []
    return sorted(found, key=lambda path: (path.stem != folder.name, path.name))


def _import(folder: Path, files: list[Path], output: Path, listed: Mapping[str, Schema]) -> Transfer:
    suite = read_files(folder.name, files, listed.get(folder.name))
    return Transfer(folder.name, save_suite(output, suite.stack, suite.manifest), len(files))


def export_suites(suites: Path, output: Path) -> list[Transfer]:
    """Write every suite of a directory as SQLite files under ``output/<db_id>``.

    Raises:
        SuiteFileError: there are no suites, or one is damaged.
        InputError: there are SQLite files at the destination, or it cannot be written.
    """
    done = []
    for folder in list_suites(suites):
        suite = load_suite(folder)
        done.append(Transfer(suite.db_id, output / suite.db_id, len(export_sqlite(suite, output))))
    return done
