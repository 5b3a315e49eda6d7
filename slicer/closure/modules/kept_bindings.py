"""Keeping the top-level statements that bind a name, and following names through imports."""

from __future__ import annotations

import ast

from ...analysis.inference import module_global_writers
from ...analysis.names.dynamic_bindings import name_fillers, replaces_itself
from ...analysis.names.lazy_exports import lazy_exports, module_names_in_text
from ...analysis.names.name_resolution import (
    Bound,
    Builtin,
    FromStar,
    ImportedExternal,
    ImportedModule,
    ImportedName,
    Missing,
    Unresolved,
    static_all,
)
from ...analysis.scopes.assignments import binds_container
from ...analysis.scopes.definitions import ClassInfo, FunctionInfo, module_class, module_scope
from ...analysis.uses.use_records import VALUE_ROLES, Role
from ...analysis.values.abstract_values import ClassValue, ordered
from ...model import Gap
from ...repo.repository import Module, Namespace
from ...repo.units import Unit
from ...syntax.nodes import walk
from ..classes.kept_classes import ClassKeeper
from ..closure_record import ClosureRecord
from ..kept_definitions import ExternalImport, KeptModule, Reason, unit_label
from .export_calls import exporting_units


class KeptBindings:
    """The kept module-level names of one slice."""

    def __init__(self, record: ClosureRecord) -> None:
        self._record = record
        self._names = record.names
        self._inference = record.inference
        self.classes = ClassKeeper(record, self.keep_name)
        self._escape_module = self.classes.questions.escape_module
        self._seen: set[tuple[Module, str, Role]] = set()
        self._globals_read: dict[Module, None] = {}
        """Modules whose code iterates over their globals."""

    # ------------------------------------------------------------------ names

    def is_kept(self, module: Module, name: str, role: Role) -> bool:
        """Whether the name is already kept in that role."""
        return (module, name, role) in self._seen

    def keep_name(self, module: Module, name: str, role: Role, reason: Reason) -> None:
        """Keep what a global name means in the module."""
        self._record.register_use((module, name), reason.by)
        if role != "presence":  # all of its users count
            if (module, name, role) in self._seen:
                return
            self._seen.add((module, name, role))
        reason = Reason(reason.text or f"uses {name}", reason.by, reason.path, reason.line)
        match self._names.lookup(module, name):
            case Bound(units=units):
                for unit in units:
                    self.keep_binding(module, unit, name, role, reason)
                if all(unit.kind == "typing" for unit in units):
                    self._keep_lazy_getattr(module, name, reason)  # bound for type checkers alone
            case FromStar(local=local, external=external):
                for unit, node, source in local:
                    self._keep_star(module, unit, node, source, name, reason)
                    self.keep_name(source, name, role, reason)
                for unit, node in external:
                    self.keep_whole(module, unit, reason)
                    self._take_external(module, node, node.module or "", name)
                for unit in module.bindings.get(name, ()):
                    self.keep_binding(module, unit, name, role, reason)
            case Builtin():
                return
            case Missing():
                self._missing(module, name, role, reason)

    def _missing(self, module: Module, name: str, role: Role, reason: Reason) -> None:
        # some statement may set it on the module object
        self._record.live_object(module, name, reason)
        if name in module_global_writers(module):
            return
        fillers = () if name.startswith("__") else name_fillers(module)
        if not name.startswith("__"):
            fillers += exporting_units(module, self._inference)
        for unit in fillers:
            self._keep_all_of(module, unit, reason)
        if not name.startswith("_") and self._keep_filled_stars(module, name, role, reason):
            return
        if replaces_itself(module):
            self.classes.questions.live_name(name, reason)
            self._load_lazily(module, name, reason)
        submodule = self._names.repository.submodule(module.name, name, module)
        if module.is_package and isinstance(submodule, Module):
            self._record.load(submodule)  # importing it has bound its name
            self._escape_module(submodule, reason)
        if fillers or (module.is_package and submodule is not None):
            return
        if self._keep_lazy_getattr(module, name, reason):
            return
        if role not in ("annotation", "store"):
            detail = f"name {name!r} is bound nowhere"
            gap = Gap("undefined-name", reason.path, reason.line, detail)
            self._record.gaps.setdefault(gap)
            self._record.unbound.setdefault(name, []).append(gap)

    def _keep_filled_stars(self, module: Module, name: str, role: Role, reason: Reason) -> bool:
        """Keep star imports of modules that bind computed names; return whether any exist."""
        found = [
            (unit, node, source)
            for unit, node in module.stars
            if isinstance(source := self._names.star_source(module, node), Module)
            and self._is_filled(source, name, {module})
        ]
        for unit, node, source in found:
            self._keep_star(module, unit, node, source, name, reason)
            self._record.need_module(module).whole_imports.setdefault(unit.index)
            self.keep_name(source, name, role, reason)
        return bool(found)

    def _is_filled(self, module: Module, name: str, visited: set[Module]) -> bool:
        """Whether the module may bind the name by computing it, or by a star import."""
        if module in visited:
            return False
        visited.add(module)
        listed = static_all(module)
        if listed is not None and name not in listed:
            return False
        return bool(name_fillers(module)) or any(
            isinstance(source := self._names.star_source(module, node), Module)
            and self._is_filled(source, name, visited)
            for _, node in module.stars
        )

    def _keep_lazy_getattr(self, module: Module, name: str, reason: Reason) -> bool:
        """Keep the module's own `__getattr__` for its importers; return whether it has one."""
        if "__getattr__" not in module.bindings or reason.path == module.path:
            return False
        self.keep_name(module, "__getattr__", "value", reason)
        self._load_lazily(module, name, reason)
        return True

    def serve_like(self, module: Module, prefix: str, suffix: str, reason: Reason) -> None:
        """Keep what the module exports lazily under names with this prefix and suffix."""
        is_lazy = "__getattr__" in module.bindings or replaces_itself(module)
        if reason.path == module.path or not (is_lazy or name_fillers(module)):
            return
        for name in lazy_exports(module):
            if name.startswith(prefix) and name.endswith(suffix) and name.isidentifier():
                self.keep_name(module, name, "value", reason)
                self._load_lazily(module, name, reason)

    def _load_lazily(self, module: Module, name: str, reason: Reason) -> None:
        # a lazy `__getattr__` imports a submodule or returns a binding of another name
        submodule = self._names.repository.submodule(module.name, name, module)
        if isinstance(submodule, Module):
            self._record.load(submodule)
            self._escape_module(submodule, reason)
        for text, attribute in lazy_exports(module).get(name, ()):
            for spelled in module_names_in_text(module, text):
                found = self._names.repository.find_module(spelled, module)
                if not isinstance(found, Module) or not self._is_true_name(found):
                    continue
                if self._names.defines(found, attribute):
                    self._record.load(found)
                    self._record.load_edges.setdefault((module.name, found.name))
                    self.keep_name(found, attribute, "value", reason)
                elif attribute == name and spelled.startswith(f"{module.name}."):
                    self._record.load(found)  # the module itself escapes
                    self._record.load_edges.setdefault((module.name, found.name))
                    self._escape_module(found, reason)

    def _is_true_name(self, module: Module) -> bool:
        """Whether the module has its regular name, and not that of a file beside the importer."""
        return self._names.repository.module_name(module.path) == module.name

    def keep_member(
        self, module: Module | Namespace, importer: Module, name: str, role: Role, reason: Reason
    ) -> None:
        """Keep `module.name`."""
        if isinstance(module, Module):
            self._record.need_module(module)
            if self._names.defines(module, name):
                self.keep_name(module, name, role, reason)
                if module is not importer:
                    return
        submodule = self._names.repository.submodule(module.name, name, importer)
        if submodule is not None:
            self._record.load(submodule)
            if role in VALUE_ROLES and isinstance(submodule, Module):
                self._escape_module(submodule, reason)
        elif isinstance(module, Module) and not name.startswith("__"):
            self.keep_name(module, name, role, reason)

    def read_globals(self, module: Module, reason: Reason) -> None:
        """Record that module code iterates over its globals: its kept classes are values."""
        if module not in self._globals_read:
            self._globals_read[module] = None
            for unit in name_fillers(module):
                self.keep_whole(module, unit, reason)
            for cls in list(self._record.classes):
                if cls.module is module:
                    self.classes.instantiate(cls, reason)

    # ------------------------------------------------------------------ statements

    def keep_binding(
        self, module: Module, unit: Unit, name: str, role: Role, reason: Reason
    ) -> None:
        """Keep one statement for a name that it binds."""
        kept = self._record.need_module(module)
        if unit.kind == "import" and len(unit.nodes) == 1:
            self._keep_alias(kept, unit, name, role, reason)
            return
        if role in ("presence", "base"):
            is_container = binds_container(unit.sole)
            if role == "presence" and not is_container:
                role = "value"
            elif role == "base" and is_container:
                role = "write"  # it is imported, and its uses count separately
        if role not in _WRITING:
            self._record.live_object(module, name, reason)
        elif role == "register":
            self._record.registries.setdefault((module, name))
        elif role == "presence":
            self._record.presence.setdefault((module, name), {}).setdefault(reason.by, reason)
        node = unit.node
        if unit.kind == "class" and isinstance(node, ast.ClassDef):
            self._keep_class(module_class(module, unit, node), role, reason)
            return
        self.keep_whole(module, unit, reason, role)
        if role in VALUE_ROLES and unit.kind == "statement":
            values = self._inference.global_values(module, name)
            for value in ordered(values):
                if isinstance(value, ClassValue):
                    self.classes.instantiate(value.cls, reason)
            self._follow_imports_of(module, unit, name, role, reason)

    def _keep_class(self, cls: ClassInfo, role: Role, reason: Reason) -> None:
        self.classes.keep(cls, reason)
        if role in VALUE_ROLES or cls.module in self._globals_read:
            self.classes.instantiate(cls, reason)
        if role == "annotation":
            self._record.annotating.setdefault(cls, reason)
        if role == "test" or role in VALUE_ROLES:
            self.classes.tested(cls, reason)

    def _follow_imports_of(
        self, module: Module, unit: Unit, name: str, role: Role, reason: Reason
    ) -> None:
        """Follow all imports of the name in a block: one may fail, and what they give is used."""
        for node in (item for top in unit.nodes for item in walk(top)):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        self.follow_import(module, node, alias, role, reason)

    def keep_whole(self, module: Module, unit: Unit, reason: Reason, role: Role = "value") -> None:
        """Keep a statement with everything that it mentions."""
        kept = self._record.need_module(module)
        if unit.kind == "function":
            self._record_reached(module, unit, role)
        if unit.index in kept.units:
            return
        kept.units[unit.index] = reason
        if unit.kind == "import":
            self._follow_all(module, unit, reason)
            return
        for name in unit.binds if role not in _WRITING else ():
            self._record.live_object(module, name, reason)
        self._enqueue(module, unit)

    def _follow_all(self, module: Module, unit: Unit, reason: Reason) -> None:
        for node in unit.nodes:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    self.follow_import(module, node, alias, "value", reason)

    def keep_entire(self, module: Module, text: str) -> None:
        """Keep everything that the module defines; `text` says why."""
        for unit in module.units:
            why = Reason(text, "", module.path, unit.first)
            if unit.kind not in ("main", "prelude"):
                self._keep_all_of(module, unit, why)
                whole = self._record.need_module(module).whole_imports
                if unit.kind == "import" and unit.index not in whole:
                    whole.setdefault(unit.index)  # it may have been kept for some of its names
                    self._follow_all(module, unit, why)

    def _keep_all_of(self, module: Module, unit: Unit, reason: Reason) -> None:
        """Keep a statement; a class is kept with all of its members."""
        node = unit.node
        if unit.kind == "class" and isinstance(node, ast.ClassDef):
            cls = module_class(module, unit, node)
            self.classes.instantiate(cls, reason)
            for member in cls.members:
                self.classes.members.keep_unit(cls, member, reason)
        else:
            self.keep_whole(module, unit, reason)

    def _record_reached(self, module: Module, unit: Unit, role: Role) -> None:
        """Record that the function is called by its name, or may be called by any code."""
        record = self._record
        for node in unit.nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                scope = module_scope(module)
                is_plain = self._inference.function_value(node, scope) is not None
                is_call = role == "call" and is_plain and len(module.bindings[node.name]) == 1
                function = FunctionInfo(module, node, scope, None)
                record.wake(record.parameters.reach(function, is_call=is_call))

    def _enqueue(self, module: Module, unit: Unit) -> None:
        uses = self._record.analysis.unit_uses(module, unit)
        self._record.enqueue(module, unit_label(module, unit), uses)

    # ------------------------------------------------------------------ imports

    def _keep_alias(
        self, kept: KeptModule, unit: Unit, name: str, role: Role, reason: Reason
    ) -> None:
        kept.units.setdefault(unit.index, reason)
        aliases = kept.aliases.setdefault(unit.index, {})
        node = unit.node
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            return
        if role == "receiver" and any(
            each.kind != "import" for each in kept.module.bindings.get(name, ())
        ):
            role = "value"  # `X = X.X`: the name's value at this point is unknown
        for alias in node.names:
            bound = alias.asname or alias.name
            if name in (bound, bound.split(".")[0] if isinstance(node, ast.Import) else bound):
                aliases.setdefault(bound)
                self.follow_import(kept.module, node, alias, role, reason)

    def _keep_star(
        self, module: Module, unit: Unit, node: ast.ImportFrom, source: Module, name: str,
        reason: Reason,
    ) -> None:  # fmt: skip
        """Keep a star import of a local module for one name."""
        kept = self._record.need_module(module)
        kept.units.setdefault(unit.index, reason)
        kept.stars.setdefault(unit.index, {}).setdefault(name)
        if self._names.may_lack(source, name):
            kept.whole_imports.setdefault(unit.index)
        self._record.need_module(source)
        self._record.load_edges.setdefault((module.name, source.name))
        if unit.kind != "import":
            self._enqueue(module, unit)

    def follow_import(
        self, module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias, role: Role,
        reason: Reason,
    ) -> None:  # fmt: skip
        """Keep what one alias of an import brings."""
        if alias.name == "*":
            self._follow_star(module, node)
            return
        record = self._record
        self._keep_aliasing(module, node, alias, reason)
        match self._names.imported(module, node, alias):
            case ImportedModule(module=found):
                record.load(found)
                record.load_edges.setdefault((module.name, found.name))
                if role in VALUE_ROLES and isinstance(found, Module):
                    self._escape_module(found, reason)
            case ImportedName(module=source, name=name):
                record.need_module(source)
                record.load_edges.setdefault((module.name, source.name))
                self.keep_name(source, name, role, reason)
            case ImportedExternal():
                if isinstance(node, ast.ImportFrom):
                    self._take_external(module, node, node.module or "", alias.name)
                else:
                    self._take_external(module, node, alias.name, None)
            case Unresolved(name=name):
                self._unresolved(module, node, name)

    def _keep_aliasing(
        self, module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias, reason: Reason
    ) -> None:
        """Keep the statement that registers a module under the imported name."""
        base = alias.name
        if isinstance(node, ast.ImportFrom):
            base = module.resolve_relative(node.level, node.module) or ""
        for name in (base, f"{base}.{alias.name}") if base != alias.name else (base,):
            if self._names.repository.find_module(name, module) is None:
                found = self._names.aliasing(name, module)
                if found is not None:
                    self.keep_whole(found[0], found[1], reason)
                    self._record.load(found[0])
                    self._record.load_edges.setdefault((module.name, found[0].name))

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


_WRITING = ("write", "store", "register", "presence")
"""Roles in which an object is changed or replaced, and its contents are not read."""
