"""Data files of the repository that a slice carries, as far as its code reads them."""

from __future__ import annotations

import os
import posixpath
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ..analysis.values.texts import ROOT
from ..closure.worklist import Closure
from ..model import Gap
from ..repo.repository import Module, Namespace, Repository
from ..syntax.import_names import IMPORTS_BY_NAME, LISTS_FILES
from ..syntax.memo import memo
from .paths.path_finder import Read
from .paths.path_statements import words_in_kept_statements
from .reads import ReadPaths, mentions_resources, reads_of

MAX_FILE = 1 << 20
"""Maximum size in bytes of a file that is embedded in a script."""
MAX_EMBEDDED = 4 << 20
"""Maximum total in bytes of the files that a script embeds."""
MAX_COPIED = 32 << 20
"""Maximum size in bytes of a file that is copied beside a pruned tree."""
MAX_FILES = 200
"""Maximum number of files below a folder that is read openly; above it, only named files are
carried.
"""
_MAX_LISTED = 20_000
"""Maximum number of files below a folder that are examined."""

CODE = (".py", ".pyw")
_MADE = (".pyc", ".pyo", ".pyi")
LOADERS = frozenset(
    "importlib.util.spec_from_file_location importlib.machinery.SourceFileLoader runpy.run_path "
    "imp.load_source".split()
)
"""Functions that run a file as a module."""
IMPORTERS = frozenset({"importlib.import_module", "builtins.__import__"})
"""Functions that import a module by its name."""
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "venv", "env"})
_PATTERN = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that kept code reads, or may read."""

    path: str
    size: int
    reader: str
    """Path of the file whose code reads it."""
    line: int
    is_named: bool
    """Whether the code names this very file, and not only a folder above it."""


@dataclass(frozen=True, slots=True)
class DataFiles:
    """The data files that a closure reads."""

    embedded: tuple[DataFile, ...]
    """Files that a script carries, sorted by path."""
    too_large: tuple[DataFile, ...]
    """Files that only a pruned tree carries, sorted by path."""
    gaps: tuple[Gap, ...]
    """Data that no layout carries."""
    namespaces: tuple[tuple[str, str], ...]
    """Name and folder of packages without an `__init__.py` whose resources are read."""
    shows_file: bool
    """Whether code may see the name of its own file, other than to extend `sys.path`."""
    asks_folders: bool
    """Whether code may query folders of carried packages by names that are computed at run time."""


def data_files(closure: Closure) -> dict[str, bytes]:
    """Return the data files that a script embeds, sorted by path."""
    repository = closure.names.repository
    return {file.path: repository.read_data(file.path) for file in find_data(closure).embedded}


def large_data_files(closure: Closure) -> dict[str, bytes]:
    """Return the further data files that are copied with a pruned tree, sorted by path."""
    repository = closure.names.repository
    return {file.path: repository.read_data(file.path) for file in find_data(closure).too_large}


def data_gaps(closure: Closure, *, is_tree: bool) -> tuple[Gap, ...]:
    """Return gaps for data that the slice reads but does not carry (trees carry more)."""
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
    """Keep the packages whose resources are read, and import them as the reading code would."""
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


@memo
def find_data(closure: Closure) -> DataFiles:
    """Return the data that a complete closure reads."""
    reads = reads_of(closure)
    files: dict[str, DataFile] = {}
    detail = "a file is read in a package that is named at run time"
    gaps = {Gap("data-file", path, line, detail): None for path, line in reads.unnamed}
    own = "the file itself is read, and only what is kept of it is carried"
    gaps |= {Gap("data-file", path, line, own): None for path, line in reads.itself}
    for read in reads.places:
        for found in files_read(closure, read):
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
        tuple(sorted(namespaces.items())), reads.shows_file, _asks_folders(closure, reads),
    )  # fmt: skip


def _asks_folders(closure: Closure, reads: ReadPaths) -> bool:
    """Whether code queries open paths, as `(HERE / name).exists()`, that carried packages match."""
    repository = closure.names.repository
    begun = {_prefix(repository, read) for read in reads.places if read.place.is_open}
    paths = [kept.module.path for kept in closure.modules.values()]
    return any(
        isinstance(start, str) and path.startswith(start) and "/" in path[len(start) :]
        for start in begun
        for path in paths
    )


def _divided(files: list[DataFile]) -> tuple[list[DataFile], list[DataFile]]:
    """Split the files into embedded and too large ones; files named by the code come first."""
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


def files_read(closure: Closure, read: Read) -> Iterator[DataFile | Gap]:
    """Yield the data files that a read may mean, and gaps."""
    repository = closure.names.repository
    prefix = _prefix(repository, read)
    if prefix is None:
        return
    if isinstance(prefix, DataFile):
        yield prefix
        return
    with_code = runs_files(closure, read)
    below = [
        DataFile(path, size, read.path, read.line, is_named=False)
        for path, size in _files_below(repository, prefix)
        if not path.endswith(CODE) or (with_code and path != read.path)
    ]
    if len(below) > MAX_FILES:
        names = _named_below(closure, closure.size, prefix, with_code=with_code)
        below = [file for file in below if file.path in names]
        below = below if len(below) <= MAX_FILES else []
        carried = f"the {len(below)} that the slice names are" if below else "none is"
        where = f"any of more than {MAX_FILES} files in {prefix.rpartition('/')[0] or '.'}/"
        detail = f"{where} may be read; {carried} carried"
        yield Gap("data-file", read.path, read.line, detail)
    yield from below


@memo
def _files_below(repository: Repository, prefix: str) -> tuple[tuple[str, int], ...]:
    """Return the files whose paths have this prefix, with their size in bytes, sorted by path."""
    every = islice(_below(repository, prefix.rpartition("/")[0]), _MAX_LISTED)
    sized = [(path, _size(repository, path)) for path in every if path.startswith(prefix)]
    return tuple((path, size) for path, size in sized if size is not None)


@memo
def _named_below(
    closure: Closure, _size_of_closure: int, prefix: str, *, with_code: bool
) -> frozenset[str]:
    """Return the files with the prefix that kept code names, for the closure's size."""
    spelled: dict[str, list[str]] = {}
    for path, _ in _files_below(closure.names.repository, prefix):
        if with_code or not path.endswith(CODE):
            for spelling in _spellings(path):
                spelled.setdefault(spelling, []).append(path)
    words = words_in_kept_statements(closure, spelled.keys())
    return frozenset(path for word in words for path in spelled[word])


