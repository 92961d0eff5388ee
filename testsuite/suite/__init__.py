"""Suites: stacked instances of a schema, and their files."""

from testsuite.suite.export import export_sqlite
from testsuite.suite.manifest import GoldNote, InstanceNote, Manifest
from testsuite.suite.stack import DirtyCell, Row, Stack, StackedTable, Value, choose_storage, concat, fits, stack_rows
from testsuite.suite.store import Suite, check_suite, instance_id, list_suites, load_suite, read_manifest, save_suite

__all__ = [
    "DirtyCell",
    "GoldNote",
    "InstanceNote",
    "Manifest",
    "Row",
    "Stack",
    "StackedTable",
    "Suite",
    "Value",
    "check_suite",
    "choose_storage",
    "concat",
    "export_sqlite",
    "fits",
    "instance_id",
    "list_suites",
    "load_suite",
    "read_manifest",
    "save_suite",
    "stack_rows",
]
