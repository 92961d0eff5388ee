"""``testsuite explain``: why predictions are wrong."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from testsuite.cli.common import LOG_LEVELS, cores, start_logging
from testsuite.errors import InputError


@click.command(epilog="Example: testsuite explain RESULTS 27")
@click.argument("results", type=click.Path(path_type=Path))
@click.argument("item", required=False)
@click.option(
    "--suite",
    "suites",
    type=click.Path(path_type=Path),
    help="Directory of suites [default: the one RESULTS was scored over].",
)
@click.option("--all", "everything", is_flag=True, help="Explain all wrong items and write RESULTS/causes.jsonl.")
@click.option("--jobs", type=click.IntRange(min=1), help="Worker processes [default: number of cores].")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--log-level", type=click.Choice(LOG_LEVELS), default="warning", show_default=True)
def explain(
    results: Path,
    item: str | None,
    suites: Path | None,
    everything: bool,
    jobs: int | None,
    as_json: bool,
    log_level: str,
) -> None:
    """Say why predictions of RESULTS, which `testsuite score -o` wrote, are wrong.

    With ITEM: both queries side by side, where they differ, the causes, each tried by putting the gold's part into
    the prediction, and the smallest content on which SQLite answers differently. Without: the wrong items, lucky
    passes first.
    """
    from testsuite.display.explain import print_item, print_list
    from testsuite.display.progress import Reporter
    from testsuite.explain import load_causes, save_causes
    from testsuite.explain.record import CAUSES_FILE
    from testsuite.explain.run import explain_results, wrong_items
    from testsuite.score.results import load_results

    start_logging(log_level)
    if item is not None and everything:
        raise InputError("give one ITEM or --all, not both")
    found = load_results(results)
    if item is not None:
        record = next((one for one in found.items if one.id == item), None)
        if record is None or item not in found.pairs:
            known = ", ".join(one.id for one in found.items[:3])
            raise InputError(f"{results}: has no item {item!r}; its items are {known} .. {found.items[-1].id}")
        why = explain_results(found, suites, [item], 1).get(item)
        if as_json:
            data = {
                "item": record.to_dict(),
                "pair": asdict(found.pairs[item]),
                "explanation": None if why is None else why.to_dict(),
            }
            print(json.dumps(data, indent=1, ensure_ascii=False))
        else:
            print_item(found.pairs[item], record, why)
        return
    if everything:
        wrong = wrong_items(found)
        with Reporter("explaining", len(wrong)) as reporter:
            explained = explain_results(
                found, suites, None, jobs or cores(), lambda one, done, _: reporter.update(done, one.db_id)
            )
        save_causes(results, explained.values())
    else:
        explained = load_causes(results) if (results / CAUSES_FILE).is_file() else {}
    if as_json:
        rows = [
            explained[one.id].to_dict() if one.id in explained else {"id": one.id, "db_id": one.db_id}
            for one in wrong_items(found)
        ]
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        print_list(wrong_items(found), explained, results)
