"""What a report is about: finished runs, with what is known of their queries, explanations and suites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testsuite.errors import InputError, SuiteFileError
from testsuite.explain import Explanation, load_causes
from testsuite.explain.record import CAUSES_FILE
from testsuite.metrics import differing_inputs
from testsuite.score.pairs import PAIRS, Pair
from testsuite.score.results import Results, load_results
from testsuite.suite import list_suites, read_manifest


@dataclass(frozen=True, slots=True)
class Run:
    """One finished run.

    Attributes:
        name: the directory's name, with those above it where several runs share it.
        pairs: queries by item id; empty where the run kept none.
        explanations: by item id; None where the run has not been explained.
    """

    name: str
    results: Results
    pairs: Mapping[str, Pair]
    explanations: Mapping[str, Explanation] | None


def _names(paths: Sequence[Path]) -> list[str]:
    """The shortest ends of the paths that tell them apart."""
    parts = [path.resolve().parts for path in paths]
    depth = 1
    while len({p[-depth:] for p in parts}) < len(parts) and depth < max(map(len, parts)):
        depth += 1
    return ["/".join(p[-depth:]) for p in parts]


def read_runs(paths: Sequence[Path]) -> tuple[Run, ...]:
    """Read results directories of the same golds.

    Raises:
        InputError: one is no finished run, is given twice, is damaged, or is over other items than the first.
    """
    if len({path.resolve() for path in paths}) < len(paths):
        raise InputError("a results directory is given twice; give each once")
    runs = []
    for name, path in zip(_names(paths), paths, strict=True):
        results = load_results(path)
        pairs = results.pairs if (path / PAIRS).is_file() else {}
        runs.append(Run(name, results, pairs, load_causes(path) if (path / CAUSES_FILE).is_file() else None))
    first = runs[0].results
    for run, path in zip(runs[1:], paths[1:], strict=True):
        other = {(item.id, item.db_id) for item in run.results.items}
        if other != {(item.id, item.db_id) for item in first.items} or "gold" in _differing(first, run.results):
            raise InputError(f"{path}: not over the same golds as {paths[0]}; score both over the same file")
    return tuple(runs)


def _differing(a: Results, b: Results) -> list[str]:
    return differing_inputs(a.summary, b.summary)


def notes_of(runs: Sequence[Run]) -> list[str]:
    """What a reader has to know of how runs differ, beyond their predictions."""
    first = runs[0]
    return [
        f"{run.name} differs from {first.name} in {what}"
        for run in runs[1:]
        for what in _differing(first.results, run.results)
    ]


def read_manifests(runs: Sequence[Run], suites: Path | None) -> Mapping[str, Mapping[str, Any]]:
    """Manifests of the suites by database; empty where they are not found.

    Args:
        suites: where they are; None for where they were when the first run was made.

    Raises:
        SuiteFileError: ``suites`` was given and holds no suite, or a manifest is damaged.
    """
    known = suites or (Path(o) if (o := runs[0].results.origin.suites) else None)
    needed = {item.db_id for item in runs[0].results.items}
    found: dict[str, Mapping[str, Any]] = {}
    try:
        for folder in list_suites(known) if known is not None else []:
            if folder.name in needed:
                found[folder.name] = _manifest(folder)
    except SuiteFileError:
        # A report of figures does without suites that are gone since.
        if suites is not None:
            raise
    return found


def _manifest(folder: Path) -> Mapping[str, Any]:
    """What a report needs of a manifest: instances, and near-misses by operator."""
    data: Any = read_manifest(folder)
    try:
        return {
            "instances": [
                {"id": str(n["id"]), "origin": str(n["origin"]), "rows": int(n["rows"])} for n in data["instances"]
            ],
            "operators": {
                str(name): {"neighbours": int(counts["neighbours"]), "separated": int(counts["separated"])}
                for name, counts in data["operators"].items()
            },
        }
    except (KeyError, TypeError, ValueError, AttributeError):
        raise SuiteFileError(f"{folder}: the manifest is damaged; build the suite again") from None
