"""Rewards for reinforcement learning: verdicts of a warm ``Scorer`` as numbers.

``exact``         1 for a query that means the same as the gold, else 0.
``partial``       the share of instances on which the answers agree.
``Reward``        either of them with the call signatures of trainers.
``extract_sql``   the query in a model's text.
"""

from testsuite.rewards.extract import extract_sql
from testsuite.rewards.functions import Completion, Reward, exact, partial, reward_of

__all__ = ["Completion", "Reward", "exact", "extract_sql", "partial", "reward_of"]
