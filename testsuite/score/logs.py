"""Logging across processes: workers' records reach the parent's handlers, each with the item it is about.

multiprocessing-logging does the work, over a queue of ours: its own, a ``multiprocessing.Queue``, is guarded by a lock
that a worker killed while it logs never gives back.
"""

from __future__ import annotations

import logging
import multiprocessing
import pickle
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty

import multiprocessing_logging

FORMAT = "%(levelname)s %(name)s%(item)s: %(message)s"

_LARGEST = 60_000
_SEND_SECONDS = 2.0
_item = ""


@contextmanager
def about(item_id: str, db_id: str) -> Iterator[None]:
    """Records logged inside are about this item."""
    global _item
    before, _item = _item, f" [item {item_id} of {db_id}]"
    try:
        yield
    finally:
        _item = before


class ItemFilter(logging.Filter):
    """Gives every record the attribute ``item`` that ``FORMAT`` asks for: which item it is about, or nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through."""
        record.item = getattr(record, "item", _item)
        return True


class DatagramQueue:
    """What multiprocessing-logging needs of a queue, over a pair of datagram sockets.

    A datagram is sent whole or not at all, by the kernel: there is neither a lock nor a feeding thread. A record is
    dropped where the reader falls behind for ``_SEND_SECONDS``; no run waits for its log.
    """

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._writer.settimeout(_SEND_SECONDS)

    def put_nowait(self, record: logging.LogRecord) -> None:
        """Send a record; one that is too large is cut."""
        data = pickle.dumps(record)
        if len(data) > _LARGEST:
            record.msg = str(record.msg)[: _LARGEST // 8] + " .. (cut)"
            record.exc_text = None if record.exc_text is None else record.exc_text[-_LARGEST // 8 :]
            data = pickle.dumps(record)
        with suppress(OSError):
            self._writer.send(data)

    def get(self, timeout: float) -> logging.LogRecord:
        """The next record; ``queue.Empty`` after that many seconds without any."""
        if not select.select([self._reader], [], [], timeout)[0]:
            raise Empty
        try:
            record: logging.LogRecord = pickle.loads(self._reader.recv(4 * _LARGEST))
        except Exception as error:
            # One record that can't be read must not end the thread that reads all of them.
            raise Empty from error
        return record

    def qsize(self) -> int:
        """1 where a record waits, else 0."""
        return len(select.select([self._reader], [], [], 0)[0])

    def close(self) -> None:
        """Close both ends in this process."""
        self._reader.close()
        self._writer.close()

    def join_thread(self) -> None:
        """There is no thread to wait for."""


class _Handler(multiprocessing_logging.MultiProcessingHandler):  # type: ignore[misc]
    """The handler of multiprocessing-logging, over a queue without locks."""

    def __init__(self, name: str, sub_handler: logging.Handler) -> None:
        # Its constructor makes the queue and starts the thread that reads it, so the queue must be there first.
        self._own = DatagramQueue()
        super().__init__(name, sub_handler)

    @property
    def queue(self) -> DatagramQueue:
        return self._own

    @queue.setter
    def queue(self, queue: object) -> None:
        close = getattr(queue, "close", None)
        if close is not None:
            close()


def share_logging() -> None:
    """Let workers log through this process's handlers; a handler is wrapped once, however many pools come."""
    if multiprocessing.get_start_method(allow_none=True) is None:
        multiprocessing.set_start_method("fork")
    root = logging.getLogger()
    if multiprocessing.get_start_method() != "fork":
        return
    for number, handler in enumerate(list(root.handlers)):
        if isinstance(handler, multiprocessing_logging.MultiProcessingHandler):
            continue
        root.removeHandler(handler)
        root.addHandler(_Handler(f"log-{number}", handler))
