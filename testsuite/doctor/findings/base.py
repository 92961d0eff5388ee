"""What a finding is, and what it may look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from testsuite.compare import Answer, compare_open
from testsuite.compare.answer import UNSURE
from testsuite.doctor.contents import Contents
from testsuite.doctor.records import Severity
from testsuite.query.scope import Scopes
from testsuite.suite import GoldNote

Found = tuple[Severity, str]


@dataclass(frozen=True)
class Subject:
    """One gold with all that is known of it. Findings read it and change nothing.

    Attributes:
        contents: the instances it was asked on, and their schema.
        tree: the gold as ``parse`` reads it; None where it can't.
        unread: why it could not be read; empty where it was.
        failure: why it has no answer on any instance; empty where it has.
        low, high: its answer with open choices taken low and high; None where there is none.
        open_choices: the constructs in which SQL leaves a choice.
        clock: whether its text reads the clock.
        note: what the suite's manifest says of it; None where the manifest does not know it.
        suite_golds: how many golds the suite was built for; 0 where it was imported.
    """

    contents: Contents
    tree: exp.Query | None
    unread: str = ""
    failure: str = ""
    low: Answer | None = None
    high: Answer | None = None
    open_choices: tuple[str, ...] = ()
    clock: bool = False
    note: GoldNote | None = None
    suite_golds: int = 0

    @cached_property
    def scopes(self) -> Scopes | None:
        """The scopes of the tree."""
        return None if self.tree is None else Scopes(self.tree, self.contents.schema)

    @cached_property
    def failed(self) -> frozenset[int]:
        """Instances on which it fails, in either reading."""
        answers = [answer for answer in (self.low, self.high) if answer is not None]
        return frozenset(place for answer in answers for place, said in answer.errors.items() if said != UNSURE)

    @cached_property
    def usable(self) -> NDArray[np.bool_]:
        """Per instance: it runs and its answer is determined."""
        return self._itself[0]

    @cached_property
    def informative(self) -> NDArray[np.bool_]:
        """Per instance: usable, and the answer has a cell that is not NULL."""
        return self._itself[1]

    @cached_property
    def _itself(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        if self.low is None:
            none = np.zeros(self.contents.stack.count, dtype=bool)
            return none, none
        seen = compare_open(self.low, self.high, self.low, self.high)
        return seen.usable, seen.usable & seen.informative


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of finding.

    Attributes:
        name: one word, as it stands in reports.
        about: what it means, for a reader.
        find: what of this kind the gold has; nothing where it is well.
    """

    name: str
    about: str
    find: Callable[[Subject], Iterator[Found]]


def share(part: int, whole: int) -> str:
    """ "3 of 40 instances"."""
    return f"{part} of {whole} instance{'' if whole == 1 else 's'}"
