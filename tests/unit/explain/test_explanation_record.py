"""causes.jsonl read back, and two texts with their differing words."""

from __future__ import annotations

import pytest

from testsuite.errors import InputError
from testsuite.explain import Explanation, FoundCause, ShownAnswer, ShownExample, load_causes, save_causes
from testsuite.explain.tokens import marked

ANSWER = ShownAnswer(("a", "b"), ((1, None), ("x", 2.5)))
FOUND = [
    Explanation(
        "7",
        "yard",
        True,
        (FoundCause("boundary", True, "SELECT 1"), FoundCause("literal", True, "SELECT 1")),
        ShownExample("CREATE TABLE t (a);\n", 0, "i03", ANSWER, ShownAnswer((), (), "no"), True),
        ("i03", "i04"),
        9,
    ),
    Explanation("8", "yard", False, (FoundCause("invalid_sql", True, None),), None),
]


def test_what_is_written_is_read_back(tmp_path):
    assert save_causes(tmp_path, FOUND).name == "causes.jsonl"
    assert list(load_causes(tmp_path).values()) == FOUND
    assert FOUND[0].confirmed


@pytest.mark.parametrize("line", ["{}", "[1]", "not json", '{"id": "7", "causes": 1}', "null"])
def test_damaged_lines_are_named(tmp_path, line):
    path = save_causes(tmp_path, FOUND)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(InputError, match=r"causes\.jsonl:3: not an explanation"):
        load_causes(tmp_path)


def test_words_that_differ():
    gold, prediction = marked("SELECT a FROM t WHERE b >= 'x y'", "select  a from t where b > 'x y' LIMIT 1")
    assert "".join(piece for piece, _ in prediction) == "select  a from t where b > 'x y' LIMIT 1"
    assert [piece for piece, differs in gold if differs] == [">="]
    assert [piece for piece, differs in prediction if differs] == [">", "LIMIT", "1"]
