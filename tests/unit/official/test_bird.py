"""BIRD's execution accuracy and soft F1: figures worked out by hand."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from testsuite.official import ReadOnlyFiles, bird_ex, bird_scores, bird_soft_f1


@pytest.mark.parametrize(
    ("prediction", "gold", "equal"),
    [
        ([(1,), (2,), (2,)], [(2,), (1,)], True),
        ([(1, 2)], [(2, 1)], False),
        ([(1,)], [(1.0,)], True),
        ([], [], True),
        ([("1",)], [(1,)], False),
    ],
)
def test_ex(prediction, gold, equal):
    assert bird_ex(prediction, gold) is equal


# The cells right, surplus and missing of each pair of rows, in words, and the F1 of their sums.
@pytest.mark.parametrize(
    ("prediction", "gold", "f1"),
    [
        ([], [], 1.0),
        ([], [(1,)], 0.0),
        ([(1,)], [], 0.0),
        ([(1, 2)], [(2, 1)], 1.0),  # places in a row do not count
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)], 1.0),  # repeated rows are dropped
        ([(2,), (1,)], [(1,), (2,)], 0.0),  # rows are held against each other by place
        ([(1, 9)], [(1, 2)], 0.5),  # 1/2 right, 1/2 surplus, 1/2 missing
        ([(1, 2, 3)], [(1, 2)], 0.8),  # 1 right, 1/2 surplus: precision 2/3, recall 1
        ([(1,)], [(1, 2)], 2 / 3),  # 1/2 right, 1/2 missing: precision 1, recall 1/2
        ([(1,), (2,)], [(1,)], 2 / 3),  # a row too many: precision 1/2
        ([(1,)], [(1,), (2,), (3,)], 0.5),  # two rows missing: recall 1/3
        ([(1, 1)], [(1, 2)], 0.8),  # a cell counts as often as it stands: 1 right, 1/2 missing: recall 2/3
    ],
)
def test_soft_f1(prediction, gold, f1):
    assert bird_soft_f1(prediction, gold) == pytest.approx(f1)


def test_queries_that_fail(tmp_path):
    path = tmp_path / "d.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("INSERT INTO t VALUES (1), (2), (CAST(x'ff' AS TEXT))")
        connection.commit()
    slow = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
    good = "SELECT a FROM t WHERE typeof(a) = 'integer'"
    with ReadOnlyFiles(strict_text=True) as files:

        def scores(gold, prediction, timeout=5.0):
            found = bird_scores(path, gold, prediction, files, timeout)
            return found.ex, found.soft_f1, found.gold_failed

        assert scores(good, good) == (True, 1.0, False)
        assert scores(good, "SELECT b FROM t") == (False, 0.0, False)
        assert scores(good, "SELECT a FROM t") == (False, 0.0, False)  # text that is not UTF-8 is an error there
        assert scores("SELECT b FROM t", good) == (False, 0.0, True)
        assert scores(good, slow, 0.2) == (False, 0.0, False)
