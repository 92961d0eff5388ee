"""Execution verdicts equal the published script's: on a sample, or on all with TESTSUITE_OFFICIAL_PARITY=all."""

from __future__ import annotations

import os

import pytest
from data import data_root
from official_parity import EXECUTED, models, rows

EVERY = 1 if os.environ.get("TESTSUITE_OFFICIAL_PARITY") == "all" else 4


def test_verdicts() -> None:
    root = data_root()
    names = models(root)
    if not names:
        pytest.skip("needs official_parity/verdicts beside the Spider data")
    found = [row for model in names for row in rows(root, model, EXECUTED, EVERY)]
    assert {row.measure for row in found} == set(EXECUTED)
    assert len(found) > 20_000 / EVERY
    assert [row for row in found if row.published != row.ours] == []
