"""Documents against the project: links, paths, examples in help and command lines in the README."""

from __future__ import annotations

import importlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from data import ROOT

# Others' files and folders that the documents speak of.
FOREIGN = {"__init__.py", "database/", "evaluation.py", "spider/"}
DOCUMENTS = [ROOT / name for name in ("README.md", "testsuite/DESIGN.md", "distill/DESIGN.md", "tests/README.md")]
TOOLS = ("testsuite", "distill")

documents = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))


def group(tool: str) -> click.Group:
    found = importlib.import_module(f"{tool}.cli").commands
    assert isinstance(found, click.Group)
    return found


COMMANDS = [(f"{tool} {word}", command) for tool in TOOLS for word, command in group(tool).commands.items()]


def command_lines(text: str) -> Iterator[str]:
    """What stands in code (blocks, and tables' or sentences' backticks) and starts one of the two commands."""
    blocks = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    # A short one in a sentence, `testsuite score -o`, is only a name.
    spoken = [piece for piece in re.findall(r"`([^`\n]+)`", text) if len(piece.split()) > 3]
    for piece in [*blocks, *spoken]:
        for part in re.split(r"&&|;", piece):
            words = part.split()
            if len(words) > 2 and words[0] in TOOLS and words[1] in group(words[0]).commands:
                yield part.strip().replace(r"\|", "|")


def parse(line: str) -> None:
    """Parse a command line as click would, and run nothing."""
    tool, word, *arguments = shlex.split(line)
    command = group(tool).commands[word]
    with command.make_context(f"{tool} {word}", arguments):
        pass


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_help_ends_with_an_example(name: str, command: click.Command) -> None:
    """The example is a command line that its command takes."""
    found = re.search(rf"Example: ({name}\b.*)", command.epilog or "", re.DOTALL)
    assert found, f"{name} --help has no example"
    # A sentence may follow the example.
    parse(re.split(r"\.(?=\s|$)", found.group(1))[0])


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_help_says_what_options_are(name: str, command: click.Command) -> None:
    mute = [
        parameter.opts
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.help and "--log-level" not in parameter.opts
    ]
    assert mute == []


def test_command_lines_of_the_readme() -> None:
    lines = [line for line in command_lines((ROOT / "README.md").read_text(encoding="utf-8")) if ".." not in line]
    assert len(lines) >= 8
    for line in lines:
        try:
            parse(line)
        except click.UsageError as error:
            pytest.fail(f"{line}: {error.format_message()}")


def sections(text: str) -> dict[str, str]:
    """The text under each heading that is a command: ``### `distill build` `` ..."""
    parts = re.split(r"^#+ ", text, flags=re.MULTILINE)
    found = {}
    for part in parts:
        heading = re.match(r"`((?:testsuite|distill) [a-z-]+)", part)
        if heading:
            found[heading.group(1)] = part
    return found


def test_tables_of_options_name_real_options() -> None:
    """Every option in the first column of a command's table is one of that command, and the other way round."""
    found = sections((ROOT / "README.md").read_text(encoding="utf-8"))
    for name, command in COMMANDS:
        rows = re.findall(r"^\| (`-.*?) \|", found.get(name, ""), flags=re.MULTILINE)
        named = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", " ".join(rows)))
        options = [p for p in command.params if isinstance(p, click.Option) and not p.hidden]
        known = {spelling for p in options for spelling in (*p.opts, *p.secondary_opts)}
        assert named <= known, f"{name}: the README names {sorted(named - known)}"
        assert not [p.opts for p in options if not named & {*p.opts}], f"{name}: the README leaves options out"


@documents
def test_links_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        place = document if not name else (document.parent / name).resolve()
        assert place.exists(), f"{document.name}: {target}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", place.read_text(encoding="utf-8"), flags=re.MULTILINE)
            slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
            assert anchor in slugs, f"{document.name}: no heading for {target}"


@documents
def test_paths_exist(document: Path) -> None:
    """Files and folders in backticks are there: seen from the document or from the top; a bare name anywhere."""
    names = {path.name for top in (*TOOLS, "tests") for path in (ROOT / top).rglob("*.py")}
    text = document.read_text(encoding="utf-8")
    for path in re.findall(r"`((?:[a-z_]+/)*[a-z_]+(?:\.py|/))`", text) + re.findall(r"python (tests/\S+\.py)", text):
        if path in FOREIGN or path in names:
            continue
        places = [base / path for base in (document.parent, ROOT)]
        assert any(place.exists() for place in places), f"{document.name}: {path}"


def test_readme_tells_of_every_folder() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    folders = [f"{tool}/{path.parent.name}" for tool in TOOLS for path in sorted((ROOT / tool).glob("*/__init__.py"))]
    assert [folder for folder in folders if f"`{folder}`" not in readme and f"`{folder}/`" not in readme] == []


def test_licence_and_sources() -> None:
    assert "MIT" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "aclanthology.org/2020.emnlp-main.29" in text
