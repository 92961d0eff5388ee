"""A sample of pairs that others labelled: those labelled different are refuted, and plain SQLite replays it."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import pytest
from data import data_root

from distill.counterexample import CounterexampleOptions, Finder
from testsuite.engine.session import Session

sys.path.insert(0, str(Path(__file__).parent))

from labelled_pairs import examine
from pair_files import read_pairs

EVERY = {"cosette": 1, "verieql-literature": 3, "llm-sql-solver": 14}


@pytest.fixture(scope="module")
def finder():
    with Session() as session:
        yield Finder(session, search=None)


def test_pairs_labelled_different_are_refuted(finder):
    root = data_root()
    outcomes = [
        examine(pair, finder, CounterexampleOptions(timeout=120.0), 0, False)
        for name, every in EVERY.items()
        for pair in [p for p in read_pairs(root, name) if p.equivalent is False][::every]
    ]
    runnable = [outcome for outcome in outcomes if outcome.runnable]
    refuted = [outcome for outcome in runnable if outcome.found is not None]
    assert len(runnable) >= 20
    assert len(refuted) >= 0.95 * len(runnable)
    assert sum(outcome.found.rows <= 4 for outcome in refuted) >= 0.5 * len(refuted)
    for outcome in refuted:
        with sqlite3.connect(":memory:") as connection:
            connection.executescript(outcome.found.script)
            a, b = (connection.execute(sql.strip().rstrip(";")).fetchall() for sql in outcome.sql)
            assert outcome.found.only_open or a != b


def test_pairs_labelled_equal_whose_label_holds_are_not(finder):
    """Of rewrites by the rules of an optimiser none may be refuted."""
    root = data_root()
    pairs = [p for p in read_pairs(root, "llm-sql-solver") if p.label == "equivalent"][1:100:9]
    outcomes = [examine(pair, finder, CounterexampleOptions(timeout=120.0, instances=120), 0, False) for pair in pairs]
    assert [outcome.pair.id for outcome in outcomes if outcome.found is not None] == []
    assert sum(outcome.runnable for outcome in outcomes) >= 5
