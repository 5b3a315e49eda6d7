"""From a repository to its graph: which files are read, and what their imports mean."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..errors import SourceError, TargetError
from ..repository import Module, Repository
from .extract import extract
from .facts import ModuleFacts
from .graph import CallGraph, build_graph
from .solve import solve


class RepositoryFinder:
    """Answers imports with the repository's own rules; files that do not parse are not found."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def find(self, importer: str, name: str) -> str | None:
        """Path of the module that `import name` loads in the file `importer`."""
        try:
            found = self._repository.find_module(name, self._repository.module_at(importer))
        except SourceError:
            return None
        if found is None:
            return None
        return found.path if isinstance(found, Module) else f"{found.path}/"


def call_graph(repository: Repository, entries: Sequence[str] | None = None) -> CallGraph:
    """The call graph and the dependency graph of a repository.

    Args:
        repository: the repository.
        entries: what the graph is asked for: paths of files, or targets `path::qualname`. The graph
            is then the part that these need. Without any, it is the whole repository's.

    Raises:
        TargetError: an entry is not there.
    """
    with _no_collection():
        modules, skipped = _read(repository)
        graph = build_graph(solve(modules, RepositoryFinder(repository)), skipped)
    if entries is None:
        return graph
    return graph.reachable(tuple(name for entry in entries for name in _names(graph, entry)))


def _read(repository: Repository) -> tuple[list[ModuleFacts], tuple[str, ...]]:
    modules: list[ModuleFacts] = []
    skipped: list[str] = []
    names: set[str] = set()
    for path in repository.python_files():
        try:
            module = repository.module_at(path)
        except SourceError as error:
            skipped.append(str(error))
            continue
        # scripts of different folders may share a name; nodes are told apart by their paths
        name = module.name if module.name not in names else path.removesuffix(".py")
        names.add(name)
        source = module.source
        facts = extract(source.tree, source.text, path, name, is_package=module.is_package)
        modules.append(facts)
    return modules, tuple(skipped)


def _names(graph: CallGraph, entry: str) -> list[str]:
    path, _, qualname = entry.partition("::")
    found = [
        node.id
        for node in graph.nodes
        if node.path == path and (not qualname or node.qualname == qualname)
    ]
    if not found:
        raise TargetError(f"{entry}: no such definition in the graph of the repository")
    return found


@contextmanager
def _no_collection() -> Iterator[None]:
    """Nothing that is built here is garbage before the end."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
