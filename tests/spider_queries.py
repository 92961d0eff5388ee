"""Golds and model predictions of the Spider data, for differential tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def queries(root: Path, step: int) -> Iterator[tuple[str, list[str]]]:
    """All golds and every ``step``-th prediction of all models, once each, by database."""
    golds = [line.split("\t") for line in (root / "spider" / "dev_gold.sql").read_text().splitlines()]
    found: dict[str, dict[str, None]] = {}
    for sql, db_id in golds:
        found.setdefault(db_id.strip(), {})[sql] = None
    for file in sorted((root / "spider" / "predictions").glob("*.txt")):
        lines = file.read_text(errors="surrogateescape").split("\n")
        for number, (line, gold) in enumerate(zip(lines, golds, strict=False)):
            if number % step == 0:
                found[gold[1].strip()][line.split("\t")[0]] = None
    for db_id, texts in found.items():
        if (root / "spider" / "database" / db_id).is_dir():
            yield db_id, list(texts)
