"""All figures of one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from testsuite.metrics.dialogue import all_right, interactions
from testsuite.metrics.groups import DIMENSIONS
from testsuite.metrics.measures import MEASURES, SOFT_F1, Measure, asked, is_lucky, verdicts
from testsuite.metrics.shares import Mean, Share, mean, share
from testsuite.official import LEVELS, Component, Match, PartialScore, partial_scores
from testsuite.records import ItemResult


@dataclass(frozen=True, slots=True)
class Group:
    """The figures of some items (or interactions).

    Attributes:
        name: of the group; ``all`` for everything.
        items: how many there are. A share whose ``of`` is less leaves out those without a verdict.
        shares: by the name of the measure; all measures, asked for or not.
        soft_f1: BIRD's soft F1, the mean over items.
        lucky_passes: right on the shipped instance, wrong on the suite.
    """

    name: str
    items: int
    shares: Mapping[str, Share]
    soft_f1: Mean
    lucky_passes: int

    def no_verdict(self, measure: str) -> int:
        """Items that the share of a measure leaves out."""
        return self.items - self.shares[measure].of

    def accuracies(self) -> dict[str, dict[str, int]]:
        return {name: found.to_dict() for name, found in self.shares.items()}

    def intervals(self) -> dict[str, list[float] | None]:
        """Wilson's 95 % interval of each share."""
        return {name: None if f.interval is None else list(f.interval) for name, f in self.shares.items()}

    def to_dict(self) -> dict[str, object]:
        data: dict[str, object] = {"items": self.items, "lucky_passes": self.lucky_passes}
        data |= self.accuracies()
        data["intervals"] = self.intervals()
        if self.soft_f1.of:
            data[SOFT_F1] = self.soft_f1.to_dict()
        return data


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Question match (all questions of interactions), by turn, and interaction match (all turns right)."""

    questions: Group
    turns: tuple[Group, ...]
    interactions: Group


@dataclass(frozen=True, slots=True)
class Figures:
    """Every figure of one run.

    Attributes:
        measures: those the run was asked for, in the order of tables.
        total: over all items.
        by: by the name of the breakdown, its groups in order; only breakdowns that the items have.
        dialogue: None where items belong to no interactions.
        partial: partial matching by hardness (and ``all``) and component; None where exact set match was not asked for.
        partial_items: items it is over: those whose gold the published parser takes.
    """

    measures: tuple[Measure, ...]
    total: Group
    by: Mapping[str, tuple[Group, ...]]
    dialogue: Dialogue | None
    partial: Mapping[str, Mapping[str, PartialScore]] | None
    partial_items: int

    def to_dict(self) -> dict[str, object]:
        """Plain JSON data: what summary.json has of it."""
        dialogue = self.dialogue
        return {
            "accuracy": self.total.accuracies(),
            "intervals": self.total.intervals(),
            "no_verdict": {measure.name: self.total.no_verdict(measure.name) for measure in self.measures},
            "lucky_passes": self.total.lucky_passes,
            **({SOFT_F1: self.total.soft_f1.to_dict()} if self.total.soft_f1.of else {}),
            "by": {name: {group.name: group.to_dict() for group in groups} for name, groups in self.by.items()},
            "dialogue": dialogue
            and {
                "question_match": dialogue.questions.to_dict(),
                "interaction_match": dialogue.interactions.to_dict(),
            },
            "partial": self.partial
            and {
                "items": self.partial_items,
                "by": {
                    level: {name: asdict(score) for name, score in row.items() if score.predictions or score.golds}
                    for level, row in self.partial.items()
                },
            },
        }


def _group(name: str, found: Sequence[Mapping[str, bool | None]], soft_f1: Mean) -> Group:
    shares = {measure.name: share(verdict[measure.name] for verdict in found) for measure in MEASURES}
    return Group(name, len(found), shares, soft_f1, sum(map(is_lucky, found)))


def group_of(name: str, results: Sequence[ItemResult]) -> Group:
    """The figures of some records."""
    return _group(name, [verdicts(result) for result in results], mean(r.bird_soft_f1 for r in results))


def _dialogue(results: Sequence[ItemResult], turns: tuple[Group, ...]) -> Dialogue | None:
    found = interactions(results)
    if not found:
        return None
    joint = [
        {measure.name: all_right(measure.verdict(result) for result in turn_results) for measure in MEASURES}
        for turn_results in found.values()
    ]
    questions = [result for turn_results in found.values() for result in turn_results]
    return Dialogue(group_of("all", questions), turns, _group("interactions", joint, Mean(None, 0)))


def _partial(results: Sequence[ItemResult]) -> Mapping[str, Mapping[str, PartialScore]]:
    levels = {str(level): level for level in LEVELS}
    return {
        str(level): row
        for level, row in partial_scores(
            (
                levels.get(result.hardness or "", "unknown"),
                Match(bool(result.exact), {name: Component(*parts) for name, parts in result.partial.items()}, True),
            )
            for result in results
            if result.partial is not None
        ).items()
    }


def figures_of(results: Sequence[ItemResult], etype: str = "exec") -> Figures:
    """All figures of the records of one run.

    Args:
        etype: exec | match | all: what the run was asked for; it decides which figures tables show.
    """
    by = {
        dimension.name: tuple(group_of(name, group) for name, group in dimension.split(results).items())
        for dimension in DIMENSIONS
    }
    return Figures(
        measures=asked(etype, results),
        total=group_of("all", results),
        by={name: groups for name, groups in by.items() if groups},
        dialogue=_dialogue(results, by["turn"]),
        partial=None if etype == "exec" else _partial(results),
        partial_items=sum(result.partial is not None for result in results),
    )
