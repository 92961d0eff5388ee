"""The one error of the official parser."""

from __future__ import annotations


class NotParsed(Exception):  # noqa: N818 - an outcome, not a fault
    """A query outside the small language the published parser takes; the message says where it stopped."""