def runs_files(closure: Closure, read: Read) -> bool:
    """Whether files found in a folder may be run as modules, or imported by name."""
    if not LOADERS.isdisjoint(closure.mentioned):
        return True
    if IMPORTERS.isdisjoint(closure.mentioned):
        return False
    text = closure.names.repository.text(read.path)
    return bool(IMPORTS_BY_NAME.search(text) and LISTS_FILES.search(text))


def _spellings(path: str) -> tuple[str, ...]:
    """Return the ways in which code may name the file: its name, or its quoted stem."""
    name = path.rpartition("/")[2]
    stems = {name.partition(".")[0], posixpath.splitext(name)[0]}
    return (name, *(f"{quote}{stem}{quote}" for stem in sorted(stems) for quote in "'\""))


def _prefix(repository: Repository, read: Read) -> DataFile | str | None:
    """Return the single file that is read, or the prefix of the paths that may be read."""
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
    """Return the path inside the repository; `None` if it lies outside."""
    path = posixpath.normpath(text)
    if path == ROOT:
        return ""
    return path.removeprefix(ROOT + "/") if path.startswith(ROOT + "/") else None


def _data_file(repository: Repository, path: str, read: Read, *, is_named: bool) -> DataFile | None:
    # a file that names itself shows its place; a file that others name is read or run
    if path.endswith(CODE) and path == read.path:
        return None
    size = _size(repository, path)
    return None if size is None else DataFile(path, size, read.path, read.line, is_named)


def _size(repository: Repository, path: str) -> int | None:
    """Return the size in bytes of a file that can be carried; `None` for other paths."""
    if path.endswith(_MADE) or not repository.is_file(path):
        return None
    full = repository.path / path
    try:
        if not os.path.realpath(full).startswith(os.path.join(repository.path, "")):
            return None  # a link that leads out of the repository
        state = os.stat(full)
    except OSError:
        return None
    return state.st_size if stat.S_ISREG(state.st_mode) else None


def _below(repository: Repository, folder: str) -> Iterator[str]:
    """Yield the paths below a folder, sorted, without hidden files and virtual environments."""
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
