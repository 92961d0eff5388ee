"""Dialogues, the JSON of Spider, SParC, CoSQL and BIRD, several accepted golds: what is read, and what errors say."""

from __future__ import annotations

import json

import pytest

from testsuite.errors import InputError
from testsuite.score.files import read_gold, read_pairs, read_predictions
from testsuite.score.files.lines import joined_comparisons

SEPARATOR = "\t----- bird -----\t"
DIALOGUE = "S1\td\nS2\td\n\nS3\td\n"


def put(folder, name, content):
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_blank_lines_part_interactions_where_there_are_several(tmp_path):
    golds = read_gold(put(tmp_path, "g.sql", "\n" + DIALOGUE.replace("\n\n", "\n\n \n") + "\n\n"))
    assert [(g.id, g.interaction, g.turn) for g in golds] == [("0", 0, 1), ("1", 0, 2), ("2", 1, 1)]
    single = read_gold(put(tmp_path, "one.sql", "S1\td\nS2\td\n\n"))
    assert [(g.interaction, g.turn) for g in single] == [(None, None)] * 2


@pytest.mark.parametrize(
    ("predictions", "read"),
    [
        ("P1\nP2\n\nP3\n", ["P1", "P2", "P3"]),
        ("P1\nP2\n\n\nP3", ["P1", "P2", "P3"]),
        ("\n\nP1\nP2\n\nP3\n", ["P1", "P2", "P3"]),
        ("P1\n\n\nP3\n", ["P1", "", "P3"]),
        ("P1\nP2\n\n\n", ["P1", "P2", ""]),
        ("P1\nP2\nP3\n", ["P1", "P2", "P3"]),
        ("P1\r\nP2\td\r\n\r\nP3\r\n", ["P1", "P2", "P3"]),
    ],
)
def test_predictions_of_dialogues(tmp_path, predictions, read):
    gold = put(tmp_path, "g.sql", DIALOGUE)
    prediction = tmp_path / "p.txt"
    prediction.write_bytes(predictions.encode())
    assert [p.sql for p in read_predictions(prediction, read_gold(gold))] == read


@pytest.mark.parametrize(
    ("predictions", "said"),
    [
        ("P1\n\nP2\nP3\n", ["p.txt:1: interaction 1 has 1 predictions", "2 golds", "g.sql:1"]),
        ("P1\nP2\n\nP3\nP4\n", ["p.txt:4: interaction 2 has 2 predictions", "1 golds", "g.sql:4"]),
        ("P1\nP2\n\nP3\n\nP4\n", ["p.txt:6: interaction 3 starts here", "g.sql:4"]),
        ("P1\nP2\n", ["p.txt:2: interaction 2 has 0 predictions", "g.sql:4"]),
    ],
)
def test_dialogues_that_do_not_line_up(tmp_path, predictions, said):
    gold, prediction = put(tmp_path, "g.sql", DIALOGUE), put(tmp_path, "p.txt", predictions)
    with pytest.raises(InputError) as error:
        read_pairs(gold, prediction)
    for words in said:
        assert words in str(error.value)


def test_tabs(tmp_path):
    gold = put(tmp_path, "g.sql", "SELECT\ta FROM t\td\n")
    golds = read_gold(gold)
    assert golds[0].sql == "SELECT\ta FROM t"

    def read(text, **options):
        return read_predictions(put(tmp_path, "p.txt", text), golds, **options)[0].sql

    assert read("SELECT a\td\t0.5\n") == "SELECT a"
    assert read("SELECT\ta FROM t\n") == "SELECT\ta FROM t"
    assert read("SELECT\ta FROM t\td\n") == "SELECT\ta FROM t"
    assert read("SELECT\ta FROM t\n", first_field=True) == "SELECT"
    with pytest.raises(InputError, match="for database 'other'"):
        read("SELECT a\tother\n")


def test_spider_and_dialogue_json(tmp_path):
    spider = put(tmp_path, "dev.json", [{"db_id": "d", "query": "S1", "sql": {"select": []}, "question": "?"}] * 2)
    assert [(g.id, g.db_id, g.sql, g.turn) for g in read_gold(spider)] == [
        ("0", "d", "S1", None),
        ("1", "d", "S1", None),
    ]
    turns = [{"query": "S1", "utterance": "?"}, {"query": "S2\n"}]
    talk = put(tmp_path, "talk.json", [{"database_id": "d", "interaction": turns}] * 2)
    assert [(g.id, g.sql, g.interaction, g.turn) for g in read_gold(talk)] == [
        ("0", "S1", 0, 1),
        ("1", "S2", 0, 2),
        ("2", "S1", 1, 1),
        ("3", "S2", 1, 2),
    ]
    pairs = read_pairs(talk, put(tmp_path, "p.txt", "A\nB\n\nC\nD\n"))
    assert [(i.prediction, i.interaction, i.turn) for i in pairs.items][2] == ("C", 1, 1)
    assert not pairs.bird
    with pytest.raises(InputError, match=r"p\.txt:1: interaction 1 has 3 .* entry 0, turn 1"):
        read_pairs(talk, put(tmp_path, "p.txt", "A\nB\nC\n\nD\n"))


