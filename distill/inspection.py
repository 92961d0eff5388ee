"""Figures of suites on disk, from their manifests alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import median

from testsuite.suite import Manifest, list_suites, read_manifest

_SUMMED = (
    "instances",
    "rows",
    "golds",
    "items",
    "neighbours",
    "separated",
    "equivalent",
    "unknown",
)


def describe(manifest: Manifest) -> dict[str, object]:
    """The figures of one suite: counts, rates per operator, rules of proofs, and what needs a look."""
    golds = manifest.golds
    rules: Counter[str] = Counter()
    for gold in golds:
        rules.update(gold.rules)
    return {
        "db_id": manifest.db_id,
        "instances": len(manifest.instances),
        "rows": sum(note.rows for note in manifest.instances),
        "golds": len(golds),
        "items": sum(gold.items for gold in golds),
        "neighbours": sum(gold.neighbours for gold in golds),
        "separated": sum(gold.separated for gold in golds),
        "equivalent": sum(gold.equivalent for gold in golds),
        "unknown": sum(gold.unknown for gold in golds),
        "informative_golds": sum(gold.informative >= 5 for gold in golds),
        "informative_items": sum(gold.items for gold in golds if gold.informative >= 5),
        "stacked_items": sum(gold.items for gold in golds if gold.path == "stacked"),
        "broken_golds": [{"sql": g.sql, "reason": g.reason} for g in golds if g.path == "none"],
        "poor_golds": [
            {"sql": g.sql, "informative": g.informative, "undetermined": g.undetermined}
            for g in golds
            if g.path != "none" and g.informative < 5
        ],
        "unknown_neighbours": [
            {"operator": left["operator"], "gold": g.sql, "sql": left["sql"], "reason": left.get("reason", "")}
            for g in golds
            for left in g.left
        ],
        "rules": dict(sorted(rules.items())),
        "audit": dict(manifest.audit),
        "operators": {name: dict(tally) for name, tally in manifest.operators.items()},
        "seed": manifest.seed,
        "candidates": manifest.candidates,
    }


def inspect_suites(directory: Path) -> dict[str, object]:
    """Figures per database and in all.

    Raises:
        SuiteFileError: no suites there, or a damaged manifest.
    """
    databases = [describe(Manifest.from_dict(read_manifest(folder))) for folder in list_suites(directory)]
    summed = (*_SUMMED, "informative_golds", "informative_items", "stacked_items")
    total: dict[str, object] = {name: sum(int(str(d[name])) for d in databases) for name in summed}
    for name in ("instances", "rows"):
        total[f"median_{name}"] = median(int(str(d[name])) for d in databases)
    total["audit"] = _summed(d["audit"] for d in databases)
    total["rules"] = _summed(d["rules"] for d in databases)
    operators: dict[str, list[object]] = {}
    for data in databases:
        for name, tally in data["operators"].items():  # type: ignore[attr-defined]
            operators.setdefault(name, []).append(tally)
    total["operators"] = {name: _summed(tallies) for name, tallies in sorted(operators.items())}
    return {"databases": databases, "total": total}


def _summed(tallies: Iterable[object]) -> dict[str, int]:
    """Counts by name, added up over all tallies."""
    into: dict[str, int] = {}
    for tally in tallies:
        assert isinstance(tally, Mapping)
        for name, value in tally.items():
            into[name] = into.get(name, 0) + value
    return dict(sorted(into.items()))
