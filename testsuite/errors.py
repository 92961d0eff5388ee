"""Errors for people: what was wrong, where, and what to do.

    SuiteError                 anything this project reports without a traceback (exit code 2)
    ├── InputError             a file or an argument is not what it should be
    ├── SuiteFileError         a suite on disk is missing, damaged or of another format
    └── EngineError            an engine could not do what it was asked (never a verdict)

Every class takes one message, so each survives pickling between worker processes.
"""

from __future__ import annotations


class SuiteError(Exception):
    """Base of all errors shown to a person as one clear message."""


class InputError(SuiteError):
    """A file, a line, an item or an argument is wrong; the message names it and says what to do."""


class SuiteFileError(SuiteError):
    """A suite on disk is missing, damaged or of another format version."""


class EngineError(SuiteError):
    """An engine could not do what it was asked to; never evidence about a query."""
