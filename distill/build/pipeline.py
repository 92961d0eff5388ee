"""The phases of one schema, in order, from candidates to files."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from distill.assumed import assumed_schema
from distill.build.audit import audit
from distill.build.choice import choose
from distill.build.golds import AskedGolds, ask_golds, check_golds, distinct_golds
from distill.build.nearness import Nearness, at, find_neighbours, joined, on_instances
from distill.build.options import BuildOutcome, BuildTask, Clock, seeded_rng
from distill.build.record import describe_suite
from distill.build.settling import settle_left
from distill.build.shrinking import shrink_suite
from distill.fuzz import generate, suite_storage
from distill.matrix import ask_gold
from distill.neighbours import NeighbourMaker
from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Referee
from testsuite.engine.session import Session
from testsuite.schema import Storage
from testsuite.score.run import ScoreOptions
from testsuite.shrink import Bounds
from testsuite.suite import Row, Stack, concat, save_suite, stack_rows


def _with_searched(
    contents: Sequence[Mapping[str, Sequence[Row]]],
    near: Nearness,
    stack: Stack,
    storage: Mapping[tuple[str, str], Storage],
    golds: AskedGolds,
    evaluator: Callable[[Stack], Evaluator],
) -> tuple[Nearness, Stack]:
    """What searches found as further candidates, on which every neighbour is run like on the others."""
    found = stack_rows(stack.schema, contents, storage)
    searched = evaluator(found)
    answers = [ask_gold(searched, gold.sql) for gold in golds.texts]
    return joined(near, on_instances(near, searched, answers)), concat([stack, found])


def build_suite(task: BuildTask, session: Session) -> BuildOutcome:
    """Build, write and describe the suite of one schema."""
    clock, started = Clock(), time.perf_counter()
    options, schema = task.options, task.schema
    now = ScoreOptions(now=options.now).instant
    rng = seeded_rng(options.seed, schema.db_id)
    storage = suite_storage(schema, task.shipped)
    shipped = None if task.shipped is None else stack_rows(schema, [task.shipped], storage)
    runnable, broken = check_golds(Referee(stack_rows(schema, [], storage)), distinct_golds(task.golds))
    generated = generate(schema, [gold.sql for gold in runnable], shipped, options.instances, rng, options.policies)
    stack = generated if shipped is None else concat([shipped, generated])
    origins = ["shipped"] * (shipped is not None) + ["generated"] * generated.count
    clock.lap("generate")

    def evaluator(content: Stack) -> Evaluator:
        session.load(content)
        return Evaluator(content, session, Referee(content), now)

    candidates = evaluator(stack)
    golds = ask_golds(candidates, runnable, broken)
    clock.lap("golds")
    assumed = assumed_schema(schema, task.shipped, options.policies)
    maker = NeighbourMaker(assumed, [gold.sql for gold in golds.texts])
    near = find_neighbours(candidates, golds.answers, maker, options.neighbours, rng)
    maker.close()
    clock.lap("neighbours")
    if options.search:
        settlement = settle_left(task, assumed, storage, golds.answers, near)
        near = settlement.near
        clock.lap("settle")
        if settlement.contents:
            near, stack = _with_searched(settlement.contents, near, stack, storage, golds, evaluator)
            origins += ["searched"] * len(settlement.contents)
            clock.lap("widen")

    texts = [gold.sql for gold in golds.texts]
    fixed = (0,) if shipped is not None else ()
    candidates = Evaluator(stack, None, Referee(stack), now, engine="sqlite")
    choice = choose(candidates, texts, near, options.cover, fixed, rng)
    candidates.referee.close()
    clock.lap("cover")
    final, near = stack.take(choice.kept), at(near, choice.kept)
    if options.rows:
        bounds = Bounds.of(schema, storage, task.shipped, options.policies.nulls, least=int(options.empty_tables == 0))
        shrunk = shrink_suite(final, near, choice, texts, bounds, options.rows, options.cover, fixed, rng, evaluator)
        final, near, choice = shrunk.stack, shrunk.near, shrunk.choice
        clock.lap("shrink")
    found = audit(evaluator(final), texts)
    clock.lap("audit")
    manifest = describe_suite(task, final, origins, golds, near, choice, found)
    save_suite(task.output, final, manifest)
    session.unload(schema.db_id)
    clock.lap("write")
    return BuildOutcome(schema.db_id, manifest, time.perf_counter() - started, phases=clock.phases)
