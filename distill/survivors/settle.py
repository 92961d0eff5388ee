"""What becomes of a near-miss that no candidate instance separates from its gold: separated, equivalent or unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np

from distill.fuzz.policies import Policies
from distill.proof import prove
from distill.survivors.frame import Content, make_frame
from distill.survivors.judge import Judge
from distill.survivors.search import Budget, search
from testsuite.schema import Schema, Storage
from testsuite.score.run import ScoreOptions
from testsuite.suite import Row

State = Literal["separated", "equivalent", "unknown"]


@dataclass(frozen=True)
class Settled:
    """How one pair ended.

    Attributes:
        state: ``separated``: legal contents on which the answers differ are in ``instances``; ``equivalent``: a proof
            shows that no made instance can tell them apart, and the shipped content does not; ``unknown``: neither.
        rule: the name of the proof's rule, or "search: " and the strategy that found the contents; "" for unknown.
        instances: up to three contents by table name, each confirmed on SQLite, smallest first within a strategy.
    """

    state: State
    rule: str
    instances: tuple[Content, ...] = ()


def settle(
    gold_sql: str,
    neighbour_sql: str,
    schema: Schema,
    assumed: Schema,
    shipped_rows: Mapping[str, Sequence[Row]] | None,
    storage: Mapping[tuple[str, str], Storage],
    rng: np.random.Generator,
    policies: Policies,
    budget: Budget | None = None,
    now: datetime | None = None,
) -> Settled:
    """Prove a pair equivalent, or search for legal contents that separate it.

    Contents returned keep PRIMARY KEY, UNIQUE, NOT NULL, FOREIGN KEY and CHECK as generated instances do, hold NULL
    only where the policy lets them, and fit ``storage`` without dirty cells. The same arguments give the same result;
    time plays no part.

    Args:
        gold_sql: the gold, SQLite text that SQLite accepts.
        neighbour_sql: the near-miss, likewise.
        schema: as declared.
        assumed: ``distill.assumed.assumed_schema`` of it: what holds in the shipped and in every made instance.
        shipped_rows: the shipped content by table name; None where there is none.
        storage: what each column holds (``distill.fuzz.suite_storage``).
        rng: the only source of chance.
        policies: what made instances may hold.
        budget: how much the search may try, in counts; the default where None.
        now: the instant that date functions see; the one of scoring where None.
    """
    frame = make_frame(schema, shipped_rows, storage, policies)
    judge = Judge(frame, gold_sql, neighbour_sql, now or ScoreOptions().instant)
    rule = prove(gold_sql, neighbour_sql, assumed, frame.made_schema(), storage)
    if rule is not None and _alike_on_shipped(frame.shipped, judge):
        return Settled("equivalent", rule)
    strategy, found = search(frame, (gold_sql, neighbour_sql), judge, rng, budget or Budget())
    if found:
        return Settled("separated", f"search: {strategy}", tuple(found))
    return Settled("unknown", "")


def _alike_on_shipped(shipped: Mapping[str, Sequence[Row]], judge: Judge) -> bool:
    """Proofs speak of made instances; the shipped content, which may break keys, is simply asked."""
    return not shipped or not bool(judge.contents([shipped]).separated[0])
