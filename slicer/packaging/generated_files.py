"""Files that installing or building a repository generates: metadata, and version modules."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from pathlib import PurePosixPath

from ..errors import SourceError
from ..repo.file_tree import join
from ..repo.repository import Repository
from .build_metadata import entry_points_text, own_distributions, own_entry_points
from .declared_requirements import build_folders

_VERSION_FILE = re.compile(rb"""(?:write_to|version[-_]file)["']?\s*[=:]\s*["']([\w./-]+)["']""")
_DISTRIBUTION = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?", re.I)
"""A name of a distribution (PEP 508): anything else that a build file says would be a path."""
_VERSION = b"__version__ = version = '0.0.0'\n__version_tuple__ = version_tuple = (0, 0, 0)\n"


def built_files(
    repository: Repository, path: str, root: str, without: Container[str] = ()
) -> Iterator[tuple[str, bytes]]:
    """Yield paths and contents of files that a build generates, for the distribution of one file.

    Args:
        repository: the repository that is built.
        path: a file of it.
        root: folder on the import path in which metadata are found.
        without: groups whose entry points are left out.
    """
    yield from _metadata(repository, path, root, without)
    yield from _versions(repository, path)


def _metadata(
    repository: Repository, path: str, root: str, without: Container[str]
) -> Iterator[tuple[str, bytes]]:
    points = [each for each in own_entry_points(repository, path) if each.group not in without]
    for name, version in own_distributions(repository, path).items():
        if not _DISTRIBUTION.fullmatch(name) or "/" in version:
            continue
        folder = join(root, f"{name.replace('-', '_')}-{version}.dist-info")
        text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        yield f"{folder}/METADATA", text.encode()
        if points:
            yield f"{folder}/entry_points.txt", entry_points_text(points).encode()
            points = []  # of one distribution, which may have several names


def _versions(repository: Repository, path: str) -> Iterator[tuple[str, bytes]]:
    for folder in build_folders(repository, path):
        for name in ("pyproject.toml", "setup.cfg", "setup.py"):
            for file_name in _VERSION_FILE.findall(_data(repository, join(folder, name))):
                place = PurePosixPath(folder, file_name.decode("utf-8", "replace"))
                is_inside = not place.is_absolute() and ".." not in place.parts
                if is_inside and place.suffix == ".py" and not repository.is_file(str(place)):
                    yield str(place), _VERSION


def _data(repository: Repository, path: str) -> bytes:
    try:
        return repository.read_data(path)
    except SourceError:
        return b""
