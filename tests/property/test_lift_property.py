"""On random small tables, SQLite's own rows are an admissible answer of the lifted query, whatever is sorted by."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from testsuite.engine.referee import Referee
from testsuite.query.lift import NotLiftable, lift
from testsuite.query.parse import parse
from testsuite.schema.sql_text import read_sql_schema
from testsuite.suite.stack import stack_rows

SCHEMA = read_sql_schema("CREATE TABLE t (a INTEGER, b TEXT, c REAL); CREATE TABLE u (a INTEGER, d TEXT);", "tiny")
A = st.sampled_from([None, 0, 1, 2])
B = st.sampled_from([None, "", "A", "a", "b", "B", "1"])
C = st.sampled_from([None, 0.5, -1.5])
CONTENT = st.fixed_dictionaries(
    {"t": st.lists(st.tuples(A, B, C), max_size=6), "u": st.lists(st.tuples(A, B), max_size=4)}
)
# Select lists with the sort terms that make sense for each (SQLite rejects the others).
ANY = [
    "1",
    "a",
    "b",
    "c",
    "a + c",
    "-a",
    "b COLLATE NOCASE",
    "(SELECT COUNT(*) FROM u WHERE u.a = t.a)",
    "CASE WHEN a > 0 THEN b ELSE c END",
    "length(b)",
    "2.5",
    "NULL",
    "'a'",
    '"zz"',
    "t.a",
    "a IS NULL",
]
CORES = [
    ("SELECT a, b FROM t", [*ANY, "2"]),
    ("SELECT * FROM t", [*ANY, "3"]),
    ("SELECT t.*, a AS c FROM t", [*ANY, "4", "c + 1"]),
    ("SELECT a AS c, * FROM t", [*ANY, "4"]),
    ("SELECT * FROM t JOIN u ON t.a <> u.a", ["a", "t.a", "u.a", "4", "d", "b"]),
    ("SELECT * FROM t JOIN u USING (a)", ["a", "t.a", "u.a", "d", "b"]),
    ("SELECT * FROM t LEFT JOIN u USING (a)", ["a", "t.a", "u.a", "d", "b"]),
    ("SELECT *, a AS d FROM t NATURAL JOIN u", ["d", "a", "b"]),
    ("SELECT a AS b, * FROM t UNION ALL SELECT 1, 2, 'x', 4", ["b", "a", "c", "2", "4"]),
    ("SELECT *, a AS b FROM t UNION ALL SELECT 1, 2, 'x', 4", ["b", "a", "c", "t.b"]),
    ("SELECT b AS a, a AS b FROM t", [*ANY, "2", "a || 'x'"]),
    ("SELECT -a AS z, b FROM t", [*ANY, "z", "z + 1", "z * a"]),
    ("SELECT DISTINCT a, b FROM t", ["1", "a", "b", "a + 1", "2 COLLATE NOCASE", "b COLLATE NOCASE"]),
    ("SELECT DISTINCT a AS k FROM t", ["1", "k", "-k", "a"]),
    ("SELECT DISTINCT a FROM t GROUP BY a", ["COUNT(*)", "a", "MAX(c)"]),
    ("SELECT a, COUNT(*) AS n FROM t GROUP BY a", ["n", "2", "COUNT(*)", "SUM(c)", "n + a", "MAX(b)", "a"]),
    ("SELECT t.a, d FROM t JOIN u ON t.a = u.a", ["t.a", "1", "u.d", "d", "u.a + 1", "b"]),
    ("SELECT a FROM t UNION SELECT a FROM u", ["1", "a", "t.a"]),
    ("SELECT a, b FROM t UNION ALL SELECT * FROM u", ["1", "2", "a", "b", "d"]),
    ("SELECT a AS x FROM t EXCEPT SELECT a AS y FROM u", ["x", "y", "1"]),
    ("SELECT a + 1 FROM t INTERSECT SELECT a FROM u", ["a + 1", "1"]),
    ("SELECT a FROM t UNION SELECT a FROM u EXCEPT SELECT 1", ["1", "a"]),
    ("WITH w AS (SELECT a AS k, b FROM t) SELECT k, b FROM w", ["k", "2", "b, k"]),
    ("WITH w(p, q) AS (SELECT a, b FROM t) SELECT * FROM w UNION SELECT a, d FROM u", ["p", "q", "1", "d"]),
    ("SELECT a, rank() OVER (ORDER BY c) AS r FROM t", ["r", "r DESC, a", "2", "row_number() OVER (ORDER BY r, b, c)"]),
    ("SELECT x.a FROM (SELECT a, b AS k FROM t) AS x", ["k", "x.k", "a", "1"]),
]
DIRECTIONS = st.sampled_from(["", " ASC", " DESC", " DESC NULLS FIRST", " ASC NULLS LAST", " NULLS FIRST"])
CUTS = st.sampled_from(["", " LIMIT 1", " LIMIT 2 OFFSET 1", " LIMIT 1, 2", " LIMIT -1", " LIMIT 1 + 1", " LIMIT 0"])


@st.composite
def queries(draw: st.DrawFn) -> str:
    core, terms = draw(st.sampled_from(CORES))
    chosen = draw(st.lists(st.sampled_from(terms), max_size=2))
    order = ", ".join(term + draw(DIRECTIONS) for term in chosen)
    return core + (f" ORDER BY {order}" if order else "") + draw(CUTS)


@settings(max_examples=600, deadline=None)
@given(sql=queries(), content=CONTENT)
def test_own_rows_are_admissible(sql: str, content: dict[str, list[tuple[object, ...]]]) -> None:
    referee = Referee(stack_rows(SCHEMA, [content]))  # type: ignore[list-item]
    if referee.valid(sql) is None:
        referee.answer(sql)
        assert referee.mismatches == [], sql
    referee.close()


def test_every_shape_term_and_direction() -> None:
    rng = np.random.default_rng(7)

    def pick(values: list[object]) -> object:
        return values[int(rng.integers(len(values)))]

    numbers: list[object] = [None, 0, 1, 2]
    words: list[object] = [None, "", "A", "a", "b", "B", "1"]
    contents = [
        {
            "t": [(pick(numbers), pick(words), pick([None, 0.5, -1.5])) for _ in range(rows)],
            "u": [(pick(numbers), pick(words)) for _ in range(rows // 2)],
        }
        for rows in (0, 3, 5, 7, 9)
    ]
    referee = Referee(stack_rows(SCHEMA, contents))  # type: ignore[arg-type]
    tried = 0
    for core, terms in CORES:
        for term in terms:
            for direction in ("", " DESC", " DESC NULLS FIRST", " NULLS LAST"):
                sql = f"{core} ORDER BY {term}{direction}"
                if referee.valid(sql) is None:
                    tried += 1
                    referee.answer(sql)
    assert referee.mismatches == []
    assert tried > 500


def test_all_these_shapes_are_lifted() -> None:
    referee = Referee(stack_rows(SCHEMA, []))
    refused = []
    for core, terms in CORES:
        for term in terms:
            sql = f"{core} ORDER BY {term} LIMIT 1"
            if referee.valid(sql) is not None:
                continue
            try:
                lift(parse(sql), SCHEMA)
            except NotLiftable:
                refused.append(sql)
    # A set operation with a star and two columns of one name.
    assert [sql for sql in refused if "UNION ALL SELECT 1, 2" not in sql] == []
    assert len(refused) <= 5
