"""Tables, columns and key groups of one entry of a tables.json file, as the published script names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from testsuite.errors import InputError

ALL_COLUMNS = "*"


@dataclass(frozen=True, slots=True)
class OfficialTables:
    """Lower-case names of one database. A column is written `table.column` throughout.

    db_id: name of the database.
    columns: per table, in file order, the names of its columns.
    key_columns: for a column joined to others by foreign keys, the column that stands for its group.
    """

    db_id: str
    columns: Mapping[str, tuple[str, ...]]
    key_columns: Mapping[str, str]


def read_official_tables(entry: Mapping[str, Any]) -> OfficialTables:
    """Tables of one tables.json entry (`table_names_original`, `column_names_original`, `foreign_keys`).

    Raises InputError where the entry has not that form.
    """
    try:
        tables = [str(name).lower() for name in entry["table_names_original"]]
        listed = [(int(number), str(name).lower()) for number, name in entry["column_names_original"]]
        pairs = [(int(one), int(other)) for one, other in entry["foreign_keys"]]
        names = [f"{tables[number]}.{name}" if number >= 0 else ALL_COLUMNS for number, name in listed]
        columns: dict[str, list[str]] = {table: [] for table in tables}
        for number, name in listed:
            if number >= 0:
                columns[tables[number]].append(name)
        return OfficialTables(
            db_id=str(entry["db_id"]),
            columns={table: tuple(found) for table, found in columns.items()},
            key_columns=_key_columns(names, pairs),
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise InputError(f"not an entry of a tables.json file: {type(error).__name__} {error}") from error


def _key_columns(names: Sequence[str], pairs: Sequence[tuple[int, int]]) -> dict[str, str]:
    """Groups grow in file order and are never merged, so a column may end in two; the later group wins."""
    groups: list[set[int]] = []
    for pair in pairs:
        home = next((group for group in groups if group & set(pair)), None)
        if home is None:
            groups.append(set(pair))
        else:
            home.update(pair)
    return {names[column]: names[min(group)] for group in groups for column in sorted(group)}
