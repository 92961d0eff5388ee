"""One DuckDB connection that holds stacked instances. The only module that imports duckdb.

SessionError            an EngineError: the session could not answer
├── QueryTimeout        the deadline passed
├── TooLarge            more rows than allowed
├── OutOfMemory         the memory limit was reached
├── DataError           some value made the query fail (overflow, conversion): other instances may succeed
├── Unsupported         DuckDB cannot plan the query
└── Broken              an internal error; the session has been rebuilt where need be
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import duckdb
import pyarrow as pa

from testsuite.dialect.functions.native import natives
from testsuite.dialect.macros import MACROS
from testsuite.engine.watch import Watch
from testsuite.errors import EngineError
from testsuite.schema.model import quote
from testsuite.suite.stack import Stack


class SessionError(EngineError):
    """The session could not answer."""


class QueryTimeout(SessionError):  # noqa: N818 (read as a word, like the others)
    """The deadline passed."""


class TooLarge(SessionError):  # noqa: N818 (read as a word, like the others)
    """The answer has more rows than allowed."""


class OutOfMemory(SessionError):  # noqa: N818 (read as a word, like the others)
    """The memory limit was reached."""


class DataError(SessionError):
    """Some value made the query fail; without its instance it may succeed."""


class Unsupported(SessionError):  # noqa: N818 (read as a word, like the others)
    """DuckDB cannot plan the query."""


class Broken(SessionError):  # noqa: N818 (read as a word, like the others)
    """DuckDB failed inside; the session has been rebuilt where need be."""


# Named kinds of failure; the first match counts. What is not named is a bug of ours and passes as SessionError.
_KINDS: tuple[tuple[type[duckdb.Error], type[SessionError]], ...] = (
    (duckdb.InterruptException, QueryTimeout),
    (duckdb.OutOfMemoryException, OutOfMemory),
    (duckdb.ConversionException, DataError),
    (duckdb.OutOfRangeException, DataError),
    (duckdb.InvalidInputException, DataError),
    (duckdb.BinderException, Unsupported),
    (duckdb.NotImplementedException, Unsupported),
    (duckdb.ParserException, Unsupported),
    (duckdb.CatalogException, Unsupported),
    (duckdb.InternalException, Broken),
    (duckdb.FatalException, Broken),
)

_SETTINGS: tuple[str, ...] = (
    # Meaning: integers divide to integers, x / 0 is NULL, a scalar subquery gives its first row.
    "SET integer_division = true",
    "SET ieee_floating_point_ops = false",
    "SET error_on_division_by_zero = false",
    "SET scalar_subquery_error_on_multiple_rows = false",
    # Same answer on every run.
    "SET preserve_insertion_order = true",
    # Safety: prediction text reaches DuckDB only translated, but nothing it says may leave this process.
    # Nothing is spilled to disk: what does not fit in memory_limit fails.
    "SET temp_directory = ''",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET python_enable_replacements = false",
    "SET enable_external_access = false",
)


@dataclass(frozen=True)
class Loaded:
    """Where one stack lies in a session.

    Attributes:
        stack: what was loaded.
        place: DuckDB schema that holds its tables.
        tables: by lower-case table name, its DuckDB name and column list.
        instance: name of the instance column, in quotes.
    """

    stack: Stack
    place: str
    tables: Mapping[str, tuple[str, str]]
    instance: str

    @property
    def instances(self) -> str:
        """The table of instance numbers."""
        return f"{self.place}.instances"

    def relation(self, table: str, outer: str, chosen: str = "") -> str:
        """The rows of a base table that belong to the instance ``outer``, as a parenthesised query.

        ``chosen`` is a condition on the instance column, a hint which instances are asked for.
        """
        name, columns = self.tables[table.lower()]
        hint = f" AND {self.instance} {chosen}" if chosen else ""
        return f"(SELECT {columns} FROM {self.place}.{name} WHERE {self.instance} = {outer}{hint})"


class Session:
    """A DuckDB connection with SQLite's meaning wherever settings can give it.

    Opening one takes about 30 ms; keep it for many stacks. Stacks are known by their schema's ``db_id``. Not for
    use from several threads at once.
    """

    def __init__(self, memory_limit: str = "2GB", threads: int = 1, max_rows: int = 5_000_000) -> None:
        """Open an in-memory database.

        Args:
            memory_limit: DuckDB's own limit, in its notation.
            threads: worker threads; one keeps sums in one order.
            max_rows: rows after which a query is given up as ``TooLarge``.
        """
        self.memory_limit = memory_limit
        self.threads = threads
        self.max_rows = max_rows
        self._loaded: dict[str, Loaded] = {}
        self._number = 0
        self._connection = self._open()
        self._watch = Watch(self._interrupt)

    def _open(self) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect(":memory:")
        for native in natives():
            connection.create_function(  # type: ignore[call-overload]  # the stubs know no "any arguments"
                native.name, native, None, native.result.duckdb, type="arrow", null_handling="special"
            )
        for statement in (*MACROS, f"SET threads = {int(self.threads)}", *_SETTINGS):
            connection.execute(statement)
        connection.execute("SET memory_limit = ?", [self.memory_limit])
        connection.execute("SET lock_configuration = true")
        return connection

    def load(self, stack: Stack) -> Loaded:
        """Hold a stack; one of the same ``db_id`` gives way. Nothing is done if it is the very same object."""
        db_id = stack.schema.db_id
        known = self._loaded.get(db_id)
        if known is not None and known.stack is stack:
            return known
        self.unload(db_id)
        self._loaded[db_id] = self._load(stack)
        return self._loaded[db_id]

    def _load(self, stack: Stack) -> Loaded:
        self._number += 1
        place = f"stack{self._number}"
        taken = {column.name.lower() for _, column in stack.schema.columns()}
        instance = "__instance"
        while instance in taken:
            instance += "_"
        self._connection.execute(f"CREATE SCHEMA {place}")
        tables = {}
        for number, stacked in enumerate(stack.tables):
            names = [column.name for column in stacked.table.columns]
            content = pa.table([pa.array(stacked.instance, type=pa.int32()), *stacked.columns], [instance, *names])
            self._store(f"{place}.t{number}", content)
            tables[stacked.table.name.lower()] = (f"t{number}", ", ".join(quote(name) for name in names))
        ids = pa.table([pa.array(range(stack.count), type=pa.int32())], ["id"])
        self._store(f"{place}.instances", ids)
        return Loaded(stack, place, tables, quote(instance))

    def _store(self, name: str, content: pa.Table) -> None:
        self._connection.register("incoming", content)
        try:
            self._connection.execute(f"CREATE TABLE {name} AS SELECT * FROM incoming")
        finally:
            self._connection.unregister("incoming")

    def unload(self, db_id: str) -> None:
        """Forget a stack; nothing is done if none of that name is held."""
        known = self._loaded.pop(db_id, None)
        if known is not None:
            self._connection.execute(f"DROP SCHEMA {known.place} CASCADE")

    def loaded(self, db_id: str) -> Loaded:
        """The stack held under that name.

        Raises:
            SessionError: there is none.
        """
        known = self._loaded.get(db_id)
        if known is None:
            raise SessionError(f"no instances of {db_id!r} are loaded")
        return known

    def query(self, sql: str, timeout: float = 30.0) -> pa.Table:
        """Run one DuckDB statement.

        Args:
            sql: DuckDB text.
            timeout: seconds until it is interrupted.

        Raises:
            SessionError: one of its kinds.
        """
        self._watch.arm(timeout)
        try:
            # .execute() would save 0.1 ms, but holds the whole answer before the first row can be counted.
            reader = self._connection.sql(sql).to_arrow_reader(100_000)
            batches, rows = [], 0
            for batch in reader:
                rows += batch.num_rows
                if rows > self.max_rows:
                    raise TooLarge(f"more than {self.max_rows} rows")
                batches.append(batch)
            return pa.Table.from_batches(batches, reader.schema)
        except (duckdb.Error, pa.ArrowException, OSError) as error:
            raise self._mapped(error) from error
        finally:
            self._watch.disarm()

    def _interrupt(self) -> None:
        self._connection.interrupt()

    def _mapped(self, error: Exception) -> SessionError:
        message = str(error).split("\n", 1)[0][:200]
        for kind, ours in _KINDS:
            if isinstance(error, kind):
                if ours is Broken:
                    self._rebuild()
                return ours(message)
        if "INTERRUPT" in message.upper():
            return QueryTimeout(message)
        if not isinstance(error, duckdb.Error):
            # Streaming wraps DuckDB's error in Arrow's, with its name in the text.
            for word, ours in (("Out of Memory", OutOfMemory), ("Conversion", DataError), ("Out of Range", DataError)):
                if word in message:
                    return ours(message)
            return DataError(message)
        return SessionError(message)

    def _rebuild(self) -> None:
        # An internal error of the planner leaves the database usable; a fatal one does not.
        with suppress(duckdb.Error):
            self._connection.execute("SELECT 1").fetchall()
            return
        with suppress(duckdb.Error):
            self._connection.close()
        self._connection = self._open()
        for db_id, known in list(self._loaded.items()):
            self._loaded[db_id] = self._load(known.stack)

    def close(self) -> None:
        """Free everything."""
        self._connection.close()
        self._loaded.clear()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
