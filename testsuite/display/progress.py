"""Progress: a bar on a terminal, a plain line every tenth of the way elsewhere. Always on standard error."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Reporter:
    """Reports how many of ``total`` things are done. Use as a context manager."""

    def __init__(self, label: str, total: int) -> None:
        self._label, self._total, self._tenth = label, total, 0
        self._bar: Progress | None = None
        if sys.stderr.isatty():
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(label, total=total)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def resize(self, total: int) -> None:
        """The number of things turned out to be ``total``."""
        if total != self._total:
            self._total = total
            if self._bar is not None:
                self._bar.update(self._task, total=total)

    def update(self, done: int, note: str = "") -> None:
        """``done`` of the total are finished; ``note`` says what the last one was."""
        if self._bar is not None:
            self._bar.update(self._task, completed=done, description=f"{self._label} {note}".strip())
            return
        tenth = 10 * done // max(self._total, 1)
        if tenth > self._tenth:
            self._tenth = tenth
            print(f"{self._label}: {done} of {self._total} {note}".rstrip(), file=sys.stderr, flush=True)
