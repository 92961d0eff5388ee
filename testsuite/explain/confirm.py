"""Which repairs make a prediction right: found by experiment, on the suite that refused it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from testsuite.explain.canonical import canonical, reachable
from testsuite.explain.causes import name_of
from testsuite.explain.edits import Edit, Key
from testsuite.explain.merge import Merge
from testsuite.explain.record import FoundCause
from testsuite.query.parse import Unparsed, parse
from testsuite.query.text import render
from testsuite.schema import Schema

# More causes than this explain nothing: the query was written anew.
MOST_CAUSES = 3
_MOST_TRIALS = 80
UNEXPLAINED = "unexplained"


@dataclass
class Experiment:
    """Repairs of one prediction, tried on a suite.

    Args:
        prediction: its canonical tree.
        gold: the gold's.
        schema: the tables of both.
        accepts: whether the suite takes a query for the gold's equal.
    """

    prediction: exp.Query
    gold: exp.Query
    schema: Schema
    accepts: Callable[[str], bool]
    trials: int = 0

    def repaired(self, chosen: Sequence[Edit]) -> str:
        """The prediction with these edits made."""
        keys: set[Key] = {edit.key for edit in chosen}
        tree = Merge(keys).query(self.prediction, self.gold)
        assert isinstance(tree, exp.Query)
        return render(reachable(tree, self.schema), owned=True)

    def good(self, chosen: Sequence[Edit]) -> bool:
        """Whether the suite accepts it then."""
        self.trials += 1
        return self.accepts(self.repaired(chosen))

    def smallest(self, edits: Sequence[Edit]) -> list[Edit] | None:
        """Edits that repair the prediction and of which none can be spared; None where all together do not."""
        for edit in edits:
            if self.good([edit]):
                return [edit]
        groups: dict[str, list[Edit]] = {}
        for edit in edits:
            groups.setdefault(name_of(edit), []).append(edit)
        chosen = next((group for group in groups.values() if len(group) > 1 and self.good(group)), None)
        if chosen is None:
            if not self.good(edits):
                return None
            chosen = list(edits)
            for group in groups.values():
                fewer = [edit for edit in chosen if edit not in group]
                if fewer and self.good(fewer):
                    chosen = fewer
        # An edit that was needed beside another may be spared once that one has gone.
        changed = True
        while changed and self.trials < _MOST_TRIALS:
            changed = False
            for edit in list(chosen):
                fewer = [other for other in chosen if other is not edit]
                if fewer and self.good(fewer):
                    chosen, changed = fewer, True
        return chosen


def causes_of(gold: str, prediction: str, schema: Schema, accepts: Callable[[str], bool]) -> tuple[FoundCause, ...]:
    """The causes of a wrong prediction.

    A cause is confirmed where the suite accepts the prediction once the gold's part stands in the place of its own,
    for at most three causes together; each then holds the query with the repair of all of them.

    Args:
        gold: the gold's text.
        prediction: the prediction's.
        schema: the tables of both.
        accepts: whether the suite takes a query for the gold's equal.
    """
    nothing = (FoundCause(UNEXPLAINED, False, None),)
    try:
        mine, theirs = canonical(parse(prediction), schema), canonical(parse(gold), schema)
    except Unparsed:
        return nothing
    every = Merge(None)
    every.query(mine, theirs)
    edits = list(every.edits.values())
    # Where writing it alike already makes it right, no edit can be made answerable.
    if not edits or accepts(render(mine)):
        return nothing
    experiment = Experiment(mine, theirs, schema, accepts)
    found = experiment.smallest(edits)
    if found is None:
        return tuple(FoundCause(name, False, None) for name in dict.fromkeys(map(name_of, edits)))
    names = list(dict.fromkeys(map(name_of, found)))
    confirmed = len(names) <= MOST_CAUSES
    repair = experiment.repaired(found) if confirmed else None
    return tuple(FoundCause(name, confirmed, repair) for name in names)
