"""Where contents come from: random ones in growing batches, the shipped one, a targeted search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from distill.counterexample.dense import dense_contents
from distill.counterexample.subject import Subject
from distill.fuzz import NullPolicy, generate_with_assumptions
from testsuite.counterexample.record import Gold
from testsuite.shrink import Content
from testsuite.shrink.rules import Rules
from testsuite.suite.stack import Stack, stack_rows

# Larger shipped contents take longer to shrink than finding another does.
_SHIPPED_ROWS = 3_000
_FIRST, _SECOND, _DENSE = 24, 96, 144

Search = Callable[[Subject, tuple[str, str], NullPolicy, Gold, np.random.Generator], Sequence[Content]]
"""Contents made for a pair that random ones do not separate; they need not separate it."""


@dataclass(frozen=True)
class Batch:
    """Contents to try at once.

    Attributes:
        source: where they come from, for people.
        nulls: the policy they keep.
        stack: the contents.
        rules: the keys and references they keep.
    """

    source: str
    nulls: NullPolicy
    stack: Stack
    rules: Rules


def batches(
    subject: Subject,
    queries: tuple[str, str],
    nulls: NullPolicy,
    instances: int,
    rng: np.random.Generator,
    search: Search | None = None,
    gold: Gold = "either",
) -> Iterator[Batch]:
    """Contents to try, cheap ones first; each batch is made when asked for.

    Without NULL first, for what needs none is the plainer evidence; under ``declared`` only after all that
    ``observed`` allows.

    Args:
        subject: what contents are made for.
        queries: the two queries, whose constants, conditions and joins the contents are made for.
        nulls: the widest policy.
        instances: random contents per policy, in all batches; those of few values come on top.
        rng: the only source of chance.
        search: a targeted search, asked after random contents.
        gold: which of the two may play the gold.
    """
    first: NullPolicy = "observed" if nulls == "declared" else nulls
    yield random_batch(subject, queries, "never", min(_FIRST, instances), rng)
    for policy in dict.fromkeys((first, nulls)):
        dense = dense_contents(subject, queries, policy, min(_DENSE, instances), rng)
        if dense:
            stack = stack_rows(subject.schema, dense, subject.storage)
            yield Batch(f"{len(dense)} contents of few values", policy, stack, subject.bounds(policy).rules)
        left = instances - min(_FIRST, instances) * (policy == first)
        for count in (min(_SECOND, left), left - min(_SECOND, left)):
            if count > 0:
                yield random_batch(subject, queries, policy, count, rng)
        if policy == "observed" and subject.stack is not None and subject.shipped is not None:
            rules = subject.bounds(policy).rules
            if sum(map(len, subject.shipped.values())) <= _SHIPPED_ROWS:
                yield Batch("shipped content", policy, subject.stack, rules)
        if search is not None:
            found = search(subject, queries, policy, gold, rng)
            if found:
                stack = stack_rows(subject.schema, found, subject.storage)
                yield Batch("targeted search", policy, stack, subject.bounds(policy).rules)


def random_batch(
    subject: Subject, queries: tuple[str, str], nulls: NullPolicy, count: int, rng: np.random.Generator
) -> Batch:
    """``count`` random contents made for both queries."""
    made = generate_with_assumptions(subject.schema, list(queries), subject.stack, count, rng, subject.policies(nulls))
    return Batch(f"{count} random instances", nulls, made.stack, made.rules)
