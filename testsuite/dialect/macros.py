"""DuckDB macros that translated text uses; a session creates them."""

from __future__ import annotations

_UPPER, _LOWER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
_BLANK = r"[ \t\n\v\f\r]*"
_NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"

MACROS: tuple[str, ...] = (
    # ASCII letters only, as SQLite's LIKE and NOCASE fold.
    f"CREATE MACRO sq_lower(x) AS translate(x, '{_UPPER}', '{_LOWER}')",
    # An integer as DOUBLE; beyond 2**53 it would not be exact, and the instance goes elsewhere.
    "CREATE MACRO sq_double(x) AS CASE WHEN x IS NULL THEN NULL"
    " WHEN x BETWEEN -9007199254740992 AND 9007199254740992 THEN CAST(x AS DOUBLE)"
    " ELSE CAST(error('inexact integer') AS DOUBLE) END",
    # A text under numeric affinity against numbers: its number, or NaN (above all numbers) where it stays text.
    "CREATE MACRO sq_number(x) AS CASE WHEN x IS NULL THEN NULL"
    f" WHEN NOT regexp_full_match(x, '{_BLANK}{_NUMBER}{_BLANK}') THEN CAST('nan' AS DOUBLE)"
    " WHEN length(x) > 15 THEN CAST(error('inexact number in a text') AS DOUBLE)"
    r" ELSE CAST(regexp_replace(x, '\s', '', 'g') AS DOUBLE) END",
    # A text that no affinity turns into a number, against numbers.
    "CREATE MACRO sq_nan(x) AS CASE WHEN x IS NULL THEN NULL ELSE CAST('nan' AS DOUBLE) END",
)
