"""Gold and prediction files: what is read, and what each bad file is told."""

from pathlib import Path

import pytest

from testsuite.errors import InputError
from testsuite.score.files import read_gold, read_items, read_predictions


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_spider_text(tmp_path):
    gold = write(tmp_path / "gold.sql", "SELECT 1\tdb\n\nSELECT 2\tdb\n")
    pred = write(tmp_path / "pred.txt", "SELECT 3\n\nSELECT 4\tdb\n")
    items = read_items(gold, pred)
    assert [(i.id, i.db_id, i.gold, i.prediction) for i in items] == [
        ("0", "db", "SELECT 1", "SELECT 3"),
        ("1", "db", "SELECT 2", "SELECT 4"),
    ]
    assert items[1].line == f"{pred}:3"


def test_an_empty_line_is_an_empty_prediction(tmp_path):
    gold = write(tmp_path / "gold.sql", "SELECT 1\tdb\nSELECT 2\tdb\n")
    pred = write(tmp_path / "pred.txt", "\nSELECT 4\n")
    assert [i.prediction for i in read_items(gold, pred)] == ["", "SELECT 4"]


def test_bom_and_crlf(tmp_path):
    gold = write(tmp_path / "gold.sql", b"\xef\xbb\xbfSELECT 1\tdb\r\n")
    pred = write(tmp_path / "pred.txt", b"SELECT 1\r\n")
    assert read_items(gold, pred)[0].gold == "SELECT 1"


def test_jsonl_is_matched_by_id(tmp_path):
    gold = write(tmp_path / "g.jsonl", '{"id": "a", "db_id": "d", "sql": "S1"}\n{"id": 2, "db_id": "d", "sql": "S2"}\n')
    pred = write(tmp_path / "p.jsonl", '{"id": 2, "sql": "P2\\n-- two lines"}\n{"id": "a", "sql": "P1"}\n')
    assert [(i.id, i.prediction) for i in read_items(gold, pred)] == [("a", "P1"), ("2", "P2\n-- two lines")]


@pytest.mark.parametrize(
    ("gold", "pred", "said"),
    [
        ("SELECT 1 db\n", "SELECT 1\n", "gold.sql:1: expected SQL<TAB>db_id, found no tab"),
        ("SELECT 1\tdb\n\tdb\n", "x\ny\n", "gold.sql:2: expected SQL<TAB>db_id, one of them is empty"),
        ("SELECT 1\tdb\nSELECT 2\tdb\n", "SELECT 1\n", "1 lines (1 not blank) for 2 golds"),
        ("SELECT 1\tdb\n", "SELECT 1\nSELECT 2\n", "2 lines (2 not blank) for 1 golds"),
        ("SELECT 1\tdb\n", "SELECT 1\tother\n", "pred.txt:1: the prediction is for database 'other'"),
        ("", "SELECT 1\n", "holds no gold"),
        ('{"id": 1, "db_id": "d", "sql": "S"}\n', "{}\n", 'pred.txt:1: expected {"id"'),
        ('{"id": 1, "db_id": "d", "sql": "S"}\n', "{\n", "pred.txt:1: not a JSON object"),
        ('{"id": 1, "db_id": "d", "sql": "S"}\n', '{"id": 2, "sql": "S"}\n', "1 of 1 golds have no prediction"),
        (
            '{"id": 1, "db_id": "d", "sql": "S"}\n',
            '{"id": 1, "sql": "S"}\n{"id": 1, "sql": "S"}\n',
            "pred.txt:1; ids must be unique",
        ),
    ],
)
def test_bad_files_are_told_where_and_what(tmp_path, gold, pred, said):
    g, p = write(tmp_path / "gold.sql", gold), write(tmp_path / "pred.txt", pred)
    with pytest.raises(InputError) as error:
        read_items(g, p)
    assert said in str(error.value)


def test_missing_and_undecodable_files(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_gold(tmp_path / "absent.sql")
    broken = write(tmp_path / "gold.sql", b"SELECT 1\tdb\nSELECT '\xff'\tdb\n")
    with pytest.raises(InputError, match=r"gold\.sql:2: not UTF-8"):
        read_gold(broken)


def test_predictions_keep_the_order_of_golds(tmp_path):
    gold = write(tmp_path / "gold.sql", "".join(f"SELECT {i}\tdb\n" for i in range(20)))
    pred = write(tmp_path / "pred.txt", "".join(f"SELECT {i}\n" for i in range(20)))
    golds = read_gold(gold)
    assert [line.sql for line in read_predictions(pred, golds)] == [line.sql for line in golds]
