"""Results directories written without running anything, with queries that try to break out of a page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from testsuite.records import Fate, Item, ItemResult
from testsuite.score.pairs import Origin, write_origin
from testsuite.score.summary import summarise

HOSTILE = "SELECT '</script><script>window.broken=1</script><img src=x onerror=\"window.broken=2\">' <!-- & 'é' \u2028"
INSTANCES = [
    {"id": "aa", "origin": "shipped", "rows": 3, "kept_for": 4},
    *({"id": name, "origin": "generated", "rows": 5, "kept_for": 2} for name in ("bb", "cc", "dd", "ee", "ff", "gg")),
]
MANIFEST = {
    "instances": INSTANCES,
    "operators": {
        "distinct": {"neighbours": 4, "separated": 4, "equivalent": 0, "unknown": 0},
        "join path": {"neighbours": 10, "separated": 9, "equivalent": 1, "unknown": 1},
        "limit": {"neighbours": 0, "separated": 0, "equivalent": 2, "unknown": 0},
    },
}
COUNTEREXAMPLE = {
    "script": "CREATE TABLE t (a INTEGER);\nINSERT INTO t VALUES (1), (1);",
    "rows": 2,
    "instance": "bb",
    "gold": {"columns": ["a"], "rows": [[1]], "error": None},
    "prediction": {"columns": ["a"], "rows": [[1], [None], [2**60], [float("inf")]], "error": None},
    "verified": True,
    "only_open": False,
}


def record(
    identifier: int, test_suite: bool | None, execution: bool | None, fate: Fate = Fate.OK, **more: object
) -> ItemResult:
    """One record; database ``shop`` for even ids, ``zoo`` for odd ones."""
    fields: dict[str, object] = {"instances": 7, "informative": 6, "path": "stacked", "hardness": "easy"} | more
    return ItemResult(str(identifier), "zoo" if identifier % 2 else "shop", fate, test_suite, execution, **fields)  # type: ignore[arg-type]


RECORDS = (
    record(0, True, True, components=("where",)),
    record(1, True, True, hardness="hard", components=("join", "where")),
    record(2, False, True, failed_on=("bb", "dd"), flags=("lucky_pass",), components=("distinct",)),
    record(3, False, False, failed_on=("aa", "bb"), hardness="hard", components=("join",)),
    record(4, False, False, failed_on=("aa", "bb", "cc", "dd", "ee")),
    record(5, False, False, Fate.INVALID_PREDICTION, message="no such column: nmae"),
    record(6, None, True, Fate.UNDETERMINED, message="the gold's answer is open"),
)
EXPLANATIONS = (
    {
        "id": "2",
        "db_id": "shop",
        "lucky": True,
        "causes": [{"name": "missing_distinct", "confirmed": True, "repair": "SELECT DISTINCT a FROM t"}],
        "counterexample": COUNTEREXAMPLE,
        "differs_on": ["i01", "i03", "i06"],
        "instances": 7,
    },
    {"id": "3", "db_id": "zoo", "lucky": False, "causes": [], "counterexample": None},
)


def make_run(
    directory: Path,
    records: Sequence[ItemResult] = RECORDS,
    *,
    etype: str = "exec",
    pairs: bool = True,
    explanations: Sequence[Mapping[str, object]] | None = None,
    suites: Path | None = None,
    gold: str = "0123",
) -> Path:
    """Write a finished run; gives its directory."""
    directory.mkdir(parents=True)
    lines = "".join(json.dumps(result.to_dict()) + "\n" for result in records)
    (directory / "items.jsonl").write_text(lines, encoding="utf-8")
    summary = summarise(records, {"etype": etype}, {"gold": gold, "predictions": directory.name}, {"sqlite": "3.40.1"})
    (directory / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    if pairs:
        items = [
            Item(r.id, r.db_id, f"SELECT a FROM t WHERE b = {r.id}", HOSTILE if r.id == "2" else "SELECT a FROM t")
            for r in records
        ]
        write_origin(directory, items, Origin(suites=None if suites is None else str(suites)))
    if explanations is not None:
        lines = "".join(json.dumps(line) + "\n" for line in explanations)
        (directory / "causes.jsonl").write_text(lines, encoding="utf-8")
    return directory


def make_suites(directory: Path) -> Path:
    """Manifests of both databases, without any content."""
    for name in ("shop", "zoo"):
        (directory / name).mkdir(parents=True)
        text = json.dumps({"format_version": 1, "db_id": name, **MANIFEST})
        (directory / name / "manifest.json").write_text(text, encoding="utf-8")
    return directory
