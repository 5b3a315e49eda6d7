"""The linked program: one numbering for the definitions and variables of all modules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..facts import (
    ClassFacts,
    DefinitionFacts,
    FunctionFacts,
    ImportModule,
    ImportName,
    ModuleFacts,
)
from ..language_tables import BUILTIN_NAMES
from .constraint_solver import Engine
from .interned_values import ExternalValue, ModuleValue, NamespaceValue, Values

BUILTIN = "<builtin>"


class Finder(Protocol):
    """Resolves imports in the repository."""

    def find(self, importer: str, name: str) -> str | None:
        """Return the path of the module that `import name` loads in the file `importer`.

        For a namespace package it is the folder with `/` at the end; `None` outside the repository.
        """
        ...


@dataclass(frozen=True, slots=True)
class LinkedModule:
    """A module with the offsets of its numbers."""

    facts: ModuleFacts
    variables: int
    definitions: int
    functions: int
    classes: int


class Program:
    """The modules with their joined tables, and the resolution of names across them."""

    def __init__(self, modules: Sequence[ModuleFacts], finder: Finder) -> None:
        self.values = Values()
        self.engine = Engine(self.values.sorts)
        self.modules: list[LinkedModule] = []
        self.definitions: list[tuple[int, DefinitionFacts]] = []
        """Each definition with its module."""
        self.functions: list[tuple[LinkedModule, FunctionFacts]] = []
        self.classes: list[tuple[LinkedModule, ClassFacts]] = []
        self._finder = finder
        self._by_path: dict[str, int] = {}
        self._found: dict[tuple[int, str], int | str | None] = {}
        self._cells: dict[tuple[int, str], int | None] = {}
        for facts in modules:
            self._add(facts)

    def _add(self, facts: ModuleFacts) -> None:
        linked = LinkedModule(
            facts,
            self.engine.variables(facts.variables),
            len(self.definitions),
            len(self.functions),
            len(self.classes),
        )
        index = len(self.modules)
        self.modules.append(linked)
        self._by_path[facts.path] = index
        self.definitions += [(index, definition) for definition in facts.definitions]
        self.functions += [(linked, function) for function in facts.functions]
        self.classes += [(linked, klass) for klass in facts.classes]

    # ----------------------------------------------------------------- modules

    def find(self, importer: int, name: str) -> int | str | None:
        """Return the module that `import name` loads there, or a namespace package's folder."""
        key = (importer, name)
        if key not in self._found:
            path = self._finder.find(self.modules[importer].facts.path, name)
            known = None if path is None else self._by_path.get(path)
            if known is None and path is not None and path.endswith("/"):
                self._found[key] = path
            else:
                self._found[key] = known
        return self._found[key]

    def absolute(self, importer: int, level: int, module: str | None) -> str | None:
        """Return the absolute name of a relative import's module."""
        if level == 0:
            return module
        facts = self.modules[importer].facts
        parts = facts.name.split(".")
        drop = level - 1 if facts.is_package else level
        if drop > len(parts):
            return None
        base = parts[: len(parts) - drop]
        return ".".join([*base, module] if module else base) or None

    def module_value(self, importer: int, name: str) -> int:
        """Return the value of a module by its absolute name."""
        found = self.find(importer, name)
        if isinstance(found, int):
            return self.values.number(ModuleValue(found))
        if isinstance(found, str):
            return self.values.number(NamespaceValue(name, importer))
        return self.values.number(ExternalValue(name, 0))

    def import_module(self, importer: int, operation: ImportModule) -> int:
        """Return the value that `import a.b` binds."""
        name = operation.module if operation.whole else operation.module.partition(".")[0]
        return self.module_value(importer, name)

    def import_name(self, importer: int, operation: ImportName) -> tuple[int | None, int | None]:
        """Return the variable or the value that `from module import name` binds."""
        name = self.absolute(importer, operation.level, operation.module)
        if name is None:
            return None, None
        found = self.find(importer, name)
        if isinstance(found, int):
            return self.member(found, operation.name)
        whole = f"{name}.{operation.name}"
        return None, self.module_value(importer, whole)

    def member(self, module: int, name: str) -> tuple[int | None, int | None]:
        """Return the variable or the value of a module's attribute."""
        facts = self.modules[module].facts
        cell = self.cell(module, name)
        if cell is not None:
            return cell, None
        found = self.find(module, f"{facts.name}.{name}") if facts.is_package else None
        if isinstance(found, int):
            return None, self.values.number(ModuleValue(found))
        if isinstance(found, str):
            whole = f"{facts.name}.{name}"
            return None, self.values.number(NamespaceValue(whole, module))
        return None, self._external_star(module, name)

    def cell(self, module: int, name: str) -> int | None:
        """Return the variable of a global name, also through star imports; `None` if unbound."""
        key = (module, name)
        if key in self._cells:
            return self._cells[key]
        linked = self.modules[module]
        if name in linked.facts.bound:
            self._cells[key] = (
                linked.variables + linked.facts.globals[name]
                if (name in linked.facts.globals)
                else self.engine.variable()
            )
            return self._cells[key]
        self._cells[key] = None  # a cycle of star imports ends here
        for origin, level in linked.facts.stars:
            source = self.absolute(module, level, origin)
            found = None if source is None else self.find(module, source)
            if isinstance(found, int) and self.exports(found, name):
                cell = self.cell(found, name)
                if cell is not None:
                    self._cells[key] = cell
        return self._cells[key]

    def exports(self, module: int, name: str) -> bool:
        """Whether a star import of the module would bring the name, if it is bound there."""
        exports = self.modules[module].facts.exports
        return not name.startswith("_") if exports is None else name in exports

    def _external_star(self, module: int, name: str) -> int | None:
        for origin, level in self.modules[module].facts.stars:
            source = self.absolute(module, level, origin)
            if source is not None and self.find(module, source) is None:
                return self.values.number(ExternalValue(f"{source}.{name}", 0))
        return None

    def connect_free_names(self, module: int) -> None:
        """Connect names that the module reads and does not bind to their values."""
        linked = self.modules[module]
        for name, variable in linked.facts.globals.items():
            if name in linked.facts.bound:
                continue
            cell = self.cell(module, name)
            if cell is not None:
                self.engine.connect(cell, linked.variables + variable)
            elif name in BUILTIN_NAMES:
                value = self.values.number(ExternalValue(f"{BUILTIN}.{name}", 0))
                self.engine.put(linked.variables + variable, value)
            else:
                star = self._external_star(module, name)
                if star is not None:
                    self.engine.put(linked.variables + variable, star)

    def definition_name(self, definition: int) -> str:
        """Return the dotted name of a definition, with its module's name."""
        module, facts = self.definitions[definition]
        name = self.modules[module].facts.name
        return f"{name}.{facts.qualname}" if facts.qualname else name
