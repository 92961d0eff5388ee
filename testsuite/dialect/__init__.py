"""SQLite's meaning in DuckDB: translation of queries, rule by rule, and refusal of the rest."""

from __future__ import annotations

from testsuite.dialect.translate import Translation, translate
from testsuite.dialect.types import Refused

__all__ = ["Refused", "Translation", "translate"]
