"""Conventions that hold in every module, and what the README must mention."""

from __future__ import annotations

import ast
import importlib
import inspect
import pickle
import pkgutil
import re
from collections.abc import Iterator

import click
import pytest
from data import ROOT

import distill
import testsuite
from testsuite import errors

MODULES = sorted(
    module.name
    for package in (testsuite, distill)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_exports(name: str) -> None:
    """``__all__`` is complete, in the order the linter sorts it, and names nothing pytest would collect."""
    module = importlib.import_module(name)
    exported = getattr(module, "__all__", [])
    assert len(set(exported)) == len(exported)
    assert [item for item in exported if not hasattr(module, item)] == []
    assert list(exported) == sorted(exported, key=order)
    public = [item for item in exported or vars(module) if not item.startswith("_")]
    assert [item for item in public if item.startswith(("Test", "test")) and item != "testsuite"] == []


def order(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions."""
    return (0 if name.isupper() and len(name) > 1 else 1 if name[0].isupper() else 2), name


def test_errors_survive_pickling() -> None:
    classes = [c for _, c in inspect.getmembers(errors, inspect.isclass) if issubclass(c, Exception)]
    assert len(classes) >= 4
    for name in MODULES:
        module = importlib.import_module(name)
        classes += [
            c
            for _, c in inspect.getmembers(module, inspect.isclass)
            if issubclass(c, Exception) and c.__module__ == name and c not in classes
        ]
    for kind in classes:
        copy = pickle.loads(pickle.dumps(kind("what was wrong")))
        assert type(copy) is kind and str(copy) == str(kind("what was wrong"))


def commands(name: str) -> Iterator[tuple[str, click.Command]]:
    group = getattr(importlib.import_module(f"{name}.cli"), "commands", None)
    if isinstance(group, click.Group):
        for word, command in group.commands.items():
            yield f"{name} {word}", command


def test_readme_names_every_command_and_option() -> None:
    found = [*commands("testsuite"), *commands("distill")]
    readme = ROOT / "README.md"
    if not found or not readme.exists():
        pytest.skip("no commands or no README yet")
    text = readme.read_text(encoding="utf-8")
    missing = [spelling for spelling, _ in found if spelling not in text]
    for spelling, command in found:
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                longest = max(parameter.opts, key=len)
                if not re.search(re.escape(longest) + r"(?![\w-])", text):
                    missing.append(f"{spelling} {longest}")
    assert missing == []


PROJECT_FILES = sorted(
    path
    for top in ("testsuite", "distill", "notebooks", "README.md", "pyproject.toml", ".ci")
    for path in ([ROOT / top] if (ROOT / top).is_file() else (ROOT / top).rglob("*"))
    if path.suffix in {".py", ".md", ".toml", ".sql", ".json", ".ipynb", ".txt", ""} and path.is_file()
)


def test_no_file_tells_of_the_workplace() -> None:
    """What is written here must make sense to someone who has only this project."""
    words = re.compile(r"/work/|\.\./shared|/tmp/brief|\bhelper session\b|\bissue #?\d+", re.IGNORECASE)
    told = [
        f"{path.relative_to(ROOT)}: {found.group()}"
        for path in PROJECT_FILES
        if (found := words.search(path.read_text(encoding="utf-8")))
    ]
    assert told == []


def test_modules_stay_short() -> None:
    """A module beyond this size is two modules."""
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in PROJECT_FILES
        if path.suffix == ".py"
    }
    assert {name: length for name, length in lengths.items() if length > 450} == {}


def test_public_functions_are_documented() -> None:
    bare = []
    for path in PROJECT_FILES:
        if path.suffix != ".py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        exported = {
            element.value
            for node in tree.body
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__"
            for element in getattr(node.value, "elts", [])
        }
        bare += [
            f"{path.relative_to(ROOT)}: {node.name}"
            for node in tree.body
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
            and node.name in exported
            and ast.get_docstring(node) is None
        ]
    assert bare == []
