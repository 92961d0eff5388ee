"""A study: inputs, suites built once, models scored once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from distill.build import BuildOptions
from distill.study import Study, embedded_study, spider_study
from testsuite.errors import InputError


def small(tmp_path: Path) -> Study:
    """One database and two golds of the embedded benchmark, two models."""
    whole = embedded_study(tmp_path, BuildOptions(instances=4, neighbours=2, search=False))
    gold, one, other = (tmp_path / name for name in ("gold.sql", "one.txt", "other.txt"))
    lines = whole.gold.read_text().splitlines()[:2]
    gold.write_text("\n".join(lines) + "\n")
    one.write_text("".join(line.split("\t")[0] + "\n" for line in lines))
    other.write_text("SELECT 1\nSELECT nothing\n")
    return replace(whole, gold=gold, predictions={"one": one, "other": other}, jobs=1)


def test_builds_and_scores_once(tmp_path: Path) -> None:
    study = small(tmp_path)
    runs = study.score_all()
    assert {model: run.figures.total.shares["test_suite"].correct for model, run in runs.items()} == {
        "one": 2,
        "other": 0,
    }
    files = [path for path in (tmp_path / "suites").rglob("*") if path.is_file()]
    times = {path: path.stat().st_mtime_ns for path in files}
    assert times and study.score("one").items == runs["one"].items
    assert {path: path.stat().st_mtime_ns for path in files} == times


def test_unknown_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="otter"):
        embedded_study(tmp_path).score("nobody")


def test_spider_layout(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"dev_gold\.sql"):
        spider_study(tmp_path, tmp_path / "work")
    (tmp_path / "database").mkdir()
    (tmp_path / "predictions").mkdir()
    for name in ("tables.json", "dev_gold.sql", "predictions/b.txt", "predictions/a.txt"):
        (tmp_path / name).write_text("")
    study = spider_study(tmp_path, tmp_path / "work")
    assert list(study.predictions) == ["a", "b"] and study.options == BuildOptions()
