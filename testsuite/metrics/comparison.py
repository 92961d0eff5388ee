"""Two runs over the same golds, item by item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from testsuite.errors import InputError
from testsuite.metrics.groups import natural
from testsuite.metrics.measures import BY_NAME
from testsuite.metrics.paired import PairedTest
from testsuite.records import Fate, ItemResult


@dataclass(frozen=True, slots=True)
class Change:
    """An item that is not the same in both runs, with what befell it in each."""

    id: str
    db_id: str
    hardness: str | None
    fate_a: Fate
    fate_b: Fate


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from run a to run b.

    Attributes:
        measure: by whose verdicts.
        test: over the items on which both runs have a verdict.
        gained: wrong in a, right in b.
        lost: right in a, wrong in b.
        no_verdict: items on which one run or both have none; the test leaves them out.
    """

    measure: str
    test: PairedTest
    gained: tuple[Change, ...]
    lost: tuple[Change, ...]
    no_verdict: tuple[Change, ...]

    def to_dict(self) -> dict[str, object]:
        """Plain JSON data."""
        test = self.test
        return {
            "measure": self.measure,
            "items": test.items,
            "a": {"correct": test.both + test.only_a, "of": test.items},
            "b": {"correct": test.both + test.only_b, "of": test.items},
            "both": test.both,
            "only_a": test.only_a,
            "only_b": test.only_b,
            "neither": test.neither,
            "difference": test.difference,
            "interval": test.interval and list(test.interval),
            "p": test.p,
            "significant": test.significant,
            **{name: [asdict(c) for c in getattr(self, name)] for name in ("gained", "lost", "no_verdict")},
        }


def _named(ids: Sequence[str]) -> str:
    return ", ".join(ids[:5]) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")


def _by_id(results: Sequence[ItemResult]) -> dict[str, ItemResult]:
    return {result.id: result for result in results}


def compare_items(a: Sequence[ItemResult], b: Sequence[ItemResult], measure: str = "test_suite") -> Comparison:
    """Compare the records of two runs by one measure (see ``MEASURES``), items in natural order of their ids.

    Raises:
        InputError: an item is in one run only, an id is of different databases, or no item has a verdict in both.
    """
    ours, theirs = _by_id(a), _by_id(b)
    for name, present, absent in (("first", ours, theirs), ("second", theirs, ours)):
        alone = sorted(present.keys() - absent.keys(), key=natural)
        if alone:
            raise InputError(
                f"{len(alone)} items are in the {name} run only ({_named(alone)}); score both over the same golds"
            )
    verdict = BY_NAME[measure].verdict
    lists: dict[str, list[Change]] = {"gained": [], "lost": [], "no_verdict": []}
    both = neither = 0
    for identifier in sorted(ours, key=natural):
        one, other = ours[identifier], theirs[identifier]
        if one.db_id != other.db_id:
            raise InputError(
                f"item {identifier} is of database {one.db_id!r} in the first run and {other.db_id!r} in the second; "
                "score both over the same golds"
            )
        change = Change(identifier, one.db_id, one.hardness, one.fate, other.fate)
        match verdict(one), verdict(other):
            case (None, _) | (_, None):
                lists["no_verdict"].append(change)
            case True, False:
                lists["lost"].append(change)
            case False, True:
                lists["gained"].append(change)
            case True, True:
                both += 1
            case _:
                neither += 1
    test = PairedTest(both, len(lists["lost"]), len(lists["gained"]), neither)
    if not test.items:
        raise InputError(f"no item has a verdict of {measure} in both runs; were they scored with the --etype for it?")
    return Comparison(measure, test, *(tuple(found) for found in lists.values()))


def differing_inputs(a: Mapping[str, object], b: Mapping[str, object]) -> list[str]:
    """What two summaries were made from that is not the same, in words; predictions, which should differ, apart.

    Names of inputs, options and versions, with both values where they are short.
    """
    found = []
    for part, what in (("inputs", ""), ("options", "--"), ("versions", "version of ")):
        one, other = _mapping(a.get(part)), _mapping(b.get(part))
        for name in sorted(one.keys() | other.keys()):
            if one.get(name) == other.get(name) or (part, name) == ("inputs", "predictions"):
                continue
            if part == "inputs":
                ours, theirs = _mapping(one.get(name)), _mapping(other.get(name))
                places = sorted(key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key))
                found.append(name + (f" ({_named(places)})" if places else ""))
            else:
                spelling = name.replace("_", "-") if part == "options" else name
                found.append(f"{what}{spelling} ({one.get(name)} and {other.get(name)})")
    return found


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
