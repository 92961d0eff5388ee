"""``Scorer``: the same verdicts as ``testsuite score``, pair by pair, from engines that stay warm."""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

from testsuite.errors import EngineError, InputError, SuiteFileError
from testsuite.records import Fate, Item, ItemResult
from testsuite.score.exact import MatchTables, tables_of_file, tables_of_schema, with_match
from testsuite.score.options import ScoreOptions
from testsuite.score.pool import Lost
from testsuite.score.run import Task, audited, item_deadline, lost_result, with_context
from testsuite.score.sources import find_sources, source_schema
from testsuite.score.worker import WorkerConfig
from testsuite.scorer.alone import Alone
from testsuite.scorer.crew import Crew

Pair = Item | tuple[str, str, str]
_Key = tuple[str, str, str, tuple[str, ...], bool]


class Scorer:
    """Scores pairs over suites, and keeps workers, suites, gold answers, translations and verdicts for the next call.

    A context manager; safe for threads. Verdicts are those of ``testsuite score`` with the same options, and a pair
    that was scored before is answered from memory (``seconds`` are then those of the first time). What failed outside
    the queries (fate ``infrastructure``) is not remembered.

    Args:
        suites: directory with one suite folder per db_id, as ``distill build`` writes it. All its suites are checked.
        options: policies and budgets; the defaults where None.
        jobs: worker processes; None for one per core, 0 for none: all runs in one thread of this process, where a
            query that passes every budget cannot be killed.
        tables: tables.json, for exact set match and hardness; the suites' own schemas where None.
        cache_size: pairs whose verdicts are kept, least recently used ones go first.

    Raises:
        InputError: ``jobs`` or ``tables`` is wrong.
        SuiteFileError: a suite is damaged, or there is none.
    """

    def __init__(
        self,
        suites: str | Path,
        options: ScoreOptions | None = None,
        jobs: int | None = None,
        *,
        tables: str | Path | None = None,
        cache_size: int = 200_000,
    ) -> None:
        if jobs is not None and jobs < 0:
            raise InputError(f"jobs={jobs}: a number of worker processes is expected, 0 for none")
        self.options = options = options or ScoreOptions()
        self.suites = Path(suites)
        if not self.suites.is_dir():
            raise SuiteFileError(f"{self.suites}: no such directory; build suites with `distill build`")
        names = sorted(path.name for path in self.suites.iterdir() if path.is_dir())
        files_will_do = options.semantics == "official" or not options.executes
        sources = find_sources(self.suites, names, take_files=files_will_do)
        if not sources:
            raise SuiteFileError(f"{self.suites}: holds no suite; build some with `distill build`")
        listed = {} if tables is None else tables_of_file(Path(tables))
        self._scratch = tempfile.TemporaryDirectory(prefix="testsuite-scorer-")
        self._config = WorkerConfig(options, sources, listed, Path(self._scratch.name))
        self._tables: dict[str, MatchTables] = dict(listed)
        self._cache: OrderedDict[_Key, ItemResult] = OrderedDict()
        self._cache_size = cache_size
        self._lock = threading.Lock()
        self._closed = False
        count = len(os.sched_getaffinity(0)) if jobs is None else jobs
        self._crew: Crew | Alone = Crew(self._config, count, self._deadline) if count else Alone(self._config)

    @property
    def db_ids(self) -> tuple[str, ...]:
        """Databases that there is a suite for."""
        return tuple(self._config.sources)

    def score(self, items: Iterable[Pair]) -> list[ItemResult]:
        """The results of many pairs, in their order.

        Args:
            items: ``Item`` records, or tuples ``(gold, prediction, db_id)``, whose ids are their places from 0.

        Raises:
            EngineError: the scorer was closed.
        """
        given = [_item(pair, str(place)) for place, pair in enumerate(items)]
        results: list[ItemResult | None] = [None] * len(given)
        asked: dict[_Key, list[int]] = {}
        for place, item in enumerate(given):
            key = self._key(item)
            known = self._known(key)
            if known is None:
                asked.setdefault(key, []).append(place)
            else:
                results[place] = _of_item(known, item)
        if asked:
            # Pairs of one suite and gold stand together, so that a worker finds both warm.
            keys = sorted(asked, key=lambda key: key[:2])
            for key, result in zip(keys, self._fresh([given[asked[key][0]] for key in keys], keys), strict=True):
                for place in asked[key]:
                    results[place] = _of_item(result, given[place])
        return [result for result in results if result is not None]

    def check(self, gold: str, prediction: str, db_id: str) -> ItemResult:
        """The result of one pair. EngineError where the scorer was closed."""
        item = Item("0", db_id, gold, prediction)
        key = self._key(item)
        known = self._known(key)
        return _of_item(self._fresh([item], [key])[0] if known is None else known, item)

    async def ascore(self, items: Iterable[Pair]) -> list[ItemResult]:
        """``score`` for coroutines: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.score, list(items))

    async def acheck(self, gold: str, prediction: str, db_id: str) -> ItemResult:
        """``check`` for coroutines."""
        item = Item("0", db_id, gold, prediction)
        key = self._key(item)
        known = self._known(key)
        if known is not None:
            return _of_item(known, item)
        self._open()
        if db_id not in self._config.sources:
            return self._missing(item)
        outcome = await asyncio.wrap_future(self._crew.submit([self._task(item)])[0])
        return self._kept(key, self._result(item, outcome))

    def close(self) -> None:
        """End the workers and free everything; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        self._crew.close()
        self._scratch.cleanup()

    def __enter__(self) -> Scorer:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _open(self) -> None:
        if self._closed:
            raise EngineError("the scorer was closed; open a new one")

    def _key(self, item: Item) -> _Key:
        audit = self.options.audit > 0 and audited(item, self.options.audit)
        return item.db_id, item.gold, item.prediction, item.accepted, audit

    def _known(self, key: _Key) -> ItemResult | None:
        with self._lock:
            known = self._cache.get(key)
            if known is not None:
                self._cache.move_to_end(key)
            return known

    def _kept(self, key: _Key, result: ItemResult) -> ItemResult:
        if result.fate is not Fate.INFRASTRUCTURE and self._cache_size > 0:
            with self._lock:
                self._cache[key] = result
                while len(self._cache) > self._cache_size:
                    self._cache.popitem(last=False)
        return result

    def _fresh(self, items: Sequence[Item], keys: Sequence[_Key]) -> list[ItemResult]:
        self._open()
        here = [item for item in items if item.db_id in self._config.sources]
        futures: list[Future[ItemResult | Lost]] = (
            self._crew.submit([self._task(item) for item in here]) if here else []
        )
        waiting = iter(futures)
        return [
            self._kept(key, self._result(item, next(waiting).result()))
            if item.db_id in self._config.sources
            else self._missing(item)
            for item, key in zip(items, keys, strict=True)
        ]

    def _task(self, item: Item) -> Task:
        return Task(item, audited(item, self.options.audit))

    def _deadline(self, task: Task) -> float:
        return item_deadline(self._config, 1 + len(task.item.accepted))

    def _missing(self, item: Item) -> ItemResult:
        message = f"no suite for database {item.db_id!r} in {self.suites}"
        result = ItemResult(item.id, item.db_id, Fate.INFRASTRUCTURE, None, None, message=message)
        known = self._tables.get(item.db_id)
        return result if known is None else with_match(result, item, known, self.options)

    def _result(self, item: Item, outcome: ItemResult | Lost) -> ItemResult:
        if not isinstance(outcome, Lost):
            return outcome
        tables = self._tables.get(item.db_id)
        if tables is None:
            tables = self._tables[item.db_id] = tables_of_schema(source_schema(self._config.sources[item.db_id]))
        return with_match(lost_result(item, outcome, self.options), item, tables, self.options)


def _item(pair: Pair, id: str) -> Item:
    if isinstance(pair, Item):
        return pair
    try:
        gold, prediction, db_id = pair
    except (TypeError, ValueError):
        raise InputError(f"pair {id}: an Item or (gold, prediction, db_id) is expected, not {pair!r:.80}") from None
    return Item(id, db_id, gold, prediction)


def _of_item(result: ItemResult, item: Item) -> ItemResult:
    """The result of a pair as the record of one of the items that hold it."""
    if item.gold_joined or item.difficulty is not None or item.interaction is not None:
        result = with_context(result, item)
    return result if result.id == item.id else replace(result, id=item.id)
