"""A tiny benchmark on disk, and the commands as a user starts them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from commands import command

from testsuite.schema import Affinity, Column, Schema, Table
from testsuite.suite import InstanceNote, Manifest, instance_id, save_suite, stack_rows

SCHEMA = Schema(
    "shop",
    (
        Table(
            "item",
            (
                Column("id", "INTEGER", Affinity.INTEGER, not_null=True),
                Column("name", "TEXT", Affinity.TEXT),
                Column("price", "INTEGER", Affinity.INTEGER),
            ),
            primary_key=("id",),
        ),
    ),
)
SHIPPED = {"item": [(1, "pen", 3), (2, "ink", 9), (3, "cup", 9)]}
ROWS = [SHIPPED, {"item": [(1, "pen", 5), (2, "Pen", 5), (3, None, None)]}, {"item": []}]
GOLDS = [
    "SELECT name FROM item WHERE price > 5",
    "SELECT count(*) FROM item",
    "SELECT name FROM item ORDER BY price DESC, id LIMIT 1",
    "SELECT name, price FROM item",
]
PREDICTIONS = [
    "SELECT name FROM item WHERE price >= 5",  # lucky: no item costs 5 on the shipped instance
    "SELECT count(price) FROM item",  # lucky: no NULL there
    "SELECT name FROM item ORDER BY price DESC, id ASC LIMIT 1",
    "SELECT price, name FROM item",
]


@dataclass(frozen=True)
class Bench:
    folder: Path
    gold: Path
    pred: Path
    suites: Path

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def score(self, *extra: object, gold: Path | None = None, pred: Path | None = None):
        """Run ``testsuite score``; the pieces that are not given are the good ones."""
        arguments = ["score", "--gold", gold or self.gold, "--pred", pred or self.pred, "--suite", self.suites]
        return command("testsuite", *arguments, *extra)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Three instances of one table, four golds, four predictions of which two pass by luck."""
    stack = stack_rows(SCHEMA, ROWS)
    notes = tuple(InstanceNote(instance_id(stack, n), "shipped" if n == 0 else "generated", 3, 1) for n in range(3))
    save_suite(tmp_path / "suites", stack, Manifest("shop", notes, seed=0))
    gold, pred = tmp_path / "gold.sql", tmp_path / "pred.txt"
    gold.write_text("".join(f"{sql}\tshop\n" for sql in GOLDS))
    pred.write_text("".join(f"{sql}\n" for sql in PREDICTIONS))
    return Bench(tmp_path, gold, pred, tmp_path / "suites")
