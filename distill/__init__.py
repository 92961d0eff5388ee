"""Distil suites of database instances that separate near-miss queries from golds."""
