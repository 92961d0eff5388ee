"""The verdict on one pair as the published script gives it, as a record of ours.

Its rules are in ``testsuite.official``, all of them.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from testsuite.official import OfficialVerdict, ReadOnlyFiles, official_equal, replaced_value
from testsuite.records import Fate, Item, ItemResult
from testsuite.schema import Schema
from testsuite.score.sources import Source, source_schema
from testsuite.suite import Suite, export_sqlite, load_suite

_FATES = {
    "gold_error": Fate.GOLD_ERROR,
    "gold_timeout": Fate.GOLD_TIMEOUT,
    "prediction_error": Fate.PREDICTION_ERROR,
    "prediction_timeout": Fate.PREDICTION_TIMEOUT,
}
_FLAGS = ("capped", "equal_plugged")


@dataclass(frozen=True, slots=True)
class OfficialInstances:
    """SQLite files of one database.

    ``paths``: smallest first. ``names``: by file name, the name an instance has in records. ``shipped``: one of the
    paths, or None.
    """

    schema: Schema
    paths: tuple[Path, ...]
    names: Mapping[str, str]
    shipped: Path | None


def open_instances(source: Source, scratch: Path) -> OfficialInstances:
    """The files of a source; a suite's instances are written under ``scratch`` first, unless they are there.

    Raises:
        SuiteFileError: the suite is damaged.
        InputError: the files cannot be written.
    """
    if source.files:
        names = {path.name: path.stem for path in source.files}
        return OfficialInstances(source_schema(source), source.files, names, source.shipped_file)
    suite = load_suite(source.folder)
    folder = _exported(suite, scratch)
    shipped, number, names = suite.manifest.shipped, 0, {}
    for instance, note in enumerate(suite.manifest.instances):
        number += instance != shipped
        names[f"{suite.db_id}.sqlite" if instance == shipped else f"{suite.db_id}_{number:04d}.sqlite"] = note.id
    paths = sorted((folder / name for name in names), key=lambda path: (path.stat().st_size, path.name))
    first = None if shipped is None else folder / f"{suite.db_id}.sqlite"
    return OfficialInstances(suite.stack.schema, tuple(paths), names, first)


def shipped_file(source: Source, suite: Suite, scratch: Path) -> Path | None:
    """A file with the shipped instance of a suite: the one the suite was made of, else one written under ``scratch``.

    None where the suite has no shipped instance. InputError where the file cannot be written.
    """
    shipped = suite.manifest.shipped
    if source.shipped_file is not None or shipped is None:
        return source.shipped_file
    notes = (suite.manifest.instances[shipped],)
    alone = Suite(suite.stack.take([shipped]), replace(suite.manifest, instances=notes))
    place = scratch / "shipped"
    place.mkdir(exist_ok=True)
    return _exported(alone, place) / f"{suite.db_id}.sqlite"


def _exported(suite: Suite, scratch: Path) -> Path:
    """The folder under ``scratch`` with a suite's instances as files, written unless it is there.

    Workers may write at the same time: each does so beside, and the first to finish gives its folder the name.
    """
    folder = scratch / suite.db_id
    if not folder.is_dir():
        own = Path(tempfile.mkdtemp(dir=scratch))
        for path in export_sqlite(suite, own):
            path.chmod(0o444)
        try:
            (own / suite.db_id).rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
        shutil.rmtree(own, ignore_errors=True)
    return folder


@dataclass(frozen=True)
class OfficialJudge:
    """Scores pairs as the published script does.

    Args:
        instances: what to run on.
        files: open connections, shared by the judges of a process.
        timeout: seconds, as ``official_equal`` takes them.
    """

    instances: OfficialInstances
    files: ReadOnlyFiles
    keep_distinct: bool = False
    plug_value: bool = False
    timeout: float = 30.0

    def judge(self, item: Item) -> ItemResult:
        """The result of one item. Never raises for anything the two queries do."""
        started = time.perf_counter()
        return replace(self._judge(item), seconds=round(time.perf_counter() - started, 6))

    def _judge(self, item: Item) -> ItemResult:
        if not item.prediction.strip():
            # The script has no way to say so: an empty line ends an interaction there.
            return ItemResult(item.id, item.db_id, Fate.INVALID_PREDICTION, False, False, message="empty")
        verdict = self._verdict(item, self.instances.paths)
        execution = self._execution(item, verdict)
        flags: list[str] = [flag for flag in _FLAGS if flag == verdict.reason]
        if verdict.equal is False and execution:
            flags.append("lucky_pass")
        failed = () if verdict.instance is None else (self.instances.names[verdict.instance],)
        return ItemResult(
            item.id,
            item.db_id,
            _FATES.get(verdict.reason, Fate.OK),
            verdict.equal,
            execution,
            instances=len(self.instances.paths),
            failed_on=failed if verdict.equal is False else (),
            path="sqlite",
            path_reason="official semantics",
            flags=tuple(flags),
            message=verdict.message,
            plugged=verdict.reason == "equal_plugged",
            plug_candidates=verdict.candidates - 1 if self.plug_value else None,
            plug_tried=verdict.tried - 1 if self.plug_value else None,
        )

    def _verdict(self, item: Item, paths: tuple[Path, ...]) -> OfficialVerdict:
        return official_equal(
            item.gold,
            replaced_value(item.prediction),
            paths,
            keep_distinct=self.keep_distinct,
            plug_value=self.plug_value,
            timeout=self.timeout,
            files=self.files,
        )

    def _execution(self, item: Item, verdict: OfficialVerdict) -> bool | None:
        """The same verdict on the shipped instance alone."""
        shipped = self.instances.shipped
        if shipped is None or verdict.equal:
            return None if shipped is None else True
        if verdict.reason == "different" and verdict.instance == shipped.name and verdict.candidates == 1:
            return False
        return self._verdict(item, (shipped,)).equal
