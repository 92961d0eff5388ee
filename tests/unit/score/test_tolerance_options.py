"""Tolerances as options of a run: bounds, whose rules they belong to, and how they reach the comparison."""

from __future__ import annotations

import math

import pytest

from testsuite.compare import Policy
from testsuite.errors import InputError
from testsuite.score.options import ScoreOptions


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"tolerance": 1.0}, "--tolerance 1: "),
        ({"tolerance": -1e-9}, "--tolerance -1e-09"),
        ({"tolerance": math.nan}, "--tolerance nan"),
        ({"absolute_tolerance": -0.1}, "--absolute-tolerance -0.1"),
        ({"absolute_tolerance": math.inf}, "--absolute-tolerance inf"),
        ({"absolute_tolerance": math.nan}, "--absolute-tolerance nan"),
        ({"tolerance": 0.0, "semantics": "official"}, "--tolerance does not go with --semantics official"),
        ({"absolute_tolerance": 0.1, "semantics": "official"}, "--absolute-tolerance does not go with"),
    ],
)
def test_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as error:
        ScoreOptions(**given)  # type: ignore[arg-type]
    assert said in str(error.value)


def test_they_are_the_policy() -> None:
    assert ScoreOptions().policy == Policy()
    asked = ScoreOptions(columns="strict", tolerance=0.0, absolute_tolerance=0.01)
    assert asked.policy == Policy(columns="strict", relative=0.0, absolute=0.01)


def test_strict_rules_say_that_they_keep_distinct() -> None:
    assert ScoreOptions().deciding()["keep_distinct"] is True
    assert ScoreOptions(semantics="official").deciding()["keep_distinct"] is False
    assert "tolerance" not in ScoreOptions(semantics="official").deciding()
