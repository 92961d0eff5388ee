"""One thread that stops queries whose time is up, instead of one per query."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable

_IDLE_SECONDS = 60.0


class Watch:
    """Calls ``stop`` when an armed deadline passes before it is disarmed.

    The thread starts at the first deadline, again after a fork, and ends when nothing was armed for a minute. ``stop``
    is called under the lock that ``disarm`` takes: once ``disarm`` has returned, no call for that deadline can come.

    Args:
        stop: what interrupts the query; held weakly if it is a method, so that a watch keeps no session alive.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop: Callable[[], Callable[[], None] | None]
        self._stop = weakref.WeakMethod(stop) if hasattr(stop, "__self__") else lambda: stop
        self._reset()

    def _reset(self) -> None:
        self._process = os.getpid()
        self._changed = threading.Condition()
        self._running = False
        self._deadline: float | None = None
        self._wakes = 0.0

    def arm(self, seconds: float) -> None:
        """Stop what runs from now on after so many seconds. Replaces an earlier deadline."""
        if self._process != os.getpid():
            self._reset()  # threads, and who held the lock, do not survive a fork
        deadline = time.monotonic() + seconds
        with self._changed:
            self._deadline = deadline
            if not self._running:
                self._running = True
                self._wakes = 0.0
                threading.Thread(target=self._watch, name="query watch", daemon=True).start()
            elif deadline < self._wakes:
                self._changed.notify()

    def disarm(self) -> None:
        """The query is over."""
        with self._changed:
            self._deadline = None

    def _watch(self) -> None:
        with self._changed:
            idle = 0
            while idle < 2:
                now = time.monotonic()
                if self._deadline is not None and self._deadline <= now:
                    self._deadline = None
                    stop = self._stop()
                    if stop is None:
                        break
                    stop()
                # Not woken for every query: a later deadline is looked at when this sleep ends.
                idle = idle + 1 if self._deadline is None else 0
                self._wakes = now + _IDLE_SECONDS if self._deadline is None else self._deadline
                self._changed.wait(max(0.0, self._wakes - now))
            self._running = False
