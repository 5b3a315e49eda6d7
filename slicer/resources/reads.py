"""Resources that the kept code reads: paths in the repository, and packages with resource files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..closure.kept_definitions import KeptModule
from ..closure.worklist import Closure
from ..repo.repository import Module, Namespace
from .paths.package_resources import RESOURCE_PREFIXES
from .paths.path_finder import Finder, Read
from .paths.path_statements import KeptStatement, beginnings, kept_statements, may_begin, mentions
from .paths.paths import SOURCE_FILES, Paths


@dataclass(frozen=True, slots=True)
class ReadPaths:
    """Resources that the kept code reads by path or by package."""

    places: tuple[Read, ...]
    packages: tuple[tuple[str, str, Module | Namespace | str], ...]
    """Packages whose resources are read: (importing module, package name, package)."""
    unnamed: tuple[tuple[str, int], ...]
    """Path and line where a package is named by a name computed at run time."""
    itself: tuple[tuple[str, int], ...]
    """Path and line where a file of the kept code opens itself."""
    shows_file: bool
    """Whether code may see the name of its own file, other than to extend `sys.path`."""


NO_READS = ReadPaths((), (), (), (), shows_file=False)


def mentions_resources(closure: Closure) -> bool:
    """Whether kept code mentions a function that reads files by package."""
    return any(name.startswith(RESOURCE_PREFIXES) for name in closure.mentioned)


def reads_of(closure: Closure) -> ReadPaths:
    """Return the resources that the kept code reads by path or by package."""
    if not ("__file__" in closure.flags or mentions_resources(closure)
            or SOURCE_FILES & closure.mentioned):  # fmt: skip
        return NO_READS
    finder = Finder(Paths(closure.inference, closure.classes))
    _walk([closure.modules[name] for name in sorted(closure.modules)], finder)
    packages = sorted(finder.paths.resources.packages.items(), key=lambda item: item[0])
    return ReadPaths(
        tuple(finder.found()),
        tuple((importer, name, found) for (importer, name), found in packages),
        tuple(finder.paths.resources.unnamed()),
        tuple(finder.itself),
        "__file__" in closure.flags and (finder.shows_file or not finder.extends_path),
    )


def _walk(modules: Sequence[KeptModule], finder: Finder) -> None:
    """Walk the statements in which a path begins, or that mention a name with a path."""
    names: set[str] = set()
    waiting: dict[str, list[KeptStatement]] = {}
    for kept in modules:
        if may_begin(kept.module):
            waiting[kept.module.name] = list(kept_statements(kept))
            for part in beginnings(kept.module, waiting[kept.module.name]):
                finder.walk(part)
    while fresh := finder.holders - names:
        names |= fresh
        for kept in modules:
            if not mentions(kept.module.source.text, fresh):
                continue
            if kept.module.name not in waiting:
                waiting[kept.module.name] = list(kept_statements(kept))
            for part in waiting[kept.module.name]:
                if part not in finder.walked and mentions(part.text, fresh):
                    finder.walk(part)
