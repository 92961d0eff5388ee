"""Words: what the Treebank rules make of SQL."""

from __future__ import annotations

import pytest

from testsuite.official.errors import NotParsed
from testsuite.official.words import words


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT count(*) FROM T", ["select", "count", "(", "*", ")", "from", "t"]),
        ("a >= 1", ["a", ">=", "1"]),
        ("a > = 1", ["a", ">=", "1"]),
        ("a != 1", ["a", "!=", "1"]),
        # Not cut: the rules do not know `=`.
        ("a=1", ["a=1"]),
        ("a>=1", ["a", ">", "=1"]),
        ("a <> 1", ["a", "<", ">", "1"]),
        ("a,b", ["a", ",", "b"]),
        ("1,2", ["1,2"]),
        ("a.b", ["a.b"]),
        ("T1.*", ["t1.", "*"]),
        ("x = 2.5", ["x", "=", "2.5"]),
        ("a = 1.", ["a", "=", "1", "."]),
        ("a = 1 ;", ["a", "=", "1", ";"]),
        ("cannot", ["can", "not"]),
        ("a -- b", ["a", "--", "b"]),
        ("`a`", ["`", "a", "`"]),
        ("```", ["``", "`"]),
        ("name = 'New York'", ["name", "=", '"New York"']),
        ('name = "a, (b)"', ["name", "=", '"a, (b)"']),
        ("name IN('A','b')", ["name", "in", "(", '"A"', ",", '"b"', ")"]),
    ],
)
def test_words(sql: str, expected: list[str]) -> None:
    assert words(sql) == expected


def test_a_literal_glued_to_its_neighbour_is_lost() -> None:
    found = words("name='x'")
    assert len(found) == 1
    assert '"' not in found[0]


def test_odd_number_of_quotation_marks() -> None:
    with pytest.raises(NotParsed, match="odd number"):
        words("name = 'it's'")
