"""The requirements of a slice's external modules, for the header of its script."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...closure.kept_definitions import ExternalImport
from ...closure.start.target_definitions import Goal
from ...closure.worklist import Closure
from ...packaging.declared_requirements import (
    build_folders,
    declared_by_script,
    declared_distributions,
    declared_in,
    declared_python,
)
from ...packaging.distribution_names import REMOVED_IN
from ...packaging.distributions import (
    declared_distribution,
    distribution_of,
    is_known,
    is_local,
    prefixes,
)
from ...packaging.installed import installed_distribution
from ...packaging.lock_files import locked_in
from ...packaging.tool_table import configured_distributions
from ...repo.repository import Repository
from ...repo.source import Source
from ...repo.units import is_typing_test
from ...syntax.memo import memo
from ...syntax.nodes import walk
from ...syntax.requirement import Requirement, normal
from ...syntax.script_header import Header, read_header

_CATCHING = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


@dataclass(frozen=True, slots=True)
class RequiredDistributions:
    """Distributions that the imports of a slice need, with versions."""

    repository: Repository
    own: tuple[Requirement, ...]
    """Requirements in the header of the target's own file."""
    folders: tuple[str, ...]
    """Folders that are searched for build files, nearest to the target first."""
    declared: Mapping[str, Requirement] = field(default_factory=dict[str, Requirement])
    """Module → requirement given by the user or the repository's table, with precedence."""

    def distribution(self, module: str) -> str | None:
        """Return the distribution to install for an import; `None` if no index has one."""
        declared = self._declared_for(module)
        if declared:
            return declared.name
        guess = distribution_of(module, ())
        if guess is None:
            return None
        found = self._declared(module)
        if found:
            return found
        if self._is_own(module):
            return None
        installed = _installed(module)
        return distribution_of(module, (), installed) if installed else guess

    def _declared_for(self, module: str) -> Requirement | None:
        """Return the entry for the longest matching module prefix."""
        if not self.declared:
            return None
        return next(
            (self.declared[each] for each in prefixes(module) if each in self.declared), None
        )

    def is_declared_by_user(self, module: str) -> bool:
        """Whether the user or the table gives the distribution."""
        return self._declared_for(module) is not None

    def _declared(self, module: str) -> str | None:
        names = (*(r.name for r in self.own), *declared_distributions(self.repository))
        return declared_distribution(module, names)

    def is_declared(self, module: str) -> bool:
        """Whether the repository itself declares the distribution."""
        return self._declared(module) is not None

    def is_from_metadata(self, module: str) -> bool:
        """Whether the distribution follows from the packages installed here."""
        is_ours = (
            self.is_declared_by_user(module) or self.is_declared(module) or self._is_own(module)
        )
        return not is_ours and _installed(module) is not None

    def _is_own(self, module: str) -> bool:
        """Whether it is a module of the repository, whatever an index or this machine provides."""
        return not is_known(module) and is_local(self.repository, module)

    def constraints(self) -> tuple[Requirement, ...]:
        """Return every version that the repository pins, also of indirect dependencies."""
        found: dict[str, Requirement] = {}
        for folder in self.folders:
            pins = (r for r in declared_in(self.repository, folder) if r.is_pinned)
            for requirement in (*locked_in(self.repository, folder).values(), *pins):
                if not requirement.url:
                    found.setdefault(normal(requirement.name), requirement)
        return tuple(found[name] for name in sorted(found))

    def requirement(self, distribution: str) -> Requirement | None:
        """Return the given, locked or declared requirement; `None` for local code."""
        found = self._found(distribution)
        declared = [r for r in self.declared.values() if normal(r.name) == normal(distribution)]
        if not declared:
            return found
        base = found or Requirement(distribution)
        versions = ",".join(dict.fromkeys(r.specifier for r in declared if r.specifier))
        if versions:
            base = Requirement(distribution, base.extras, versions)
        extras = (*base.extras, *(extra for r in declared for extra in r.extras))
        return replace(base, extras=tuple(dict.fromkeys(extras)))

    def requirement_of(self, module: str) -> Requirement | None:
        """Return the requirement of a module, in releases that have it; `None` for local code."""
        distribution = self.distribution(module)
        requirement = self.requirement(distribution) if distribution else None
        return _with_module(requirement, module) if requirement else None

    def _found(self, distribution: str) -> Requirement | None:
        """Return the distribution's requirement as locked or declared; `None` for local code."""
        wanted = normal(distribution)
        for requirement in self.own:
            if normal(requirement.name) == wanted:
                return requirement
        declared = [
            requirement
            for folder in self.folders
            for requirement in declared_in(self.repository, folder)
            if normal(requirement.name) == wanted
        ]
        base = declared[0] if declared else Requirement(distribution)
        if base.url:
            return base if base.is_remote else None
        for folder in self.folders:
            lock = locked_in(self.repository, folder).get(wanted)
            if lock is not None:
                return replace(base, name=distribution, specifier=lock.specifier)
            pins = [r for r in declared_in(self.repository, folder) if r in declared]
            if any(pin.is_pinned for pin in pins):
                pin = next(pin for pin in pins if pin.is_pinned)
                return replace(base, name=distribution, specifier=pin.specifier)
        return replace(base, name=distribution)


