"""Modules kept because a string names them: `import_module("a.b")`, `"a.b.Thing"`."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ...analysis.uses.use_records import (
    BY_NAME,
    MappedUse,
    ModuleUse,
    PackageUse,
    PathEndUse,
    PathUse,
)
from ...analysis.values.abstract_values import ClassValue, ModuleValue, ordered
from ...errors import SourceError
from ...model import Gap
from ...repo.repository import Module
from ..closure_record import ClosureRecord
from ..kept_definitions import ExternalImport, Reason
from .kept_bindings import KeptBindings


class NamedModules:
    """Modules that the strings of one slice name, and listings of them."""

    def __init__(self, record: ClosureRecord, bindings: KeptBindings) -> None:
        self._record = record
        self._names = record.names
        self._inference = record.inference
        self._keep_name = bindings.keep_name
        self._questions = bindings.classes.questions
        self._paths: dict[PathUse, Reason] = {}
        """Strings that may name modules."""
        self._prefixes: dict[PathUse, Reason] = {}
        """The subset of these that end with a dot."""
        self._path_ends: dict[PathEndUse, Reason] = {}
        """Suffixes of strings that name modules."""
        self.loads_paths = False
        self._by_name: set[str] = set()
        """Modules that are imported by name: other strings may name members of them."""
        self._packages: dict[Module, ModuleUse] = {}
        """Packages that are imported by name."""
        self._lists_packages: Reason | None = None
        """Why modules of an unknown package are listed."""

    def add_module_path(self, use: PathUse, reason: Reason) -> None:
        """Record a string that may name a module, or a member of one."""
        if use in self._paths:
            return
        self._paths[use] = reason
        if use.path.endswith("."):
            self._prefixes[use] = reason
            if self.loads_paths:
                self._load_path(use, reason)
                self._load_joined(list(self._paths), [use])
            return
        if self.loads_paths:
            self._load_joined([use], list(self._prefixes))
        for end in list(self._path_ends):
            self._load_with_end(use, end, reason)
        if self.loads_paths or self._is_inside(use):
            self._load_path(use, reason)

    def _is_inside(self, use: PathUse) -> bool:
        """Whether a string names a member of a module that is imported by name."""
        return any(use.path.startswith(f"{name}.") for name in self._by_name)

    def add_module_suffix(self, use: PathEndUse, why: Reason) -> None:
        """Record that strings with a suffix name modules."""
        if use not in self._path_ends:
            self._path_ends[use] = why
            for path, reason in list(self._paths.items()):
                if not path.path.endswith("."):
                    self._load_with_end(path, use, reason)

    def _load_with_end(self, path: PathUse, end: PathEndUse, reason: Reason) -> None:
        name = f"{path.path}{end.end}"
        try:
            around = self._names.repository.find_module(path.path, end.module)
            found = around and self._names.repository.find_module(name, end.module)
        except SourceError:
            return  # a mere string is no reason to report a file
        if isinstance(found, Module):
            self.load_by_name(ModuleUse(end.module, name, end.line), reason)

    def load_paths(self) -> None:
        """Record that the slice imports by computed names: any string may be the name."""
        if not self.loads_paths:
            self.loads_paths = True
            for use, why in list(self._paths.items()):
                self._load_path(use, why)
            self._load_joined(list(self._paths), list(self._prefixes))

    def _load_joined(self, ends: Iterable[PathUse], beginnings: Iterable[PathUse]) -> None:
        """Load modules named by joined strings, as in `PREFIX + "two:make"`."""
        for beginning in beginnings:
            known = self._modules_below(beginning)
            for end in ends:
                if end.path.partition(".")[0] in known:
                    use = PathUse(beginning.module, f"{beginning.path}{end.path}", end.line)
                    self._load_path(use, self._paths[end])

    def _modules_below(self, use: PathUse) -> set[str]:
        """Return the last name parts of all modules in the package that the string begins with."""
        with suppress(SourceError):
            found = self._names.repository.modules_like(use.path, "", use.module)
            return {name.rpartition(".")[2] for name in found}
        return set()

    def _load_path(self, use: PathUse, reason: Reason) -> None:
        if use.path.endswith("."):
            self._load_below(use, reason)
            return
        parts = use.path.split(".")
        for end in range(len(parts), 0, -1):
            name = ".".join(parts[:end])
            try:
                found = self._names.repository.find_module(name, use.module)
            except SourceError:
                return  # a mere string is no reason to report a file
            if isinstance(found, Module):
                true_name = self._names.repository.module_name(found.path)
                if true_name != name or use.module.name.startswith(f"{use.path}."):
                    return  # a sibling of the file, or its own package, as in messages
                defined = [part for part in parts[end:][:1] if self._names.defines(found, part)]
                if defined or end == len(parts):
                    self.load_by_name(ModuleUse(use.module, name, use.line), reason)
                for part in defined:
                    self._keep_name(found, part, "value", reason)
                    self._query_members(found, part, parts[end + 1 :][:1], reason)
                return

    def _load_below(self, use: PathUse, reason: Reason) -> None:
        """Load all modules in the package that the string names, except the enclosing one.

        A single word with a dot is more likely a message: then only modules that other strings name
        are loaded.
        """
        if use.path.count(".") < 2:
            return
        repository, name = self._names.repository, use.path[:-1]
        with suppress(SourceError):
            found = repository.find_module(name, use.module)
            if isinstance(found, Module) and repository.module_name(found.path) != name:
                return
            if found is not None and not f"{use.module.name}.".startswith(use.path):
                for inside in repository.modules_like(use.path, "", use.module):
                    self.load_by_name(ModuleUse(use.module, inside, use.line), reason)

    def _query_members(self, module: Module, name: str, members: list[str], reason: Reason) -> None:
        """Record accesses for the part of the path inside a class."""
        for value in ordered(self._inference.global_values(module, name)):
            if isinstance(value, ClassValue):
                for member in members:
                    self._questions.access(value.cls, member, reason)

    def load_by_name(self, use: ModuleUse, why: Reason) -> None:
        """Record `import_module("a.b")`: everything in the module may be accessed."""
        record = self._record
        found = self._names.repository.find_module(use.name, use.module)
        if isinstance(found, Module):
            record.load(found)
            record.flags.add(BY_NAME)
            record.load_edges.setdefault((use.module.name, found.name))
            self._questions.escape_module(found, why)
            self._questions.look_in(found, why)
            if use.name not in self._by_name:
                self._by_name.add(use.name)
                for path, reason in list(self._paths.items()):
                    if path.path.startswith(f"{use.name}."):
                        self._load_path(path, reason)
            if use.is_text:
                self._questions.spell_module(found, why)
            if found.is_package and found not in self._packages:
                self._packages[found] = use
                if self._lists_packages is not None:
                    self._list_named(found)
        elif found is None and not use.is_text:
            top = use.name.split(".")[0]
            if isinstance(self._names.repository.find_module(top, use.module), Module):
                detail = f"import_module({use.name!r}): no such module in the repository"
                record.gaps.setdefault(Gap("unresolved-import", why.path, why.line, detail))
            else:
                record.externals.setdefault(ExternalImport(use.name, None, why.path, why.line))

    def load_mapped(self, use: MappedUse, reason: Reason) -> None:
        """Load the module of a class or table that is looked up by name."""
        carried = (kept.module for kept in self._record.modules.values())
        module = next((m for m in carried if m.path == use.module.path), use.module)
        self._record.load(module)
        if use.importer is not None:
            self._record.flags.add(BY_NAME)
            self._record.load_edges.setdefault((use.importer.name, module.name))
        self._keep_name(module, use.name, "value", reason)

    def load_packages(self, use: PackageUse, reason: Reason) -> None:
        """Load all modules of the packages, as for `iter_modules(plugins.__path__)`."""
        if use.values is None and self._lists_packages is None:
            self._lists_packages = reason
            for package in list(self._packages):
                self._list_named(package)
        for value in ordered(use.values):
            if isinstance(value, ModuleValue):
                self._load_inside(value.module.name, use, reason, set())

    def _list_named(self, package: Module) -> None:
        """Record that a package imported by name may be the one whose modules are listed."""
        named = self._packages[package]
        if self._lists_packages is not None:
            use = PackageUse(named.module, None, named.line)
            self._load_inside(named.name, use, self._lists_packages, set())

    def _load_inside(
        self, package: str, use: PackageUse, reason: Reason, visited: set[Path]
    ) -> None:
        repository = self._names.repository
        for name in repository.modules_like(f"{package}.", "", use.module):
            self.load_by_name(ModuleUse(use.module, name, use.line), reason)
            found = repository.find_module(name, use.module)
            if isinstance(found, Module) and found.is_package:
                real = (repository.path / found.path).resolve()
                if real not in visited:  # links may be cyclic
                    visited.add(real)
                    self._load_inside(name, use, reason, visited)
