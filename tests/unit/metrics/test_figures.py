"""Figures from records: groups, denominators, dialogues, partial matching."""

from __future__ import annotations

import json

import pytest

from testsuite.metrics import figures_of
from testsuite.metrics.dialogue import all_right
from testsuite.metrics.groups import natural
from testsuite.metrics.shares import Share
from testsuite.records import Fate, ItemResult

_NEXT = iter(range(1000))


def record(suite: bool | None = True, execution: bool | None = True, exact: bool | None = None, **rest) -> ItemResult:
    return ItemResult(str(next(_NEXT)), rest.pop("db", "a"), Fate.OK, suite, execution, exact, **rest)


def turn(interaction: int, number: int, suite: bool | None = True, **rest) -> ItemResult:
    return record(suite, interaction=interaction, turn=number, **rest)


def test_groups_stand_in_their_order_and_sum_to_all():
    levels = ["extra", "easy", "unknown", None, "easy", "medium"]
    found = figures_of([record(hardness=level, db=f"d{i}") for i, level in enumerate(levels)])
    # An item without a hardness (its database has no suite) is not lost.
    assert [(g.name, g.items) for g in found.by["hardness"]] == [
        ("easy", 2),
        ("medium", 1),
        ("extra", 1),
        ("unknown", 2),
    ]
    assert [g.name for g in found.by["database"]] == [f"d{i}" for i in range(6)]
    assert "turn" not in found.by and "difficulty" not in found.by and found.dialogue is None


def test_an_item_counts_under_each_of_its_components():
    found = figures_of([record(True, components=("where", "join")), record(False, components=("where",))])
    assert {g.name: g.shares["test_suite"] for g in found.by["component"]} == {
        "join": Share(1, 1),
        "where": Share(1, 2),
    }


def test_what_has_no_verdict_is_told():
    found = figures_of([record(), record(False), record(None, None)], "exec")
    assert found.total.shares["test_suite"] == Share(1, 2)
    assert found.total.no_verdict("test_suite") == 1
    assert found.to_dict()["no_verdict"] == {"execution": 1, "test_suite": 1}
    assert found.total.lucky_passes == 1
    # Nothing asked for exact set match, so its absence is no news.
    assert [m.name for m in found.measures] == ["execution", "test_suite"]
    assert [m.name for m in figures_of([], "all").measures] == ["execution", "test_suite", "exact", "exact_strict"]


@pytest.mark.parametrize(
    ("verdicts", "right"),
    [
        ((True, True), True),
        ((True, False), False),
        ((None, False), False),
        ((True, None), None),
        ((), True),
    ],
)
def test_an_interaction_is_right_where_all_turns_are(verdicts, right):
    assert all_right(verdicts) is right


def test_question_and_interaction_match():
    records = [
        turn(0, 1),
        turn(0, 2),
        turn(1, 1),
        turn(1, 2, False),
        turn(1, 3),
        turn(2, 1),
        turn(2, 2, None),
        *(turn(3, n) for n in range(1, 7)),
    ]
    # Workers finish in any order.
    for order in (records, records[::-1]):
        dialogue = figures_of(order).dialogue
        assert dialogue.questions.shares["test_suite"] == Share(11, 12)
        assert dialogue.interactions.shares["test_suite"] == Share(2, 3)
        assert (dialogue.interactions.items, dialogue.interactions.no_verdict("test_suite")) == (4, 1)
        assert dialogue.interactions.lucky_passes == 1
        assert {g.name: g.items for g in dialogue.turns} == {"1": 4, "2": 4, "3": 2, "4": 1, "> 4": 2}


def test_partial_matching_is_averaged_over_those_that_have_the_component():
    whole = {"select": (1, 1, 1), "where": (1, 1, 1)}
    wrong_where = {"select": (1, 1, 1), "where": (2, 1, 1)}
    only_predicted = {"select": (1, 1, 0), "where": (1, 0, 0)}
    unparsed = {"select": (0, 1, 0)}
    records = [
        record(exact=True, hardness="easy", partial=whole),
        record(exact=False, hardness="easy", partial=wrong_where),
        record(exact=False, hardness="hard", partial=only_predicted),
        record(exact=False, hardness="hard", partial=unparsed),
        record(exact=None, hardness="unknown", partial=None),
    ]
    found = figures_of(records, "match")
    assert found.partial_items == 4
    select, where = found.partial["all"]["select"], found.partial["all"]["where"]
    assert (select.accuracy, select.predictions) == (pytest.approx(2 / 3), 3)
    assert (select.recall, select.golds) == (pytest.approx(1 / 2), 4)
    assert select.f1 == pytest.approx(2 * (2 / 3) * (1 / 2) / (2 / 3 + 1 / 2))
    assert (where.accuracy, where.predictions, where.recall, where.golds) == (pytest.approx(1 / 3), 3, 0.5, 2)
    # As the published script has it: where both are 0, F1 is 1.
    assert found.partial["hard"]["where"].f1 == 1
    listed = found.to_dict()["partial"]
    assert listed["items"] == 4 and list(listed["by"]["easy"]) == ["select", "where"]
    assert figures_of(records, "exec").partial is None


def test_bird():
    found = figures_of(
        [
            record(bird_ex=True, bird_soft_f1=1.0, difficulty="simple"),
            record(bird_ex=False, bird_soft_f1=0.5, difficulty="challenging"),
        ]
    )
    assert [m.name for m in found.measures] == ["execution", "test_suite", "bird_ex"]
    assert found.total.soft_f1.value == 0.75
    assert [g.name for g in found.by["difficulty"]] == ["simple", "challenging"]


def test_figures_are_json_and_do_not_hang_on_order():
    records = [turn(n, t, (n + t) % 3 > 0, hardness="easy", db=f"d{n}") for n in range(3) for t in (1, 2)]
    one, other = (json.dumps(figures_of(order, "all").to_dict()) for order in (records, records[::-1]))
    assert one == other


def test_numbers_in_names_count():
    assert sorted(["10", "9", "x10", "x9", "a"], key=natural) == ["9", "10", "a", "x9", "x10"]
