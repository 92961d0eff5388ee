"""The warm scorer: verdicts of a whole run, kept apart from what happens to its workers."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import testsuite
from testsuite import Scorer
from testsuite.benchmark import BenchmarkPaths, materialise
from testsuite.errors import EngineError, InputError, SuiteFileError
from testsuite.records import Fate, Item, ItemResult
from testsuite.rewards import Reward, exact, partial, reward_of
from testsuite.schema import Affinity, Column, Schema, Table
from testsuite.score.files import read_items
from testsuite.score.options import ScoreOptions
from testsuite.score.run import score_files
from testsuite.suite import InstanceNote, Manifest, instance_id, save_suite, stack_rows
from testsuite.suite.importing import read_files

SCHEMA = Schema(
    "shop",
    (
        Table(
            "item",
            (
                Column("id", "INTEGER", Affinity.INTEGER, not_null=True),
                Column("name", "TEXT", Affinity.TEXT),
                Column("price", "INTEGER", Affinity.INTEGER),
            ),
            primary_key=("id",),
        ),
    ),
)
ROWS = [
    [(1, "pen", 2), (2, "cup", 5)],
    [(1, "pen", 7), (2, "cup", 3), (3, None, 9)],
    [(1, "ink", 4)],
    [],
]
HANG = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c a, c b WHERE a.x < b.x"


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suites")
    stack = stack_rows(SCHEMA, [{"item": rows} for rows in ROWS])
    notes = tuple(InstanceNote(instance_id(stack, n), "shipped" if not n else "generated", 0, 0) for n in range(4))
    save_suite(folder, stack, Manifest("shop", notes, seed=1))
    return folder


@pytest.fixture(scope="module", params=[0, 2])
def scorer(suites: Path, request: pytest.FixtureRequest) -> Iterator[Scorer]:
    with Scorer(suites, ScoreOptions(timeout=2.0, gold_timeout=2.0), jobs=request.param) as opened:
        yield opened


PAIRS = [
    ("SELECT name FROM item", "SELECT item.name FROM item", "shop"),
    ("SELECT name FROM item", "SELECT name FROM item WHERE price < 8", "shop"),
    ("SELECT name FROM item", "SELECT nothing FROM item", "shop"),
    ("SELECT no FROM item", "SELECT name FROM item", "shop"),
    ("SELECT name FROM item", "SELECT name FROM item", "no_such_database"),
]


def test_results_keep_the_order_of_the_pairs(scorer: Scorer) -> None:
    results = scorer.score([*PAIRS, *reversed(PAIRS)])
    assert [r.id for r in results] == [str(n) for n in range(10)]
    fates = [Fate.OK, Fate.OK, Fate.INVALID_PREDICTION, Fate.GOLD_ERROR, Fate.INFRASTRUCTURE]
    assert [r.fate for r in results] == fates + fates[::-1]
    assert [r.test_suite for r in results[:5]] == [True, False, False, None, None]
    assert "no_such_database" in results[4].message


def test_items_keep_their_ids_and_context(scorer: Scorer) -> None:
    gold, prediction, db_id = PAIRS[0]
    items = [Item(f"q{n}", db_id, gold, prediction, interaction=n, turn=2, gold_joined=n == 1) for n in range(2)]
    first, second = scorer.score(items)
    assert (first.id, first.interaction, first.turn, first.flags) == ("q0", 0, 2, ())
    assert (second.id, second.interaction, "gold_joined" in second.flags) == ("q1", 1, True)
    assert scorer.check(gold, prediction, db_id).flags == ()


def test_accepted_golds_are_part_of_the_question(scorer: Scorer) -> None:
    item = Item("a", "shop", "SELECT name FROM item", "SELECT price FROM item")
    other = replace(item, id="b", accepted=("SELECT price FROM item",))
    assert [r.test_suite for r in scorer.score([item, other])] == [False, True]


def test_check_is_score_of_one_pair(scorer: Scorer) -> None:
    for pair, result in zip(PAIRS, scorer.score(PAIRS), strict=True):
        assert _bare(scorer.check(*pair)) == replace(_bare(result), id="0")


def test_coroutines(scorer: Scorer) -> None:
    async def main() -> tuple[list[ItemResult], list[ItemResult]]:
        checked = await asyncio.gather(*(scorer.acheck(*pair) for pair in PAIRS))
        return await scorer.ascore(PAIRS), list(checked)

    scored, checked = asyncio.run(main())
    assert [replace(_bare(r), id="0") for r in scored] == [_bare(r) for r in checked]


def test_many_threads(scorer: Scorer) -> None:
    golds = [f"SELECT name FROM item WHERE price > {n}" for n in range(20)]
    found: dict[int, list[bool | None]] = {}

    def ask(number: int) -> None:
        pairs = [(gold, f"SELECT name FROM item WHERE price >= {number}", "shop") for gold in golds]
        found[number] = [result.test_suite for result in scorer.score(pairs)]

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, verdicts in found.items():
        # No price is 0.
        assert verdicts[max(0, number - 1)] is True
        assert verdicts[number + 1] is (number == 0)


def test_a_hanging_query_costs_one_item(scorer: Scorer) -> None:
    pairs = [PAIRS[0], (PAIRS[0][0], HANG, "shop"), ("SELECT price FROM item", "SELECT price FROM item", "shop")]
    results = scorer.score(pairs)
    assert [r.fate for r in results] == [Fate.OK, Fate.PREDICTION_TIMEOUT, Fate.OK]


def test_a_killed_worker_costs_one_item_at_most(suites: Path) -> None:
    with Scorer(suites, ScoreOptions(timeout=20.0), jobs=1, cache_size=0) as scorer:
        scorer.check(*PAIRS[0])
        (pid,) = scorer._crew.pids  # type: ignore[union-attr]
        threading.Timer(0.5, os.kill, (pid, signal.SIGKILL)).start()
        others = [(f"SELECT price + {n} FROM item", f"SELECT {n} + price FROM item", "shop") for n in range(10)]
        results = scorer.score([*others[:5], ("SELECT name FROM item", HANG, "shop"), *others[5:]])
        assert [r.fate for r in results] == [Fate.OK] * 5 + [Fate.INFRASTRUCTURE] + [Fate.OK] * 5
        assert "died" in results[5].message
        assert results[5].hardness is not None
        # What says nothing of the pair is not remembered.
        assert scorer.check(*PAIRS[1]).test_suite is False


def test_a_worker_past_its_deadline_is_killed(suites: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Scorer(suites, ScoreOptions(timeout=20.0), jobs=1) as scorer:
        scorer.check(*PAIRS[0])
        monkeypatch.setattr(scorer._crew, "_deadline", lambda task: 2.0)
        result = scorer.check("SELECT name FROM item", HANG, "shop")
        assert (result.fate, result.test_suite) == (Fate.PREDICTION_TIMEOUT, False)
        monkeypatch.undo()
        assert scorer.check(*PAIRS[1]).fate is Fate.OK


def test_a_closed_scorer_says_so(suites: Path) -> None:
    for jobs in (0, 1):
        scorer = Scorer(suites, jobs=jobs)
        scorer.check(*PAIRS[0])
        pids = getattr(scorer._crew, "pids", [])
        scorer.close()
        scorer.close()
        assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
        with pytest.raises(EngineError, match="closed"):
            scorer.check(*PAIRS[1])


def test_closing_does_not_wait_for_a_hanging_query(suites: Path) -> None:
    scorer = Scorer(suites, jobs=1)
    failed: list[BaseException] = []

    def ask() -> None:
        try:
            scorer.check("SELECT name FROM item", HANG, "shop")
        except EngineError as error:
            failed.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(1.5)
    scorer.close()
    thread.join(5)
    assert not thread.is_alive()
    assert failed


def test_bad_arguments(suites: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="jobs"):
        Scorer(suites, jobs=-1)
    with pytest.raises(SuiteFileError, match="no such directory"):
        Scorer(tmp_path / "none")
    with pytest.raises(SuiteFileError, match="distill build"):
        Scorer(tmp_path)
    with Scorer(suites, jobs=0) as scorer, pytest.raises(InputError, match="pair 0"):
        scorer.score([("SELECT 1", "shop")])  # type: ignore[list-item]
    assert testsuite.rewards.exact is exact


def test_repeated_pairs_are_answered_from_memory(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    first = scorer.score(PAIRS[:4])
    monkeypatch.setattr(scorer._crew, "submit", lambda tasks: pytest.fail("asked again"))
    assert scorer.score(PAIRS[:4]) == first


def test_the_least_recently_used_pair_goes_first(suites: Path) -> None:
    with Scorer(suites, jobs=0, cache_size=2) as scorer:
        scorer.score(PAIRS[:2])
        scorer.check(*PAIRS[0])
        scorer.check(*PAIRS[2])
        assert [key[1:3] for key in scorer._cache] == [PAIRS[0][:2], PAIRS[2][:2]]


@pytest.fixture(scope="module")
def benchmark_suites(tmp_path_factory: pytest.TempPathFactory) -> tuple[BenchmarkPaths, Path]:
    folder = tmp_path_factory.mktemp("benchmark")
    paths = materialise(folder / "benchmark")
    for database in sorted(paths.database.iterdir()):
        suite = read_files(database.name, sorted(database.glob("*.sqlite")))
        save_suite(folder / "suites", suite.stack, suite.manifest)
    return paths, folder / "suites"


@pytest.mark.parametrize("jobs", [0, 2])
def test_verdicts_are_those_of_a_whole_run(benchmark_suites: tuple[BenchmarkPaths, Path], jobs: int) -> None:
    """On the embedded benchmark, exact set match included."""
    paths, suites = benchmark_suites
    file = sorted(paths.predictions.values())[0]
    options = ScoreOptions(etype="all")
    with Scorer(suites, options, jobs) as scorer:
        warm = scorer.score(read_items(paths.gold, file))
    assert [_bare(r) for r in warm] == [_bare(r) for r in score_files(paths.gold, file, suites, options).results]


def test_rewards(scorer: Scorer) -> None:
    gold = "SELECT name FROM item"
    texts = [
        "```sql\nSELECT name FROM item\n```",
        "SELECT name FROM item WHERE price < 8",
        "SELECT price FROM item",
        "no idea",
        HANG,
        [{"role": "assistant", "content": "SELECT item.name FROM item;"}],
    ]
    golds, db_ids = [gold] * 6, ["shop"] * 6
    assert exact(scorer, texts, golds, db_ids) == [1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    # Three instances tell (the fourth is empty for both); the price matters on one of them.
    assert partial(scorer, texts, golds, db_ids) == [1.0, pytest.approx(2 / 3), 0.0, 0.0, 0.0, 1.0]


def test_empty_answers_earn_nothing(scorer: Scorer) -> None:
    empty = "SELECT name FROM item WHERE 0"
    assert partial(scorer, [empty], ["SELECT name FROM item"], ["shop"]) == [0.0]
    # The gold answers on no instance: agreeing with it shows nothing.
    never = "SELECT name FROM item WHERE price > 1000"
    assert exact(scorer, [empty], [never], ["shop"], undetermined=None) == [None]
    assert partial(scorer, [empty, "SELECT name FROM item"], [never] * 2, ["shop"] * 2, undetermined=0.5) == [0.5, 0.0]


def test_no_verdict_gives_what_the_caller_chose(scorer: Scorer) -> None:
    args = (scorer, ["SELECT 1"] * 2, ["SELECT no FROM item", "SELECT 1"], ["shop", "no_such_database"])
    assert exact(*args) == [0.0, 0.0]
    assert exact(*args, undetermined=None) == [None, None]


def test_a_wrong_query_never_earns_all() -> None:
    wrong = ItemResult("0", "d", Fate.OK, False, False, instances=4, informative=2, agreed=2, telling=3)
    assert reward_of(wrong, True, None) == pytest.approx(2 / 3)
    assert reward_of(wrong, False, None) == 0.0


def test_trainers_call_signatures(scorer: Scorer) -> None:
    reward = Reward(scorer, share=True, gold="query")
    assert reward.__name__ == "suite_partial"
    columns = {"query": ["SELECT name FROM item"], "db_id": ["shop"], "difficulty": ["easy"]}
    assert reward(prompts=["?"], completions=["SELECT name FROM item"], **columns) == [1.0]
    assert reward.compute_score("spider", "SELECT name FROM item", "SELECT name FROM item", {"db_id": "shop"}) == 1.0
    assert reward.compute_score("shop", "SELECT 1", "SELECT name FROM item") == 0.0
    with pytest.raises(InputError, match="'query'"):
        reward(completions=["SELECT 1"], db_id=["shop"])
    with pytest.raises(InputError, match="2 golds"):
        exact(scorer, ["SELECT 1"], ["SELECT 1"] * 2, ["shop"])
    with pytest.raises(InputError, match="content"):
        exact(scorer, [[{"role": "assistant"}]], ["SELECT 1"], ["shop"])


def _bare(result: ItemResult) -> ItemResult:
    return replace(result, seconds=0.0)
