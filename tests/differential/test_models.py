"""A sample of Spider's golds and models' predictions, stacked against SQLite. All of them: spider_models.py."""

from __future__ import annotations

from collections import Counter

import pytest
from data import data_root
from harness import Bench
from spider_models import golds_of, predictions_of, stacks_of

from testsuite.engine.session import Session

STRIDE = 5


@pytest.mark.parametrize("db_id", ["concert_singer", "pets_1", "employee_hire_evaluation", "tvshow"])
def test_golds_and_predictions_agree(db_id: str) -> None:
    data = data_root()
    golds = list(golds_of(data)[db_id])
    predictions = [sql for sql in predictions_of(data)[db_id] if sql not in golds]
    session = Session()
    for name, stack in stacks_of(data, db_id, golds, official=2, generated=4, seed=0):
        bench = Bench(stack, session)
        found = {sql: bench.check(sql) for sql in golds[::STRIDE] + predictions[::STRIDE]}
        bench.close()
        assert not {sql: f for sql, f in found.items() if f.state == "DISAGREE"}, name
        states = Counter(f.state for f in found.values())
        assert states["refused"] <= 0.05 * (len(found) - states["invalid"]), states
