"""Where the optional data sets are; the one place that knows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
VARIABLE = "TESTSUITE_SPIDER_DATA"


def data_root() -> Path:
    """The folder that holds spider/, sparc/ ... (see tests/README.md); skips the test where there is none."""
    given = os.environ.get(VARIABLE)
    places = [Path(given)] if given else [ROOT / "shared" / "data", ROOT.parent / "shared" / "data"]
    for place in places:
        if (place / "spider" / "tables.json").is_file():
            return place
    pytest.skip(f"needs the Spider data: set {VARIABLE} to the folder that holds spider/")


def spider_data() -> Path:
    """The folder with Spider's tables.json, dev_gold.sql and database/; skips the test where there is none."""
    return data_root() / "spider"
