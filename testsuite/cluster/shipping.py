"""How suites reach other machines: as bytes, unpacked once per machine into a folder named by their content."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from testsuite.score.sources import Source


@dataclass(frozen=True, slots=True)
class Parcel:
    """The files of one source by their names, and what the receiver makes of them."""

    source: Source
    contents: Mapping[str, bytes]


def pack(source: Source) -> Parcel:
    """All files of a source, read into memory.

    Raises:
        OSError: a file can't be read.
    """
    paths = {path.name: path for path in sorted(source.folder.iterdir()) if path.is_file()}
    if source.shipped is not None:
        paths[source.shipped.name] = source.shipped
    return Parcel(source, {name: path.read_bytes() for name, path in paths.items()})


def place_of(source: Source, root: Path) -> Path:
    """The folder that a source's files have on this machine. It ends in the database's name, as readers expect."""
    return root / source.digest / source.folder.name


def unpack(parcel: Parcel, root: Path) -> None:
    """Write the files where ``place_of`` says, unless another process of this machine did. Safe against kills."""
    folder = place_of(parcel.source, root)
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix="part-", dir=folder.parent))
    for name, content in parcel.contents.items():
        (part / name).write_bytes(content)
    try:
        part.rename(folder)
    except OSError:
        # Another process was first.
        shutil.rmtree(part, ignore_errors=True)
        if not folder.is_dir():
            raise


def arrived(source: Source, root: Path) -> Source:
    """The source as it stands on this machine."""
    folder = place_of(source, root)
    shipped = None if source.shipped is None else folder / source.shipped.name
    return replace(source, folder=folder, files=tuple(folder / path.name for path in source.files), shipped=shipped)


def machine_root() -> Path:
    """Where parcels of this user are unpacked on a machine."""
    return Path(tempfile.gettempdir()) / f"testsuite-suites-{os.getuid()}"
