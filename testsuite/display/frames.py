"""Finished runs as data frames, for pictures and statistics of one's own. Needs pandas, which is optional."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from testsuite.errors import InputError
from testsuite.metrics import is_lucky
from testsuite.metrics.measures import verdicts
from testsuite.score.results import Results

if TYPE_CHECKING:
    import pandas

    from testsuite.explain import Explanation


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise InputError("data frames need pandas, which is not installed: pip install pandas") from None
    return pandas


def accuracy_frame(runs: Mapping[str, Results], by: str | None = None) -> pandas.DataFrame:
    """Every share of every run.

    Args:
        runs: finished runs by the name of the model.
        by: a breakdown (hardness, difficulty, database, component, turn); None for the whole.

    Returns:
        One row per model, group and measure that was asked for: ``model``, ``group``, ``measure`` (its title),
        ``correct``, ``of``, ``share`` and the ends ``low`` and ``high`` of Wilson's 95 % interval, from 0 to 1.

    Raises:
        InputError: pandas is not installed, or the items of a run have no such breakdown.
    """
    pandas = _pandas()
    rows = []
    for model, run in runs.items():
        figures = run.figures
        if by is not None and by not in figures.by:
            raise InputError(f"{run.directory}: its items have no {by}; there are {', '.join(figures.by)}")
        for group in (figures.total,) if by is None else figures.by[by]:
            for measure in figures.measures:
                found = group.shares[measure.name]
                low, high = found.interval or (None, None)
                rows.append((model, group.name, measure.title, found.correct, found.of, found.value, low, high))
    names = ["model", "group", "measure", "correct", "of", "share", "low", "high"]
    return pandas.DataFrame(rows, columns=names)


def items_frame(runs: Mapping[str, Results]) -> pandas.DataFrame:
    """Every record of every run, with its queries.

    Returns:
        One row per model and item: ``model``, the fields of ``ItemResult``, ``lucky`` (passes on the shipped
        instance, fails on the suite), ``gold`` (the first one) and ``prediction``.

    Raises:
        InputError: pandas is not installed, or a run kept no queries.
    """
    pandas = _pandas()
    rows: list[dict[str, object]] = []
    for model, run in runs.items():
        for item in run.items:
            pair = run.pairs[item.id]
            rows.append(
                {
                    "model": model,
                    **item.to_dict(),
                    "lucky": is_lucky(verdicts(item)),
                    "gold": pair.golds[0],
                    "prediction": pair.prediction,
                }
            )
    return pandas.DataFrame(rows)


def causes_frame(explained: Mapping[str, Mapping[str, Explanation]]) -> pandas.DataFrame:
    """The causes of wrong predictions.

    Args:
        explained: explanations by item id (``testsuite.explain``), by the name of the model.

    Returns:
        One row per model, item and cause: ``model``, ``id``, ``db_id``, ``lucky``, ``cause``, ``confirmed`` (the suite
        accepts the prediction with its causes repaired), ``repair`` (that query, or None) and ``rows`` of the smallest
        counterexample (missing where there is none).

    Raises:
        InputError: pandas is not installed.
    """
    names = ["model", "id", "db_id", "lucky", "cause", "confirmed", "repair", "rows"]
    rows = [
        (
            model,
            one.id,
            one.db_id,
            one.lucky,
            cause.name,
            cause.confirmed,
            cause.repair,
            None if one.counterexample is None else one.counterexample.rows,
        )
        for model, found in explained.items()
        for one in found.values()
        for cause in one.causes
    ]
    return _pandas().DataFrame(rows, columns=names)


__all__ = ["accuracy_frame", "causes_frame", "items_frame"]
