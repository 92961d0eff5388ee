"""Laws of the official metrics: writing a query otherwise does not change what is made of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from testsuite.official import (
    NotParsed,
    answers_equal,
    exact_match,
    hardness,
    parse_official,
    parse_prediction,
    read_official_tables,
)
from testsuite.official.answers import Row
from testsuite.official.plug import template
from testsuite.official.sqltokens import sql_tokens

TABLES = read_official_tables(
    {
        "db_id": "d",
        "table_names_original": ["t", "u"],
        "column_names_original": [[-1, "*"], [0, "a"], [0, "b"], [1, "c"], [1, "a"]],
        "foreign_keys": [[3, 1]],
    }
)
COLUMNS = st.sampled_from(["{t}.a", "{t}.b", "{u}.c", "{u}.a"])
VALUES = st.sampled_from(["1", "2.5", "'x y'", '"Z"'])


@st.composite
def queries(draw: st.DrawFn, depth: int = 1) -> str:
    """Queries the official parser takes; `{t}` and `{u}` stand for the tables' names in use."""
    items = draw(
        st.lists(st.one_of(COLUMNS, COLUMNS.map("max( {} )".format), st.just("count( * )")), min_size=1, max_size=3)
    )
    sql = f"SELECT {draw(st.sampled_from(['', 'DISTINCT ']))}{' , '.join(items)} FROM t AS {{t}} JOIN u AS {{u}}"
    if draw(st.booleans()):
        sql += f" ON {draw(COLUMNS)} = {draw(COLUMNS)}"
    conditions = draw(st.lists(st.tuples(COLUMNS, st.sampled_from(["=", "<", ">=", "!=", "LIKE"]), VALUES), max_size=3))
    if conditions:
        sql += " WHERE " + draw(st.sampled_from([" AND ", " OR "])).join(map(" ".join, conditions))
        if depth and draw(st.booleans()):
            sql += f" AND {draw(COLUMNS)} NOT IN ( {draw(queries(depth - 1))} )"
    if draw(st.booleans()):
        sql += f" GROUP BY {draw(COLUMNS)}" + draw(st.sampled_from(["", " HAVING count( * ) > 1"]))
    if draw(st.booleans()):
        sql += f" ORDER BY {draw(COLUMNS)}" + draw(st.sampled_from(["", " DESC", " ASC"]))
    if draw(st.booleans()):
        sql += " LIMIT 3"
    if depth and draw(st.booleans()):
        sql += f" {draw(st.sampled_from(['UNION', 'EXCEPT', 'INTERSECT']))} {draw(queries(depth - 1))}"
    return sql


@given(queries(), st.data())
def test_spelling_does_not_count(pattern: str, data: st.DataObject) -> None:
    sql = pattern.replace("{t}", "T1").replace("{u}", "T2")
    query = parse_official(sql, TABLES)
    other = pattern.replace("{t}", "first").replace("{u}", "Second")
    blanks = st.sampled_from([" ", "  ", " \t", "\n "])
    respelt = ""
    # Texts in quotes keep their case and blanks.
    for number, part in enumerate(other.replace("'", '"').split('"')):
        if number % 2:
            respelt += f"'{part}'"
        else:
            part = data.draw(st.sampled_from([part, part.upper(), part.lower()]))
            respelt += "".join(data.draw(blanks) if letter == " " else letter for letter in part)
    again = parse_official(respelt, TABLES)
    assert again == query
    assert exact_match(query, again, TABLES.key_columns).equal
    assert hardness(query) in ("easy", "medium", "hard", "extra")


WORDS = (
    "select from where group order by limit union having as on join ( ) , ; * = < >= ! not in like and or between "
    "t u t.a b u.c count max distinct 1 2.5 'x' \" desc - + /"
)
PIECES = st.lists(st.sampled_from(WORDS.split(" ")), max_size=25)


@given(st.one_of(PIECES.map(" ".join), PIECES.map("".join), st.text(max_size=40)))
def test_never_a_crash(text: str) -> None:
    parsed = parse_prediction(text, TABLES)
    gold = parse_official("SELECT a FROM t WHERE b = 1 AND a = 2", TABLES)
    assert isinstance(exact_match(gold, parsed or gold, TABLES.key_columns).equal, bool)
    if parsed is None:
        try:
            parse_official(text, TABLES)
        except NotParsed as error:
            assert str(error)
    else:
        assert exact_match(parsed, parsed, TABLES.key_columns).equal
        hardness(parsed)
    assert "".join(token.text for token in sql_tokens(text)) == text
    shape = template(text)
    assert shape.filled(("1",) * shape.slots).count("1") >= shape.slots


CELLS = st.one_of(st.none(), st.integers(0, 2), st.sampled_from(["a", "b", ""]))


@given(
    st.integers(1, 5).flatmap(lambda width: st.lists(st.tuples(*[CELLS] * width), min_size=1, max_size=6)),
    st.randoms(use_true_random=False),
)
def test_permuted_answers_are_equal(rows: list[Row], rng: object) -> None:
    order = list(range(len(rows[0])))
    rng.shuffle(order)  # type: ignore[attr-defined]
    permuted: list[Row] = [tuple(row[at] for at in order) for row in rows]
    assert answers_equal(rows, permuted, True)
    rng.shuffle(permuted)  # type: ignore[attr-defined]
    assert answers_equal(rows, permuted, False)
    assert answers_equal(permuted, rows, False)
    assert not answers_equal(rows, [*permuted, permuted[0]], False)
