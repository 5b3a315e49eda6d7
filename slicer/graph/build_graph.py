"""Build the graph of a repository: which files are read, and how their imports resolve."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Sequence

from ..errors import SourceError, TargetError
from ..repo.repository import Module, Repository
from ..syntax.gc_pause import paused
from .dependency_graph import CallGraph, build_graph
from .extraction.extract import extract
from .facts import ImportModule, ImportName, ModuleFacts
from .open_calls import open_calls
from .solver.solve import solve


class RepositoryFinder:
    """Resolves imports by the repository's own rules; files that do not parse are not found."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def find(self, importer: str, name: str) -> str | None:
        """Return the path of the module that `import name` loads in the file `importer`."""
        try:
            found = self._repository.find_module(name, self._repository.module_at(importer))
        except SourceError:
            return None
        if found is None:
            return None
        return found.path if isinstance(found, Module) else f"{found.path}/"


def call_graph(repository: Repository, entries: Sequence[str] | None = None) -> CallGraph:
    """Return the call graph and the dependency graph of a repository.

    Args:
        repository: the repository.
        entries: paths of files, or targets `path::qualname`: the graph is then the part that these
            need. Without entries, it is the whole repository's.

    Raises:
        TargetError: an entry does not exist.
    """
    with paused():
        modules, skipped = _read(repository)
        solved = solve(modules, RepositoryFinder(repository))
        sources = [repository.source(facts.path) for facts in modules]
        graph = build_graph(solved, skipped, open_calls(solved, sources))
        solved.release()
    if entries is None:
        return graph
    return graph.reachable(
        tuple(name for entry in entries for name in entry_names(repository, graph, entry))
    )


def _read(repository: Repository) -> tuple[list[ModuleFacts], tuple[str, ...]]:
    facts: list[ModuleFacts] = []
    skipped: list[str] = []
    for path in repository.python_files():
        try:
            module = repository.module_at(path)
        except SourceError as error:
            skipped.append(str(error))
            continue
        source = module.source
        is_package = module.is_package
        facts.append(extract(source.tree, source.text, path, module.name, is_package=is_package))
    names = _imported_names(repository, facts)
    taken: set[str] = set()
    for index, one in enumerate(facts):
        name = names.get(one.path, one.name)
        if name in taken:  # scripts of different folders may share a name
            name = one.path.removesuffix(".py")
        taken.add(name)
        if name != one.name:
            facts[index] = dataclasses.replace(one, name=name)
    return facts, tuple(skipped)


def _imported_names(repository: Repository, modules: Sequence[ModuleFacts]) -> dict[str, str]:
    """Return path → name by which other files import files outside regular packages."""
    loose = {facts.path for facts in modules if "." not in facts.name and "/" in facts.path}
    loose -= {facts.path for facts in modules if facts.is_package}
    last_names = {path.rpartition("/")[2].removesuffix(".py") for path in loose}
    found: dict[str, set[str]] = {}
    for facts in modules:
        for operation in facts.operations if loose else ():
            match operation:
                case ImportModule(module=name):
                    candidates = [name]
                case ImportName(module=str(module), level=0, name=name):
                    candidates = [module, f"{module}.{name}"]
                case _:
                    continue
            for candidate in candidates:
                if "." in candidate and candidate.rpartition(".")[2] in last_names:
                    path = RepositoryFinder(repository).find(facts.path, candidate)
                    if path in loose:
                        found.setdefault(path, set()).add(candidate)
    return {path: next(iter(names)) for path, names in found.items() if len(names) == 1}


def entry_names(repository: Repository, graph: CallGraph, entry: str) -> list[str]:
    """Return the ids of the nodes that an entry of `call_graph` denotes.

    Raises:
        TargetError: it denotes none.
    """
    given, _, qualname = entry.partition("::")
    path = repository.normal_path(given)
    inside = [node for node in graph.nodes if node.path == path]
    found = [node.id for node in inside if not qualname or node.qualname == qualname]
    if found:
        return found
    known = [node.qualname for node in inside if node.qualname]
    close = difflib.get_close_matches(qualname, known, n=3, cutoff=0.6)
    advice = f"did you mean {', '.join(close)}?" if close else "name a file, or what it defines"
    raise TargetError(f"{entry}: no such definition in the graph", advice)
