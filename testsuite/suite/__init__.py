"""Suites: stacked instances of a schema, and their files."""

from testsuite.suite.cache import cache_directory, cached_folder, fill_cache, is_cached
from testsuite.suite.export import export_sqlite
from testsuite.suite.importing import read_files
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
    "cache_directory",
    "cached_folder",
    "check_suite",
    "choose_storage",
    "concat",
    "export_sqlite",
    "fill_cache",
    "fits",
    "instance_id",
    "is_cached",
    "list_suites",
    "load_suite",
    "read_files",
    "read_manifest",
    "save_suite",
    "stack_rows",
]
