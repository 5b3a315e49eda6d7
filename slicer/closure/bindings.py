"""Keeping top-level statements for the names that they bind, and following names into imports."""

from __future__ import annotations

import ast
from contextlib import suppress
from pathlib import Path

from ..definitions import FunctionInfo, module_class, module_scope
from ..errors import SourceError
from ..infer import module_global_writers
from ..lazy_exports import lazy_exports, spelled_modules
from ..model import Gap
from ..name_fillers import name_fillers, replaces_itself
from ..names import (
    Bound,
    Builtin,
    FromStar,
    ImportedExternal,
    ImportedModule,
    ImportedName,
    Missing,
    Unresolved,
)
from ..repository import Module, Namespace
from ..units import Unit
from ..uses.records import VALUE_ROLES, MappedUse, ModuleUse, PackageUse, PathEndUse, PathUse, Role
from ..values import ClassValue, ModuleValue, ordered
from .classes import ClassKeeper
from .kept import ExternalImport, KeptModule, Reason, unit_label
from .record import Record


class Bindings:
    """The kept global names of one slice."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._names = record.names
        self._inference = record.inference
        self.classes = ClassKeeper(record, self.keep_name)
        self._escape_module = self.classes.questions.escape_module
        self._seen: set[tuple[Module, str, Role]] = set()
        self._paths: dict[PathUse, Reason] = {}
        """Texts that may name modules."""
        self._path_ends: dict[PathEndUse, Reason] = {}
        """What stands behind texts that name modules."""
        self._packages_named: dict[Module, ModuleUse] = {}
        """Packages that are imported by their names."""
        self._lists_packages: Reason | None = None
        """Why modules of a package are listed that is not known."""
        self._loads_paths = False
        self._globals_read: dict[Module, None] = {}
        """Modules whose code looks through their globals."""

    # ------------------------------------------------------------------ names

    def has_kept(self, module: Module, name: str, role: Role) -> bool:
        """Whether the name is kept already, in that role."""
        return (module, name, role) in self._seen

    def keep_name(self, module: Module, name: str, role: Role, why: Reason) -> None:
        """Keep what a global name means in the module."""
        key = (module, name, role)
        if key in self._seen:
            return
        self._seen.add(key)
        why = Reason(why.text or f"uses {name}", why.by, why.path, why.line)
        match self._names.lookup(module, name):
            case Bound(units=units):
                for unit in units:
                    self.keep_binding(module, unit, name, role, why)
                if all(unit.kind == "typing" for unit in units):
                    self._serve(module, name, why)  # bound for type checkers alone
            case FromStar(local=local, external=external):
                for unit, node, source in local:
                    self._keep_star(module, unit, node, source, name, why)
                    self.keep_name(source, name, role, why)
                for unit, node in external:
                    self.keep_whole(module, unit, why)
                    self._take_external(module, node, node.module or "", name)
                for unit in module.bindings.get(name, ()):
                    self.keep_binding(module, unit, name, role, why)
            case Builtin():
                return
            case Missing():
                self._missing(module, name, role, why)

    def _missing(self, module: Module, name: str, role: Role, why: Reason) -> None:
        # some statement may set it on the module object
        self._record.live_object(module, name, why)
        if name in module_global_writers(module):
            return
        fillers = () if name.startswith("__") else name_fillers(module)
        for unit in fillers:
            self.keep_whole(module, unit, why)
        if replaces_itself(module):
            self.classes.questions.live_name(name, why)
        submodule = self._names.repository.submodule(module.name, name, module)
        if module.is_package and isinstance(submodule, Module):
            self._record.load(submodule)  # importing it has bound its name
            self._escape_module(submodule, why)
        if fillers or (module.is_package and submodule is not None):
            return
        if self._serve(module, name, why):
            return
        if role not in ("annotation", "store"):
            detail = f"name {name!r} is bound nowhere"
            self._record.gaps.setdefault(Gap("undefined-name", why.path, why.line, detail))

    def _serve(self, module: Module, name: str, why: Reason) -> bool:
        """Keep the module's own `__getattr__`, which others ask; whether it has one."""
        if "__getattr__" not in module.bindings or why.path == module.path:
            return False
        self.keep_name(module, "__getattr__", "value", why)
        self._load_lazily(module, name, why)
        return True

    def _load_lazily(self, module: Module, name: str, why: Reason) -> None:
        # a lazy `__getattr__` imports a submodule or hands out a binding of another name
        submodule = self._names.repository.submodule(module.name, name, module)
        if isinstance(submodule, Module):
            self._record.load(submodule)
            self._escape_module(submodule, why)
        for text, attribute in lazy_exports(module).get(name, ()):
            for spelled in spelled_modules(module, text):
                found = self._names.repository.find_module(spelled, module)
                if isinstance(found, Module) and self._names.defines(found, attribute):
                    self._record.load(found)
                    self._record.load_edges.setdefault((module.name, found.name))
                    self.keep_name(found, attribute, "value", why)

    def keep_member(
        self, module: Module | Namespace, importer: Module, name: str, role: Role, why: Reason
    ) -> None:
        """`module.name`."""
        if isinstance(module, Module):
            self._record.need_module(module)
            if self._names.defines(module, name):
                self.keep_name(module, name, role, why)
                return
        submodule = self._names.repository.submodule(module.name, name, importer)
        if submodule is not None:
            self._record.load(submodule)
            if role in VALUE_ROLES and isinstance(submodule, Module):
                self._escape_module(submodule, why)
        elif isinstance(module, Module) and not name.startswith("__"):
            self.keep_name(module, name, role, why)

    def read_globals(self, module: Module, why: Reason) -> None:
        """Code of the module looks through its globals: every class kept there is a value."""
        if module not in self._globals_read:
            self._globals_read[module] = None
            for cls in list(self._record.classes):
                if cls.module is module:
                    self.classes.instantiate(cls, why)

    # ------------------------------------------------------------------ statements

    def keep_binding(self, module: Module, unit: Unit, name: str, role: Role, why: Reason) -> None:
        """Keep one statement for the name that it binds."""
        kept = self._record.need_module(module)
        if unit.kind == "import" and len(unit.nodes) == 1:
            self._keep_alias(kept, unit, name, role, why)
            return
        if role not in _WRITING:
            self._record.live_object(module, name, why)
        elif role == "register":
            self._record.registries.setdefault((module, name))
        node = unit.node
        if unit.kind == "class" and isinstance(node, ast.ClassDef):
            cls = module_class(module, unit, node)
            self.classes.keep(cls, why)
            if role in VALUE_ROLES or module in self._globals_read:
                self.classes.instantiate(cls, why)
            if role == "annotation":
                self._record.annotating.setdefault(cls, why)
            if role == "test" or role in VALUE_ROLES:
                self.classes.tested(cls, why)
            return
        self.keep_whole(module, unit, why, role)
        if role in VALUE_ROLES and unit.kind == "statement":
            for value in ordered(self._inference.global_values(module, name)):
                if isinstance(value, ClassValue):
                    self.classes.instantiate(value.cls, why)

    def keep_whole(self, module: Module, unit: Unit, why: Reason, role: Role = "value") -> None:
        """Keep a statement with everything that it mentions."""
        kept = self._record.need_module(module)
        if unit.kind == "function":
            self._reach(module, unit, role)
        if unit.index in kept.units:
            return
        kept.units[unit.index] = why
        if unit.kind == "import":
            self._follow_all(module, unit, why)
            return
        for name in unit.binds if role not in _WRITING else ():
            self._record.live_object(module, name, why)
        self._enqueue(module, unit)

    def _follow_all(self, module: Module, unit: Unit, why: Reason) -> None:
        for node in unit.nodes:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    self.follow_import(module, node, alias, "value", why)

    def keep_entire(self, module: Module, text: str) -> None:
        """Keep everything that the module defines; `text` says why."""
        for unit in module.units:
            why = Reason(text, "", module.path, unit.first)
            if unit.kind not in ("main", "prelude"):
                node = unit.node
                if unit.kind == "class" and isinstance(node, ast.ClassDef):
                    cls = module_class(module, unit, node)
                    self.classes.instantiate(cls, why)
                    for member in cls.members:
                        self.classes.members.keep_unit(cls, member, why)
                else:
                    self.keep_whole(module, unit, why)
                kept = self._record.need_module(module)
                if unit.kind == "import" and unit.index not in kept.whole_imports:
                    kept.whole_imports.setdefault(unit.index)
                    self._follow_all(module, unit, why)

    def _reach(self, module: Module, unit: Unit, role: Role) -> None:
        """The function is called by its name, or may be called by anybody."""
        record = self._record
        for node in unit.nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                scope = module_scope(module)
                is_plain = self._inference.function_value(node, scope) is not None
                is_call = role == "call" and is_plain and len(module.bindings[node.name]) == 1
                function = FunctionInfo(module, node, scope, None)
                record.again.extend(record.parameters.reach(function, is_call=is_call))

    def _enqueue(self, module: Module, unit: Unit) -> None:
        uses = self._record.analysis.unit_uses(module, unit)
        self._record.enqueue(module, unit_label(module, unit), uses)

    # ------------------------------------------------------------------ imports

    def _keep_alias(self, kept: KeptModule, unit: Unit, name: str, role: Role, why: Reason) -> None:
        kept.units.setdefault(unit.index, why)
        aliases = kept.aliases.setdefault(unit.index, {})
        node = unit.node
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            return
        for alias in node.names:
            bound = alias.asname or alias.name
            if name in (bound, bound.split(".")[0] if isinstance(node, ast.Import) else bound):
                aliases.setdefault(bound)
                self.follow_import(kept.module, node, alias, role, why)

    def _keep_star(
        self, module: Module, unit: Unit, node: ast.ImportFrom, source: Module, name: str,
        why: Reason,
    ) -> None:  # fmt: skip
        """Keep a star import of a local module for one name."""
        kept = self._record.need_module(module)
        kept.units.setdefault(unit.index, why)
        kept.stars.setdefault(unit.index, {}).setdefault(name)
        if self._names.may_lack(source, name):
            kept.whole_imports.setdefault(unit.index)
        self._record.need_module(source)
        self._record.load_edges.setdefault((module.name, source.name))
        if unit.kind != "import":
            self._enqueue(module, unit)

    def follow_import(
        self, module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias, role: Role,
        why: Reason,
    ) -> None:  # fmt: skip
        """Keep what one alias of an import brings."""
        if alias.name == "*":
            self._follow_star(module, node)
            return
        record = self._record
        match self._names.imported(module, node, alias):
            case ImportedModule(module=found):
                record.load(found)
                record.load_edges.setdefault((module.name, found.name))
                if role in VALUE_ROLES and isinstance(found, Module):
                    self._escape_module(found, why)
            case ImportedName(module=source, name=name):
                record.need_module(source)
                record.load_edges.setdefault((module.name, source.name))
                self.keep_name(source, name, role, why)
            case ImportedExternal():
                if isinstance(node, ast.ImportFrom):
                    self._take_external(module, node, node.module or "", alias.name)
                else:
                    self._take_external(module, node, alias.name, None)
            case Unresolved(name=name):
                self._unresolved(module, node, name)

    def _follow_star(self, module: Module, node: ast.Import | ast.ImportFrom) -> None:
        if not isinstance(node, ast.ImportFrom):
            return
        source = self._names.star_source(module, node)
        if source is None:
            self._take_external(module, node, node.module or "", "*")
        elif isinstance(source, Module):
            self._record.load(source)
            self._record.load_edges.setdefault((module.name, source.name))

    def _take_external(self, module: Module, node: ast.stmt, source: str, name: str | None) -> None:
        item = ExternalImport(source, name, module.path, node.lineno)
        self._record.externals.setdefault(item)

    def _unresolved(self, module: Module, node: ast.stmt, name: str) -> None:
        compiled = self._names.repository.compiled_sibling(name, module)
        line = node.lineno
        if compiled:
            detail = f"{name} is compiled from {compiled}"
            gap = Gap("compiled-extension", module.path, line, detail)
        else:
            detail = f"no module {name} in the repository"
            gap = Gap("unresolved-import", module.path, line, detail)
        self._record.gaps.setdefault(gap)

    def note_path(self, use: PathUse, why: Reason) -> None:
        """A text that may name a module, or something in it."""
        if use in self._paths:
            return
        self._paths[use] = why
        if use.path.endswith("."):
            if self._loads_paths:
                self._load_path(use, why)
            return
        for end in list(self._path_ends):
            self._load_with_end(use, end, why)
        if self._loads_paths:
            self._load_path(use, why)

    def note_path_end(self, use: PathEndUse, why: Reason) -> None:
        """Texts name modules with something behind them."""
        if use not in self._path_ends:
            self._path_ends[use] = why
            for path, reason in list(self._paths.items()):
                if not path.path.endswith("."):
                    self._load_with_end(path, use, reason)

    def _load_with_end(self, path: PathUse, end: PathEndUse, why: Reason) -> None:
        name = f"{path.path}{end.end}"
        try:
            around = self._names.repository.find_module(path.path, end.module)
            found = around and self._names.repository.find_module(name, end.module)
        except SourceError:
            return  # some text is no reason to complain about a file
        if isinstance(found, Module):
            self.load_by_name(ModuleUse(end.module, name, end.line), why)

    def load_paths(self) -> None:
        """The slice imports what only the run names: any text may be it."""
        if not self._loads_paths:
            self._loads_paths = True
            for use, why in list(self._paths.items()):
                self._load_path(use, why)

    def _load_path(self, use: PathUse, why: Reason) -> None:
        if use.path.endswith("."):
            self._load_below(use, why)
            return
        parts = use.path.split(".")
        for end in range(len(parts), 0, -1):
            name = ".".join(parts[:end])
            try:
                found = self._names.repository.find_module(name, use.module)
            except SourceError:
                return  # some text is no reason to complain about a file
            if isinstance(found, Module):
                true_name = self._names.repository.module_name(found.path)
                if true_name != name or use.module.name.startswith(f"{use.path}."):
                    return  # it lies beside the file; or it is the package around, as in messages
                defined = [part for part in parts[end:][:1] if self._names.defines(found, part)]
                if defined or end == len(parts):
                    self.load_by_name(ModuleUse(use.module, name, use.line), why)
                for part in defined:
                    self.keep_name(found, part, "value", why)
                    self._ask_members(found, part, parts[end + 1 :][:1], why)
                return

    def _load_below(self, use: PathUse, why: Reason) -> None:
        """All modules in the package whose name begins the text, but for the one around."""
        repository, name = self._names.repository, use.path[:-1]
        with suppress(SourceError):
            found = repository.find_module(name, use.module)
            if isinstance(found, Module) and repository.module_name(found.path) != name:
                return
            if found is not None and not f"{use.module.name}.".startswith(use.path):
                for inside in repository.modules_like(use.path, "", use.module):
                    self.load_by_name(ModuleUse(use.module, inside, use.line), why)

    def _ask_members(self, module: Module, name: str, members: list[str], why: Reason) -> None:
        """The path goes on into a class."""
        for value in ordered(self._inference.global_values(module, name)):
            if isinstance(value, ClassValue):
                for member in members:
                    self.classes.questions.access(value.cls, member, why)

    def load_by_name(self, use: ModuleUse, why: Reason) -> None:
        """`import_module("a.b")`: everything in it may be asked for."""
        record = self._record
        found = self._names.repository.find_module(use.name, use.module)
        if isinstance(found, Module):
            record.load(found)
            record.load_edges.setdefault((use.module.name, found.name))
            self._escape_module(found, why)
            self.classes.questions.look_in(found, why)
            if use.is_text:
                self.classes.questions.spell_module(found, why)
            if found.is_package and found not in self._packages_named:
                self._packages_named[found] = use
                if self._lists_packages is not None:
                    self._list_named(found)
        elif found is None and not use.is_text:
            top = use.name.split(".")[0]
            if isinstance(self._names.repository.find_module(top, use.module), Module):
                detail = f"import_module({use.name!r}): no such module in the repository"
                record.gaps.setdefault(Gap("unresolved-import", why.path, why.line, detail))
            else:
                record.externals.setdefault(ExternalImport(use.name, None, why.path, why.line))

    def load_mapped(self, use: MappedUse, why: Reason) -> None:
        """A class or table that is found by its name once its module is loaded."""
        self._record.load(use.module)
        self.keep_name(use.module, use.name, "value", why)

    def load_packages(self, use: PackageUse, why: Reason) -> None:
        """`iter_modules(plugins.__path__)`: all modules of the packages."""
        if use.values is None and self._lists_packages is None:
            self._lists_packages = why
            for package in list(self._packages_named):
                self._list_named(package)
        for value in ordered(use.values):
            if isinstance(value, ModuleValue):
                self._load_inside(value.module.name, use, why, set())

    def _list_named(self, package: Module) -> None:
        """A package that is imported by its name may be the one whose modules are listed."""
        named = self._packages_named[package]
        if self._lists_packages is not None:
            use = PackageUse(named.module, None, named.line)
            self._load_inside(named.name, use, self._lists_packages, set())

    def _load_inside(self, package: str, use: PackageUse, why: Reason, seen: set[Path]) -> None:
        repository = self._names.repository
        for name in repository.modules_like(f"{package}.", "", use.module):
            self.load_by_name(ModuleUse(use.module, name, use.line), why)
            found = repository.find_module(name, use.module)
            if isinstance(found, Module) and found.is_package:
                real = (repository.path / found.path).resolve()
                if real not in seen:  # links may go around
                    seen.add(real)
                    self._load_inside(name, use, why, seen)


_WRITING = ("write", "store", "register")
"""Roles in which an object is changed or replaced, and not read."""