def _installed(module: str) -> str | None:
    return installed_distribution(module.split(".", maxsplit=1)[0])


def needs_of(
    repository: Repository, goals: Sequence[Goal], distributions: Iterable[tuple[str, str]] = ()
) -> RequiredDistributions:
    """Return the needs of slices of these targets.

    Args:
        repository: the repository of the targets.
        goals: the targets.
        distributions: modules, each with the requirement that provides it; these override those
            of the repository's own table.

    Raises:
        OptionError: the text given for a module is no requirement.
    """
    paths = list(dict.fromkeys(goal.module.path for goal in goals))
    own = tuple(r for path in paths for r in declared_by_script(repository, path))
    configured = configured_distributions(repository, distributions)
    return RequiredDistributions(repository, own, build_folders(repository, paths[0]), configured)


def header_of(
    closure: Closure, goals: Sequence[Goal], needs: RequiredDistributions
) -> Header | None:
    """Return the header of the slice's script; `None` if nothing needs to be installed.

    Imports for type checkers need nothing. Nor do imports that may fail, unless the repository
    declares the distribution, or the user or the table gives it.
    """
    repository = needs.repository
    if closure.is_slice:  # the imports of its carried modules are not parsed
        return read_header(repository.source(goals[0].module.path).text)
    found: dict[str, Requirement] = {}
    for item in closure.externals:
        if not item.module or item.module == "__future__":
            continue
        distribution = needs.distribution(_full_name(item))
        if not distribution or not _is_needed(item, needs):
            continue
        requirement = found.get(normal(distribution)) or needs.requirement(distribution)
        if requirement:
            found[normal(distribution)] = _with_module(requirement, item.module)
    if not found:
        return None
    script = read_header(repository.source(goals[0].module.path).text)
    python = script.requires_python if script else declared_python(repository, needs.folders)
    return Header(tuple(found[name] for name in sorted(found)), python)


def _with_module(requirement: Requirement, module: str) -> Requirement:
    """Return the requirement; without versions, limited to releases with the module."""
    bound = REMOVED_IN.get(module.partition(".")[0], "")
    if not bound or requirement.specifier or requirement.url:
        return requirement
    return replace(requirement, specifier=bound)


def _full_name(item: ExternalImport) -> str:
    """Return the full imported name: namespace packages may have several distributions."""
    return f"{item.module}.{item.name}" if item.name else item.module


def _is_needed(item: ExternalImport, needs: RequiredDistributions) -> bool:
    guarded, typing = _optional_lines(needs.repository.source(item.path))
    if item.line in typing:
        return False
    is_declared = needs.is_declared_by_user(_full_name(item)) or needs.is_declared(item.module)
    return item.line not in guarded or is_declared


@memo
def _optional_lines(source: Source) -> tuple[frozenset[int], frozenset[int]]:
    """Return the lines with imports that may fail, and the lines that only type checkers read."""
    guarded: set[int] = set()
    typing: set[int] = set()
    for node in walk(source.tree):
        match node:
            case ast.Try(body=body, handlers=handlers) if any(map(_catches, handlers)):
                guarded.update(_lines(body))
                for handler in handlers:
                    guarded.update(_lines(handler.body))
            case ast.If(test=test, body=body) if is_typing_test(test):
                typing.update(_lines(body))
            case _:
                continue
    return frozenset(guarded), frozenset(typing)


def _catches(handler: ast.ExceptHandler) -> bool:
    names = [n.id for n in walk(handler.type) if isinstance(n, ast.Name)] if handler.type else []
    return handler.type is None or not _CATCHING.isdisjoint(names)


def _lines(body: Iterable[ast.stmt]) -> Iterator[int]:
    for node in body:
        yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)
