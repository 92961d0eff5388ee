"""Suites on disk: ``SUITES/<db_id>/`` with one Parquet file per table and ``manifest.json``.

Same stack and manifest, same bytes. Loading checks the format version and the hash of every file, so a damaged
suite is an error and never a wrong verdict.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from testsuite.errors import SuiteFileError
from testsuite.schema import Schema, Storage
from testsuite.suite.manifest import FORMAT_VERSION, Manifest
from testsuite.suite.stack import ARROW_TYPES, DirtyCell, Stack, StackedTable

MANIFEST = "manifest.json"
INSTANCE_COLUMN = "__instance"
_DIRTY_FILE = "dirty.parquet"
_DIRTY_KINDS = {int: "integer", float: "real", str: "text", bytes: "blob"}


@dataclass(frozen=True)
class Suite:
    """The kept instances of one schema, with what is known about them."""

    stack: Stack
    manifest: Manifest

    @property
    def db_id(self) -> str:
        return self.stack.schema.db_id


def instance_id(stack: Stack, instance: int) -> str:
    """Content hash of one instance: the same rows always have the same id (12 hex digits)."""
    digest = hashlib.sha256()
    for name, rows in stack.rows(instance).items():
        digest.update(f"{name}\0{len(rows)}\0".encode())
        for row in rows:
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]


def _file_name(position: int, table: str) -> str:
    slug = re.sub(r"[^A-Za-z0-9]+", "_", table).strip("_").lower() or "table"
    return f"{position:02d}_{slug}.parquet"


def _encode(value: int | float | str | bytes) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return repr(value).encode()


def _decode(kind: str, raw: bytes) -> int | float | str | bytes:
    if kind == "blob":
        return raw
    text = raw.decode("utf-8", "surrogatepass")
    if kind == "text":
        return text
    return int(text) if kind == "integer" else float(text)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def save_suite(directory: Path, stack: Stack, manifest: Manifest) -> Path:
    """Write one suite under ``directory/<db_id>`` and give that folder.

    Files left there by an earlier suite of the same schema are replaced; the manifest is written last, so a
    folder without one is an unfinished suite.
    """
    folder = directory / stack.schema.db_id
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MANIFEST).unlink(missing_ok=True)
        for old in folder.glob("*.parquet"):
            old.unlink()
        hashes: dict[str, str] = {}
        for position, stacked in enumerate(stack.tables):
            arrays = [pa.array(stacked.instance, type=pa.int32()), *stacked.columns]
            names = [INSTANCE_COLUMN, *(column.name for column in stacked.table.columns)]
            path = folder / _file_name(position, stacked.table.name)
            pq.write_table(pa.table(arrays, names=names), path, compression="zstd")
            hashes[path.name] = _sha256(path)
        if stack.dirty:
            path = folder / _DIRTY_FILE
            cells = stack.dirty
            pq.write_table(
                pa.table(
                    {
                        "table": [c.table for c in cells],
                        "column": [c.column for c in cells],
                        "instance": pa.array([c.instance for c in cells], type=pa.int32()),
                        "row": pa.array([c.row for c in cells], type=pa.int32()),
                        "kind": [_DIRTY_KINDS[type(c.value)] for c in cells],
                        "value": pa.array([_encode(c.value) for c in cells], type=pa.binary()),
                    }
                ),
                path,
                compression="zstd",
            )
            hashes[path.name] = _sha256(path)
        data = manifest.to_dict()
        data["schema"] = stack.schema.to_dict()
        data["schema_hash"] = stack.schema.digest
        data["storage"] = {f"{t}\t{c}": kind.value for (t, c), kind in sorted(stack.storage.items())}
        data["files"] = hashes
        text = json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        (folder / MANIFEST).write_text(text, encoding="utf-8")
    except OSError as error:
        raise SuiteFileError(f"{folder}: the suite could not be written: {error.strerror or error}") from error
    return folder


def read_manifest(folder: Path) -> dict[str, object]:
    """The manifest of one suite folder as plain data, its format version checked."""
    path = folder / MANIFEST
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SuiteFileError(
            f"{folder}: no suite here ({MANIFEST} is missing); build one with `distill build`"
        ) from None
    except (OSError, ValueError) as error:
        raise SuiteFileError(f"{path}: the manifest is damaged ({error}); build the suite again") from error
    if not isinstance(data, dict) or data.get("format_version") != FORMAT_VERSION:
        found = data.get("format_version") if isinstance(data, dict) else None
        raise SuiteFileError(
            f"{path}: format version {found!r} is not {FORMAT_VERSION}, which this version reads; build the suite again"
        )
    return data


def _check_files(folder: Path, hashes: Mapping[str, str]) -> None:
    for name, expected in hashes.items():
        path = folder / name
        if not path.is_file():
            raise SuiteFileError(f"{path}: the suite's file is missing; build the suite again")
        if _sha256(path) != expected:
            raise SuiteFileError(
                f"{path}: the file is not what the manifest says (damaged or changed); build the suite again"
            )


def check_suite(folder: Path) -> dict[str, object]:
    """The manifest of a suite whose files are all there and unchanged, without reading their content.

    Raises:
        SuiteFileError: as ``load_suite``.
    """
    data = read_manifest(folder)
    files = data.get("files")
    if not isinstance(files, dict):
        raise SuiteFileError(f"{folder / MANIFEST}: the manifest is damaged (no files); build the suite again")
    _check_files(folder, files)
    return data


def load_suite(folder: Path) -> Suite:
    """Read one suite folder.

    Raises:
        SuiteFileError: the folder is no suite, of another format, or damaged; the message names the file.
    """
    data = read_manifest(folder)
    try:
        schema = Schema.from_dict(data["schema"])  # type: ignore[arg-type]
        manifest = Manifest.from_dict(data)
        storage: dict[tuple[str, str], Storage] = {}
        for key, kind in data["storage"].items():  # type: ignore[attr-defined]
            table_name, column_name = key.split("\t")
            storage[table_name, column_name] = Storage(kind)
        hashes: dict[str, str] = dict(data["files"])  # type: ignore[call-overload]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SuiteFileError(
            f"{folder / MANIFEST}: the manifest is damaged ({error!r}); build the suite again"
        ) from error
    _check_files(folder, hashes)
    count = len(manifest.instances)
    tables = []
    for position, table in enumerate(schema.tables):
        path = folder / _file_name(position, table.name)
        try:
            content = _read(path)
            instance = content.column(INSTANCE_COLUMN).to_numpy().astype(np.int32)
            columns = []
            for place, column in enumerate(table.columns, start=1):
                kind = storage[table.name.lower(), column.name.lower()]
                columns.append(content.column(place).cast(ARROW_TYPES[kind]).combine_chunks())
        except (OSError, pa.ArrowException, KeyError) as error:
            raise SuiteFileError(f"{path}: the file can't be read ({error}); build the suite again") from error
        if len(instance) and (instance.min() < 0 or instance.max() >= count or np.any(np.diff(instance) < 0)):
            raise SuiteFileError(f"{path}: instance numbers are out of order; build the suite again")
        tables.append(StackedTable(table, instance, tuple(columns)))
    dirty: list[DirtyCell] = []
    if _DIRTY_FILE in hashes:
        for cell in _read(folder / _DIRTY_FILE).to_pylist():
            value = _decode(cell["kind"], cell["value"])
            dirty.append(DirtyCell(cell["table"], cell["column"], cell["instance"], cell["row"], value))
    return Suite(Stack(schema, storage, count, tuple(tables), tuple(dirty)), manifest)


def _read(path: Path) -> pa.Table:
    # pq.read_table would import pyarrow.dataset, and pandas with it where that is installed: half a second.
    with pq.ParquetFile(path) as file:
        return file.read(use_threads=False)


def list_suites(directory: Path) -> list[Path]:
    """Folders under ``directory`` that hold a suite, by name.

    Raises:
        SuiteFileError: the directory does not exist or holds no suite.
    """
    if not directory.is_dir():
        raise SuiteFileError(f"{directory}: no such directory; build suites with `distill build -o {directory}`")
    found = sorted(path.parent for path in directory.glob(f"*/{MANIFEST}"))
    if not found:
        raise SuiteFileError(f"{directory}: holds no suite; build suites with `distill build -o {directory}`")
    return found
