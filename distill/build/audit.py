"""Every gold on every kept instance on both engines."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from testsuite.compare import Policy, compare_open
from testsuite.engine.evaluate import Evaluator

log = logging.getLogger(__name__)

_SECONDS = 120.0
_STRICT = Policy(columns="strict")


@dataclass(frozen=True)
class GoldAudit:
    """One gold on the kept instances: where its answer is open, where it says something, and how it runs."""

    undetermined: int
    informative: int
    path: str
    reason: str


@dataclass(frozen=True)
class Audit:
    """What running all golds twice found; ``tally`` counts golds, answers, disagreements and answers open by ties."""

    golds: tuple[GoldAudit, ...]
    tally: Mapping[str, int]


def audit(evaluator: Evaluator, golds: Sequence[str]) -> Audit:
    """Run every gold on every instance of ``evaluator`` on both engines and count where they differ."""
    every = list(range(evaluator.stack.count))
    tally: Counter[str] = Counter(golds=len(golds), cells=0, disagreements=0, tie_dependent=0)
    seen_golds = []
    for gold in golds:
        fast = evaluator.answers(gold, timeout=_SECONDS)
        slow = evaluator.sqlite_answers(gold, every, _SECONDS)
        seen = compare_open(slow.low, None, fast.low, None, _STRICT)
        itself = compare_open(fast.low, fast.high, fast.low, fast.high, _STRICT)
        wrong = ~seen.equal & seen.usable
        tally["cells"] += len(every)
        tally["disagreements"] += int((wrong & itself.usable).sum())
        tally["tie_dependent"] += int((wrong & ~itself.usable).sum())
        path = "sqlite" if bool((fast.path == 2).all()) else "stacked"
        informative = int((itself.usable & itself.informative).sum())
        seen_golds.append(GoldAudit(int((~itself.usable).sum()), informative, path, fast.reason))
        if bool((wrong & itself.usable).any()):
            log.error("%s: engines disagree on gold %s", evaluator.stack.schema.db_id, gold)
    return Audit(tuple(seen_golds), dict(tally))
