"""SParC and CoSQL: golds against themselves are right in every turn and every interaction."""

from __future__ import annotations

import json

import pytest
from data import data_root

from testsuite.metrics import figures_of
from testsuite.metrics.dialogue import interactions
from testsuite.score.options import ScoreOptions
from testsuite.score.run import score_files


@pytest.mark.parametrize("name", ["sparc", "cosql"])
def test_golds_match_themselves(name, tmp_path):
    folder = data_root() / name
    gold = folder / "dev_gold.txt"
    own = tmp_path / "own.txt"
    own.write_text("".join(line.rpartition("\t")[0] + "\n" for line in gold.read_text().split("\n")[:-1]))
    # Nothing is run: what is asked is whether questions and interactions are counted as they should be.
    report = score_files(gold, own, None, ScoreOptions(etype="match"), 2, tables=folder / "tables.json")
    dialogue = figures_of(report.results, "match").dialogue
    listed = [entry["interaction"] for entry in json.loads((folder / "dev.json").read_text())]
    assert dialogue.interactions.items == len(listed)
    assert dialogue.questions.items == sum(map(len, listed))
    assert [len(turns) for turns in interactions(report.results).values()] == [len(turns) for turns in listed]
    for measure in ("exact", "exact_strict"):
        for group in (dialogue.questions, dialogue.interactions, *dialogue.turns):
            share = group.shares[measure]
            assert share.correct == share.of == group.items - group.no_verdict(measure)
            assert share.of > 0.97 * group.items
