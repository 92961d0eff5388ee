"""The page: figures put into the template, style and script put inline, and a policy that allows nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from testsuite.errors import InputError
from testsuite.metrics import DIMENSIONS, Figures, Share, compare_items, percent
from testsuite.report.charts import bars, mark, position, rows_of_run, rows_of_runs
from testsuite.report.items import embedded, item_data, lucky_causes, wrong_causes
from testsuite.report.matrix import matrices
from testsuite.report.runs import Run, notes_of, read_manifests, read_runs
from testsuite.report.status import STATUSES, status_of
from testsuite.report.strength import strength_of

_TEMPLATES = Path(__file__).parent / "templates"


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _luck(run: Run) -> Share:
    """Of the predictions that pass the shipped instance and have a verdict, those that the suite refutes."""
    results = run.results.items
    return Share(
        sum(status_of(r, "test_suite") == "lucky" for r in results),
        sum(r.execution is True and r.test_suite is not None for r in results),
    )


def _lucky_by_hardness(run: Run) -> dict[str, int]:
    by = run.results.figures.by
    return {group.name: group.lucky_passes for group in by.get("difficulty") or by["hardness"]}


def _breakdowns(runs: Sequence[Run], measure: str) -> list[dict[str, object]]:
    figures = [run.results.figures for run in runs]
    found: list[dict[str, object]] = []
    for dimension in DIMENSIONS:
        groups = [f.by.get(dimension.name) for f in figures]
        if not all(groups):
            continue
        present = [g for g in groups if g]
        if len(runs) == 1:
            rows = rows_of_run(present[0], [m for m in figures[0].measures if m.name != "exact_strict"])
        else:
            rows = rows_of_runs([{g.name: g for g in run_groups} for run_groups in present], measure)
        found.append({"name": dimension.name, "title": dimension.title, "rows": rows})
    return found


def _comparisons(runs: Sequence[Run], measure: str) -> list[dict[str, object]]:
    """Every later run against the first, paired; a pair without a common verdict is left out."""
    found: list[dict[str, object]] = []
    for run in runs[1:]:
        try:
            paired = compare_items(runs[0].results.items, run.results.items, measure)
        except InputError:
            continue
        test = paired.test
        low, high = test.interval or (0.0, 0.0)
        found.append(
            {
                "name": run.name,
                "difference": f"{100 * (test.difference or 0.0):+.1f}".replace("-", "−"),
                "interval": f"{100 * low:+.1f} to {100 * high:+.1f}".replace("-", "−"),
                "gained": len(paired.gained),
                "lost": len(paired.lost),
                "items": test.items,
                "p": "< 0.001" if test.p < 0.001 else f"{test.p:.3f}",
                "significant": test.significant,
            }
        )
    return found


def _dialogue(figures: Figures) -> list[dict[str, object]]:
    """Interaction match of dialogues by every measure: all turns of the interaction are right."""
    if figures.dialogue is None:
        return []
    group = figures.dialogue.interactions
    return [
        {
            "title": f"interaction match, by {m.title}",
            "mark": mark(m.name, group.shares[m.name]),
            "no_verdict": group.no_verdict(m.name),
        }
        for m in figures.measures
    ]


def _statuses(run: Run, measure: str) -> list[dict[str, object]]:
    results = run.results.items
    counts = {s.name: sum(status_of(r, measure) == s.name for r in results) for s in STATUSES}
    found: list[dict[str, object]] = []
    start = 0.0
    for status in STATUSES:
        share = counts[status.name] / len(results) if results else 0.0
        found.append(
            {
                "name": status.name,
                "mark": status.mark,
                "meaning": status.meaning,
                "count": counts[status.name],
                "x": position(start),
                "width": position(share),
                "share": percent(share),
            }
        )
        start += share
    return found


def _short(value: object) -> str:
    text = "–" if value is None else str(value)
    return text if len(text) < 64 or " " in text else f"{text[:16]}…"


def _provenance(run: Run) -> list[tuple[str, list[tuple[str, str]]]]:
    """How the run was made, as tables of names and values."""
    summary = run.results.summary
    origin = run.results.origin
    files = [("golds", origin.gold), ("predictions", origin.predictions), ("suites", origin.suites)]
    paths = summary.get("paths") or {}
    audit = summary.get("audit") or {}
    return [
        ("files", [(name, path) for name, path in files if path]),
        ("hashes", [(n, _short(h)) for n, h in (summary.get("inputs") or {}).items() if isinstance(h, str)]),
        ("options", [(n.replace("_", " "), _short(v)) for n, v in summary["options"].items()]),
        ("versions", [(n, _short(v)) for n, v in (summary.get("versions") or {}).items()]),
        ("fates", [(n.replace("_", " "), str(v)) for n, v in (summary.get("fates") or {}).items()]),
        ("flags", [(n.replace("_", " "), str(v)) for n, v in (summary.get("flags") or {}).items()]),
        ("paths", [(n, str(v)) for n, v in paths.items() if isinstance(v, int)]),
        ("audit on SQLite", [(n.replace("_", " "), str(v)) for n, v in audit.items()]),
    ]


def _figures(run: Run, measure: str, manifests: Mapping[str, Mapping[str, Any]]) -> dict[str, object]:
    """What the template places of one run."""
    figures = run.results.figures
    by_hardness, causes, all_causes = _lucky_by_hardness(run), lucky_causes(run), wrong_causes(run)
    luck = _luck(run)
    return {
        "name": run.name,
        "total": figures.total.items,
        "measures": [
            {
                "name": m.name,
                "title": m.title,
                "mark": mark(m.name, figures.total.shares[m.name]),
                "no_verdict": figures.total.no_verdict(m.name),
            }
            for m in figures.measures
        ],
        "dialogue": _dialogue(figures),
        "main": mark(measure, figures.total.shares[measure]),
        "lucky": figures.total.lucky_passes,
        "luck": mark("lucky", luck),
        "statuses": _statuses(run, measure),
        "lucky_by_hardness": bars(by_hardness),
        "lucky_by_cause": None if causes is None else bars(causes),
        "wrong_by_cause": None if all_causes is None else bars(all_causes),
        "matrices": matrices(run.results.items, manifests, run.explanations),
        "provenance": _provenance(run),
    }


def render(runs: Sequence[Run], manifests: Mapping[str, Mapping[str, Any]] | None = None, title: str = "") -> str:
    """The page about some runs over the same golds; the same runs give the same text.

    Args:
        manifests: of the suites by database, for the columns of the kill matrix and the strength of the suites.
        title: the heading; by itself the names of the runs.
    """
    manifests = manifests or {}
    style = (_TEMPLATES / "report.css").read_text(encoding="utf-8")
    script = (_TEMPLATES / "report.js").read_text(encoding="utf-8")
    executed = any(run.results.figures.total.shares["test_suite"].of for run in runs)
    measure = "test_suite" if executed else "exact"
    data = item_data(runs, measure)
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    page = (
        _environment()
        .get_template("report.html")
        .render(
            title=title or "Do the predicted queries mean what they should?",
            policy=policy,
            style=Markup(style),
            script=Markup(script),
            data=Markup(embedded(data)),
            executed=executed,
            measure=next(m.title for run in runs for m in run.results.figures.measures if m.name == measure),
            runs=[_figures(run, measure, manifests) for run in runs],
            statuses=STATUSES,
            databases=sorted({item.db_id for item in runs[0].results.items}),
            breakdowns=_breakdowns(runs, measure),
            comparisons=_comparisons(runs, measure),
            strength=strength_of(manifests),
            notes=notes_of(runs),
            explained=[run.explanations is not None for run in runs],
            queries=[bool(run.pairs) for run in runs],
        )
    )
    return page + "\n"


def write_report(paths: Sequence[Path], output: Path, suites: Path | None = None, title: str = "") -> int:
    """Read results directories and write the page; gives its size in bytes.

    Args:
        paths: results directories over the same golds; the first is what others are compared with.
        suites: where the suites are; None for where they were when the first run was made.

    Raises:
        SuiteError: a directory is not what it should be, or the file can't be written.
    """
    runs = read_runs(paths)
    page = render(runs, read_manifests(runs, suites), title)
    # Half a surrogate pair, which a name may hold, has no UTF-8.
    content = page.encode("utf-8", "replace")
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_bytes(content)
    except OSError as error:
        raise InputError(
            f"{output}: can't be written ({error.strerror or error}); choose another file for -o"
        ) from error
    return len(content)
