"""The items as data for the page's script, and how such data is written into HTML."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence

from testsuite.explain import Explanation
from testsuite.records import ItemResult
from testsuite.report.runs import Run
from testsuite.report.status import status_of

NO_CAUSE = "no cause found"
EXPLAINED = ("lucky", "wrong")
"""Statuses of predictions that run and differ: those that a cause is looked for."""


EXACT = 2**53
"""Whole numbers up to this are exact in a script."""


def _plain(data: object) -> object:
    """Data as scripts can hold it: numbers that they would change or can't read become texts."""
    if isinstance(data, Mapping):
        return {str(name): _plain(value) for name, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_plain(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        return str(data)
    if isinstance(data, int) and abs(data) > EXACT:
        return str(data)
    return data


def embedded(data: object) -> str:
    """JSON that may stand in a script element: no text in it can close the element or open a comment.

    Everything beyond ASCII is written as an escape as well, so that half a surrogate pair in a query does no harm.
    """
    text = json.dumps(_plain(data), separators=(",", ":"), sort_keys=True, allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _without_empty(data: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in data.items() if value not in (None, "", [], (), False)}


def causes_of(explanation: Explanation | None) -> list[str]:
    """The names of an item's causes: the confirmed ones where there are any."""
    causes = explanation.causes if explanation else ()
    confirmed = [cause.name for cause in causes if cause.confirmed]
    return list(dict.fromkeys(confirmed or [cause.name for cause in causes]))


def _of_run(run: Run, result: ItemResult, measure: str) -> dict[str, object]:
    pair = run.pairs.get(result.id)
    status = status_of(result, measure)
    explanation = (run.explanations or {}).get(result.id)
    causes = causes_of(explanation)
    if run.explanations is not None and status in EXPLAINED and not causes:
        causes = [NO_CAUSE]
    return _without_empty(
        {
            "status": status,
            "fate": result.fate.value,
            "execution": "" if result.execution is None else ("equal" if result.execution else "different"),
            "exact": "" if result.exact is None else ("equal" if result.exact else "different"),
            "instances": result.instances,
            "informative": result.informative,
            "failed_on": result.failed_on,
            "flags": result.flags,
            "message": result.message,
            "path": result.path or "",
            "reason": result.path_reason,
            "prediction": pair.prediction if pair else "",
            "explained": explanation and explanation.to_dict(),
            "causes": causes,
        }
    )


def item_data(runs: Sequence[Run], measure: str) -> dict[str, object]:
    """All items with what every run says of them, in the order of the golds (of ids, where the run kept no queries)."""
    by_run = [{result.id: result for result in run.results.items} for run in runs]
    order = list(runs[0].pairs) or list(by_run[0])
    items = []
    for name in (identifier for identifier in order if identifier in by_run[0]):
        result = by_run[0][name]
        pair = next((run.pairs[name] for run in runs if name in run.pairs), None)
        items.append(
            _without_empty(
                {
                    "id": name,
                    "db": result.db_id,
                    "hardness": result.hardness or result.difficulty or "",
                    "golds": pair.golds if pair else (),
                    "components": result.components,
                    "interaction": None if result.interaction is None else str(result.interaction + 1),
                    "turn": result.turn,
                    "runs": [_of_run(run, results[name], measure) for run, results in zip(runs, by_run, strict=True)],
                }
            )
        )
    return {"runs": [run.name for run in runs], "items": items}


def lucky_causes(run: Run) -> Mapping[str, int] | None:
    """Lucky passes by cause, the most frequent first; an item with several causes counts under each.

    None where the run has not been explained.
    """
    if run.explanations is None:
        return None
    return _causes(run, [r for r in run.results.items if status_of(r, "test_suite") == "lucky"])


def wrong_causes(run: Run) -> Mapping[str, int] | None:
    """The same of all predictions that run and are wrong."""
    if run.explanations is None:
        return None
    return _causes(run, [r for r in run.results.items if status_of(r, "test_suite") in EXPLAINED])


def _causes(run: Run, results: Sequence[ItemResult]) -> Mapping[str, int]:
    explanations = run.explanations or {}
    counts = Counter(name for r in results for name in causes_of(explanations.get(r.id)) or [NO_CAUSE])
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
