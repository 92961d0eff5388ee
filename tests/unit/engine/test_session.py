"""The DuckDB session: settings that carry meaning, safety, and errors by kind."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from testsuite.engine import session as module
from testsuite.engine.session import (
    DataError,
    OutOfMemory,
    QueryTimeout,
    Session,
    SessionError,
    TooLarge,
    Unsupported,
)
from testsuite.schema.sql_text import read_sql_schema
from testsuite.suite.stack import Stack, stack_rows


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(max_rows=10_000) as made:
        yield made


def _stack(db_id: str, rows: list[tuple[object, ...]]) -> Stack:
    schema = read_sql_schema("CREATE TABLE t (a INTEGER, __instance TEXT)", db_id)
    return stack_rows(schema, [{"t": rows}, {}])


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("SELECT 7 / 2", 3),
        ("SELECT -7 / 2", -3),
        ("SELECT 7 / 0", None),
        ("SELECT 7 % 0", None),
        ("SELECT 7.5e0 / 0", None),
        ("SELECT (SELECT x FROM (VALUES (1), (2)) AS v(x))", 1),
        ("SELECT sq_lower('AÖb')", "aÖb"),
        ("SELECT sq_number(' 2.50 ')", 2.5),
        ("SELECT isnan(sq_number('2x'))", True),
        ("SELECT sq_number('2x') > 1e300", True),
        ("SELECT sq_number(NULL) IS NULL", True),
    ],
)
def test_settings_and_macros_give_sqlites_meaning(session: Session, sql: str, value: object) -> None:
    assert session.query(sql).column(0).to_pylist() == [value]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('/etc/hostname')",
        "COPY (SELECT 1) TO '/tmp/out.csv'",
        "ATTACH '/tmp/x.db'",
        "SET threads = 4",
        "INSTALL httpfs",
        "SELECT * FROM session",
    ],
)
def test_nothing_reaches_outside(session: Session, sql: str) -> None:
    with pytest.raises(SessionError):
        session.query(sql)


def test_deadline_interrupts(session: Session) -> None:
    with pytest.raises(QueryTimeout):
        session.query("SELECT count(*) FROM range(100000) a, range(100000) b, range(100) c", timeout=0.2)
    assert session.query("SELECT 1").num_rows == 1


def test_too_many_rows_are_given_up(session: Session) -> None:
    with pytest.raises(TooLarge):
        session.query("SELECT * FROM range(1000000)")


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("SELECT CAST('x' AS BIGINT) FROM range(1)", DataError),
        ("SELECT 9223372036854775807 + range FROM range(5)", DataError),
        ("SELECT sq_double(9007199254740993 + range) FROM range(2)", DataError),
        ("SELECT nothing", Unsupported),
        ("SELEC", Unsupported),
        ("SELECT no_such_function(1)", Unsupported),
    ],
)
def test_errors_have_kinds(session: Session, sql: str, kind: type[SessionError]) -> None:
    with pytest.raises(kind):
        session.query(sql)


def test_stacks_come_and_go(session: Session) -> None:
    one, two = _stack("one", [(1, "x"), (2, None)]), _stack("two", [(7, "y")])
    loaded = session.load(one)
    session.load(two)
    assert session.load(one) is loaded
    text = f"SELECT i.id, q.a FROM {loaded.instances} AS i CROSS JOIN LATERAL {loaded.relation('T', 'i.id')} AS q"
    assert session.query(text).to_pylist() == [{"id": 0, "a": 1}, {"id": 0, "a": 2}]
    replaced = session.load(_stack("one", [(5, "z")]))
    assert replaced.place != loaded.place
    session.unload("one")
    session.unload("one")
    with pytest.raises(SessionError, match="one"):
        session.loaded("one")
    assert session.loaded("two").stack is two


def test_a_broken_session_is_rebuilt_with_its_stacks() -> None:
    with Session() as made:
        made.load(_stack("one", [(1, "x")]))
        made._connection.close()
        made._rebuild()
        loaded = made.loaded("one")
        assert made.query(f"SELECT count(*) AS n FROM {loaded.place}.t0").to_pylist() == [{"n": 1}]


def test_every_duckdb_error_class_is_mapped_or_known_to_be_a_bug() -> None:
    import duckdb

    mapped = {kind for kind, _ in module._KINDS}
    # What these classes tell would be a fault of ours, or is raised by statements no translation makes.
    known = {
        *("Error", "DatabaseError", "DataError", "OperationalError", "IntegrityError", "InternalError"),
        *("ProgrammingError", "NotSupportedError", "HTTPException", "IOException", "PermissionException"),
        *("SequenceException", "SerializationException", "SyntaxException", "TransactionException"),
        *("ConnectionException", "ConstraintException", "DependencyException", "TypeMismatchException"),
        *("InvalidTypeException", "ResourceInUseException", "Warning"),
    }
    classes = [v for v in vars(duckdb).values() if isinstance(v, type) and issubclass(v, Exception)]
    assert {c.__name__ for c in classes if c not in mapped} <= known


def test_errors_survive_pickling() -> None:
    for kind in (DataError, QueryTimeout, TooLarge, Unsupported, module.Broken, module.OutOfMemory):
        assert str(pickle.loads(pickle.dumps(kind("why")))) == "why"


def test_nothing_is_spilled_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Session(memory_limit="100MB") as small, pytest.raises(OutOfMemory):
        small.query("SELECT DISTINCT range || repeat('x', 40) AS a FROM range(4000000)", timeout=60.0)
    assert list(tmp_path.iterdir()) == []
