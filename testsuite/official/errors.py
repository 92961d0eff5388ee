"""The one error of the official parser."""

from __future__ import annotations


class NotParsed(Exception):
    """A query outside the small language the published parser takes; the message says where it stopped."""