BIRD = [
    {"question_id": 7, "db_id": "d", "SQL": "S7", "difficulty": "simple", "evidence": ""},
    {"question_id": 9, "db_id": "e", "SQL": "S9", "difficulty": "challenging"},
]


@pytest.mark.parametrize("keys", [("7", "9"), ("0", "1")], ids=["by id", "by place"])
@pytest.mark.parametrize("lines", [False, True], ids=["list", "jsonl"])
def test_bird(tmp_path, keys, lines):
    gold = put(tmp_path, "dev.json", "\n".join(map(json.dumps, BIRD)) if lines else BIRD)
    pred = put(tmp_path, "p.json", {keys[1]: f"P9\n{SEPARATOR}e", keys[0]: f"P7 'a\tb'{SEPARATOR}d"})
    pairs = read_pairs(gold, pred)
    assert pairs.bird
    assert [(i.id, i.prediction, i.difficulty) for i in pairs.items] == [
        ("7", "P7 'a\tb'", "simple"),
        ("9", "P9", "challenging"),
    ]


@pytest.mark.parametrize(
    ("predictions", "said"),
    [
        ({"7": "P7", "9": f"P9{SEPARATOR}e"}, "question 7: expected SQL, .* and a db_id"),
        ({"7": 3, "9": f"P9{SEPARATOR}e"}, "question 7: the prediction is int, not text"),
        ({"7": f"P7{SEPARATOR}d"}, "1 of 2 golds have no prediction, the first is id '9'"),
        ({"7": f"P7{SEPARATOR}d", "9": f"P{SEPARATOR}e", "8": f"P{SEPARATOR}e"}, "id '8' is not among the golds"),
        ({"7": f"P7{SEPARATOR}e", "9": f"P9{SEPARATOR}e"}, "for database 'e', its gold .*entry 0.* for 'd'"),
        ('{"7": "a", "7": "b"}', "'7' stands twice"),
        ('{"7": "a",\n', "not a JSON object"),
        ("", "expected a JSON list|not JSON"),
    ],
)
def test_bad_bird_predictions(tmp_path, predictions, said):
    with pytest.raises(InputError, match=said):
        read_pairs(put(tmp_path, "dev.json", BIRD), put(tmp_path, "p.json", predictions))


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([{"db_id": "d"}], "entry 0: expected"),
        ([3], "entry 0: expected"),
        ([{"db_id": "d", "query": None}], "'0' must be text"),
        ([{"id": 1, "db_id": 3, "sql": "S"}], "db_id of item '1' is not text"),
        ([{"id": 1, "db_id": "d", "sql": []}], "must be text, or a list"),
        ([{"id": 1, "sql": "S"}], "gold '1' has no db_id"),
        (
            [{"id": 1, "db_id": "d", "sql": "S"}, {"id": "1", "db_id": "d", "sql": "S"}],
            "entry 1: id '1' stands already",
        ),
        ([{"database_id": "d", "interaction": [{}]}], "entry 0, turn 1: expected"),
        ([{"database_id": "d", "interaction": []}], "without turns"),
        ([], "holds no gold"),
        ("[\n{]", "dev.json:2: not JSON"),
        ({"0": "S\t----- bird -----\td"}, "holds predictions in BIRD's form"),
    ],
)
def test_bad_json_golds(tmp_path, entries, said):
    with pytest.raises(InputError, match=said):
        read_gold(put(tmp_path, "dev.json", entries))


def test_several_golds(tmp_path):
    rows = [{"id": 1, "db_id": "d", "sql": ["S1", "S2", "S2"]}, {"id": 2, "db_id": "d", "golds": ["S3"]}]
    gold = put(tmp_path, "g.jsonl", "\n".join(map(json.dumps, rows)))
    pred = put(tmp_path, "p.jsonl", '{"id": 2, "sql": "P2"}\n{"id": 1, "sql": "P1"}\n')
    found = read_pairs(gold, pred).items
    assert [(i.gold, i.accepted, i.prediction) for i in found] == [("S1", ("S2",), "P1"), ("S3", (), "P2")]
    with pytest.raises(InputError, match="several predictions for item '1'"):
        read_pairs(gold, put(tmp_path, "q.jsonl", '{"id": 2, "sql": "P"}\n{"id": 1, "sql": ["P", "Q"]}\n'))


def test_comparisons_written_apart_are_joined_where_the_gold_has_them(tmp_path):
    assert joined_comparisons("a > = 1 AND b !  = '< =' AND c = d") == "a >= 1 AND b != '< =' AND c = d"
    pairs = read_pairs(put(tmp_path, "g.sql", "a > = 1\td\na >= 1\td\n"), put(tmp_path, "p.txt", "a > = 1\n" * 2))
    assert [(i.gold, i.prediction, i.gold_joined) for i in pairs.items] == [
        ("a >= 1", "a >= 1", True),
        ("a >= 1", "a > = 1", False),
    ]
