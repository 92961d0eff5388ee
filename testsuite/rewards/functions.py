"""Verdicts as numbers, and the call signatures of trainers.

Guards: a query that SQLite refuses, that fails everywhere, takes too long or answers too much gets 0. Agreement where
the gold's answer is empty earns nothing, so that a query which never returns a row cannot live on empty golds; a pass
without one informative instance is no evidence and counts as undetermined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from testsuite.errors import InputError
from testsuite.records import WRONG_FATES, ItemResult
from testsuite.rewards.extract import extract_sql
from testsuite.scorer import Scorer

Completion = str | Sequence[Mapping[str, object]]
"""A completion as text, or as chat messages of which the last is the answer."""


def reward_of(result: ItemResult, share: bool, undetermined: float | None) -> float | None:
    """The reward of one record.

    Args:
        share: partial credit for a wrong query: of the instances that are informative or show a difference, the share
            on which the gold's answer is informative and the prediction's equals it; below 1 for any wrong query.
        undetermined: returned where there is no verdict (the gold's answer is open, the gold fails, no suite), and
            for a pass that no informative instance bears out.
    """
    if result.fate in WRONG_FATES:
        return 0.0
    verdict = result.test_suite
    if verdict is None or (verdict and not result.informative):
        return undetermined
    if verdict:
        return 1.0
    if not share or not result.telling or result.agreed is None:
        return 0.0
    return result.agreed / result.telling


def exact(
    scorer: Scorer,
    completions: Sequence[Completion],
    golds: Sequence[str],
    db_ids: Sequence[str],
    undetermined: float | None = 0.0,
    extract: Callable[[str], str] = extract_sql,
) -> list[float | None]:
    """1.0 or 0.0 per completion.

    Args:
        completions: what the model wrote.
        golds: the gold of each.
        db_ids: the database of each.
        undetermined: as in ``reward_of``; some trainers take None as "do not count this one".
        extract: finds the query in a completion.

    Raises:
        InputError: the lists differ in length, or a completion is neither text nor messages.
    """
    return _rewards(scorer, completions, golds, db_ids, False, undetermined, extract)


def partial(
    scorer: Scorer,
    completions: Sequence[Completion],
    golds: Sequence[str],
    db_ids: Sequence[str],
    undetermined: float | None = 0.0,
    extract: Callable[[str], str] = extract_sql,
) -> list[float | None]:
    """1.0 for a right query; for a wrong one the share of instances on which it agrees. As ``exact`` otherwise."""
    return _rewards(scorer, completions, golds, db_ids, True, undetermined, extract)


@dataclass(frozen=True)
class Reward:
    """A reward function in the form that trainers call.

    ``TRL``: pass it in ``reward_funcs``; columns of the data set arrive as keyword arguments. ``verl``: give
    ``reward.compute_score`` as the custom reward function.

    Args:
        scorer: open for as long as the training runs.
        share: partial credit.
        undetermined: as in ``reward_of``.
        gold: column with golds.
        db_id: column with databases.
        extract: finds the query in a completion.
    """

    scorer: Scorer
    share: bool = False
    undetermined: float | None = 0.0
    gold: str = "gold"
    db_id: str = "db_id"
    extract: Callable[[str], str] = extract_sql

    @property
    def __name__(self) -> str:
        # Trainers log rewards under this name.
        return "suite_partial" if self.share else "suite_exact"

    def __call__(
        self, completions: Sequence[Completion], prompts: object = None, **columns: Sequence[str]
    ) -> list[float | None]:
        """A reward per completion. InputError where a column is missing."""
        for name in (self.gold, self.db_id):
            if name not in columns:
                known = ", ".join(sorted(columns)) or "none"
                raise InputError(f"the reward needs a column {name!r}; the data set gives {known}")
        golds, db_ids = columns[self.gold], columns[self.db_id]
        return _rewards(self.scorer, completions, golds, db_ids, self.share, self.undetermined, self.extract)

    def compute_score(
        self, data_source: str, solution_str: str, ground_truth: str, extra_info: Mapping[str, object] | None = None
    ) -> float:
        """The reward of one completion; the database is ``extra_info[db_id]``, else ``data_source``."""
        db_id = str((extra_info or {}).get(self.db_id, data_source))
        found = self(completions=[solution_str], **{self.gold: [ground_truth], self.db_id: [db_id]})[0]
        return 0.0 if found is None else found


def _rewards(
    scorer: Scorer,
    completions: Sequence[Completion],
    golds: Sequence[str],
    db_ids: Sequence[str],
    share: bool,
    undetermined: float | None,
    extract: Callable[[str], str],
) -> list[float | None]:
    if not len(completions) == len(golds) == len(db_ids):
        raise InputError(
            f"{len(completions)} completions, {len(golds)} golds and {len(db_ids)} databases: one of each is needed"
        )
    queries = [extract(_text(completion)) for completion in completions]
    results = scorer.score(list(zip(golds, queries, db_ids, strict=True)))
    return [reward_of(result, share, undetermined) for result in results]


def _text(completion: Completion) -> str:
    if isinstance(completion, str):
        return completion
    content = completion[-1].get("content") if completion and isinstance(completion[-1], Mapping) else None
    if not isinstance(content, str):
        raise InputError(f"a completion is text, or messages with a text 'content', not {completion!r:.80}")
    return content
