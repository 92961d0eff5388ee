"""Write the embedded benchmark to disk, in the layout of Spider's release.

The data files beside this module are its source: one ``schema.sql`` per database (tables and rows), ``tables.json``,
``dev_gold.sql``, ``dev.json`` (questions), and for each imagined model ``pred_<name>.txt`` with
``verdicts_<name>.jsonl``: per item ``right`` (means the same as the gold), ``lucky`` (wrong, yet its answer on the
shipped database is one the gold may give) and ``why``.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from testsuite.errors import InputError
from testsuite.schema.sql_text import statements_of


@dataclass(frozen=True, slots=True)
class BenchmarkPaths:
    """Where the parts of the benchmark were written.

    Attributes:
        tables: Spider's tables.json.
        database: the folder that holds ``<db_id>/<db_id>.sqlite``.
        gold: the gold queries, ``SQL<TAB>db_id``.
        questions: dev.json, a list of ``{"db_id", "question", "query"}`` in the golds' order.
        predictions: a prediction file by the name of its imagined model.
        verdicts: the known verdicts by the same names.
    """

    tables: Path
    database: Path
    gold: Path
    questions: Path
    predictions: dict[str, Path]
    verdicts: dict[str, Path]


def materialise(target: str | Path) -> BenchmarkPaths:
    """Write the benchmark into the folder ``target``, which is made where it does not exist.

    Files of the same names are replaced, anything else there is left alone. Two calls with one version of SQLite
    write the same bytes.

    Raises:
        InputError: the folder cannot be written.
    """
    folder = Path(target)
    data = files("testsuite.benchmark") / "data"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for item in data.iterdir():
            if item.is_file():
                (folder / item.name).write_bytes(item.read_bytes())
            else:
                script = (item / "schema.sql").read_text(encoding="utf-8")
                _write_database(folder / "database" / item.name / f"{item.name}.sqlite", script)
    except OSError as error:
        raise InputError(f"{folder}: cannot write the benchmark there: {error.strerror or error}") from error
    names = sorted(item.name for item in data.iterdir())
    return BenchmarkPaths(
        tables=folder / "tables.json",
        database=folder / "database",
        gold=folder / "dev_gold.sql",
        questions=folder / "dev.json",
        predictions=_named(names, folder, "pred_", ".txt"),
        verdicts=_named(names, folder, "verdicts_", ".jsonl"),
    )


def _write_database(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        for _, statement in statements_of(script):
            connection.execute(statement)
        connection.execute("COMMIT")
    unfinished.replace(path)


def _named(names: list[str], folder: Path, start: str, end: str) -> dict[str, Path]:
    return {
        name.removeprefix(start).removesuffix(end): folder / name
        for name in names
        if name.startswith(start) and name.endswith(end)
    }


__all__ = ["BenchmarkPaths", "materialise"]
