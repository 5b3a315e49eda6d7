"""Data files of the repository that a slice carries along, as far as its code reads them."""

from __future__ import annotations

import os
import posixpath
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from .closure.worklist import Closure
from .model import Gap
from .reading.finder import Read
from .reading.reads import mentions_resources, reads_of
from .reading.texts import ROOT
from .repository import Module, Namespace, Repository

MAX_FILE = 1 << 20
"""Larger files are not embedded in a script."""
MAX_EMBEDDED = 4 << 20
"""Bytes that a script embeds at most."""
MAX_COPIED = 32 << 20
"""Larger files are not even copied beside a pruned tree."""
MAX_FILES = 200
"""Files below a folder, where any of them may be read; a fuller folder is not carried."""

_CODE = (".py", ".pyw")
_MADE = (".pyc", ".pyo", ".pyi")
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "venv", "env"})
_PATTERN = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that kept code reads, or may read."""

    path: str
    size: int
    reader: str
    """The reading file."""
    line: int
    is_named: bool
    """Whether the code names this very file, not only a folder above it."""


@dataclass(frozen=True, slots=True)
class DataFiles:
    """The data that a closure reads."""

    embedded: tuple[DataFile, ...]
    """What a script carries, by path."""
    too_large: tuple[DataFile, ...]
    """What only a pruned tree carries, by path."""
    gaps: tuple[Gap, ...]
    """What nothing carries."""
    namespaces: tuple[tuple[str, str], ...]
    """Name and folder of packages without an `__init__.py` whose resources are read."""
    shows_file: bool
    """Whether code may see the name of its own file, other than to extend `sys.path`."""


def data_files(closure: Closure) -> dict[str, bytes]:
    """The data files that a script embeds, sorted by path."""
    repository = closure.names.repository
    return {file.path: repository.read_data(file.path) for file in find_data(closure).embedded}


def large_data_files(closure: Closure) -> dict[str, bytes]:
    """The further data files that are copied with a pruned tree, sorted by path."""
    repository = closure.names.repository
    return {file.path: repository.read_data(file.path) for file in find_data(closure).too_large}


def data_gaps(closure: Closure, *, is_tree: bool) -> tuple[Gap, ...]:
    """Data that the slice reads and does not carry; a pruned tree carries large files too."""
    found = find_data(closure)
    large = () if is_tree else found.too_large
    modules = {kept.module.path for kept in closure.modules.values()} if is_tree else set[str]()
    return (
        *found.gaps,
        *(_gap(file, f"{file.path} ({file.size} bytes)") for file in large),
        *(_gap(file, f"all of {file.path}") for file in found.embedded if file.path in modules),
    )


def _gap(reader: DataFile, what: str) -> Gap:
    return Gap("data-file", reader.reader, reader.line, f"{what} is read and not carried")


def load_resource_packages(closure: Closure) -> None:
    """Keep the packages whose resources are read, and load them as the reading code would."""
    if not mentions_resources(closure):
        return
    for importer, name, found in reads_of(closure).packages:
        packages: list[Module | Namespace | None] = []
        if isinstance(found, str):
            module = closure.modules[importer].module if importer in closure.modules else None
            parent = name.rpartition(".")[0]
            if module is not None and parent:
                packages.append(closure.names.repository.find_module(parent, module))
        else:
            packages.append(found)
        for package in packages:
            if isinstance(package, Module):
                closure.load(package)
                closure.load_edges.setdefault((importer, package.name))


def find_data(closure: Closure) -> DataFiles:
    """What data the closure reads; found once, when the closure is complete."""
    known = closure.__dict__.get("_data_files")
    if known is None:
        known = closure.__dict__["_data_files"] = _find_data(closure)
    return known


def _find_data(closure: Closure) -> DataFiles:
    reads = reads_of(closure)
    repository = closure.names.repository
    files: dict[str, DataFile] = {}
    detail = "a file is read in a package that is named at run time"
    gaps = {Gap("data-file", path, line, detail): None for path, line in reads.unnamed}
    for read in reads.places:
        for found in _files(repository, read):
            if isinstance(found, Gap):
                gaps.setdefault(found)
            elif found.path not in files or (found.is_named and not files[found.path].is_named):
                files[found.path] = found
    embedded, large = _divided(list(files.values()))
    for file in [file for file in large if file.size > MAX_COPIED]:
        large.remove(file)
        gaps.setdefault(_gap(file, f"{file.path} ({file.size} bytes)"))
    namespaces = {
        name: found if isinstance(found, str) else found.path
        for _, name, found in reads.packages
        if not isinstance(found, Module)
    }
    return DataFiles(
        tuple(sorted(embedded, key=lambda file: file.path)),
        tuple(sorted(large, key=lambda file: file.path)),
        tuple(sorted(gaps, key=lambda gap: (gap.path, gap.line, gap.detail))),
        tuple(sorted(namespaces.items())), reads.shows_file,
    )  # fmt: skip


def _divided(files: list[DataFile]) -> tuple[list[DataFile], list[DataFile]]:
    """What is embedded and what is too large; files that the code names come first."""
    embedded: list[DataFile] = []
    large: list[DataFile] = []
    total = 0
    for file in sorted(files, key=lambda file: (not file.is_named, file.path)):
        if file.size > MAX_FILE or total + file.size > MAX_EMBEDDED:
            large.append(file)
        else:
            total += file.size
            embedded.append(file)
    return embedded, large


# ------------------------------------------------------------------------ files


def _files(repository: Repository, read: Read) -> Iterator[DataFile | Gap]:
    """The data files that a read may mean."""
    prefix = _prefix(repository, read)
    if prefix is None:
        return
    if isinstance(prefix, DataFile):
        yield prefix
        return
    below: list[DataFile] = []
    for path in _below(repository, prefix.rpartition("/")[0]):
        if path.startswith(prefix):
            file = _data_file(repository, path, read, is_named=False)
            if file is not None:
                below.append(file)
        if len(below) > MAX_FILES:
            folder = prefix.rpartition("/")[0] or "."
            detail = f"any of more than {MAX_FILES} files in {folder}/ may be read; none is carried"
            yield Gap("data-file", read.path, read.line, detail)
            return
    yield from below


def _prefix(repository: Repository, read: Read) -> DataFile | str | None:
    """The one file that is read, or what the paths begin with that may be read."""
    text = read.place.text
    if read.place.is_open:
        head, _, tail = text.rpartition("/")
        folder = _inside(head)
        if folder is None or (head == "/" and tail):
            return None
        start = _PATTERN.split(tail)[0]
        return f"{folder}/{start}" if folder else start
    path = _inside(text)
    if path is None:
        return None
    file = _data_file(repository, path, read, is_named=True) if path else None
    if file is not None:
        return file
    if read.is_bound:
        return None
    if repository.is_folder(path):
        return f"{path}/" if path else ""
    pattern = _PATTERN.search(path)
    return path[: pattern.start()] if pattern else None


def _inside(text: str) -> str | None:
    """Path inside the repository; `None` outside."""
    path = posixpath.normpath(text)
    if path == ROOT:
        return ""
    return path.removeprefix(ROOT + "/") if path.startswith(ROOT + "/") else None


def _data_file(repository: Repository, path: str, read: Read, *, is_named: bool) -> DataFile | None:
    # code is data where another file names it, to read its text or to run it
    is_code = path.endswith(_CODE) and (not is_named or path == read.path)
    if is_code or path.endswith(_MADE) or not repository.is_file(path):
        return None
    full = repository.path / path
    try:
        if not os.path.realpath(full).startswith(os.path.join(repository.path, "")):
            return None  # a link that leads out of the repository
        state = os.stat(full)
    except OSError:
        return None
    if not stat.S_ISREG(state.st_mode):
        return None
    return DataFile(path, state.st_size, read.path, read.line, is_named)


def _below(repository: Repository, folder: str) -> Iterator[str]:
    """Paths below a folder, sorted; what is hidden and environments left out."""
    names = repository.listing(folder)
    if "pyvenv.cfg" in names:
        return
    for name in sorted(names):
        path = f"{folder}/{name}" if folder else name
        if name.startswith("."):
            continue
        if not name.endswith("/"):
            yield path
        elif not (
            name[:-1] in _SKIPPED
            or name.endswith(".egg-info/")
            or os.path.islink(repository.path / path[:-1])
        ):
            yield from _below(repository, path[:-1])
