"""Resolution of module-level names, and of the names that import statements bring.

These are pure lookups over `Repository`; nothing here decides what is kept.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from ...repo.import_alternatives import running_instead
from ...repo.repository import Module, Namespace, Repository
from ...repo.units import Unit
from ...syntax.builtin_models import BUILTIN_NAMES
from ...syntax.memo import memo
from ...syntax.nodes import walk
from ..scopes.always_bound import is_always_bound
from .module_aliases import module_aliases


@dataclass(frozen=True, slots=True)
class Bound:
    """The name is bound by statements of a module."""

    module: Module
    name: str
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class FromStar:
    """The name comes (or may come) from star imports of the module.

    `sources` are the local bindings behind them. `external` are the star imports of other
    distributions that may supply the name.
    """

    module: Module
    name: str
    local: tuple[tuple[Unit, ast.ImportFrom, Module], ...]
    external: tuple[tuple[Unit, ast.ImportFrom], ...]


@dataclass(frozen=True, slots=True)
class Builtin:
    """The name is a builtin."""

    name: str


@dataclass(frozen=True, slots=True)
class Missing:
    """Nothing binds the name."""

    name: str


Lookup = Bound | FromStar | Builtin | Missing


@dataclass(frozen=True, slots=True)
class ImportedModule:
    """An import that brings a module of the repository."""

    module: Module | Namespace


@dataclass(frozen=True, slots=True)
class ImportedName:
    """An import that brings a name of a repository module."""

    module: Module
    name: str


@dataclass(frozen=True, slots=True)
class ImportedExternal:
    """An import from another distribution, as a dotted path."""

    name: str


@dataclass(frozen=True, slots=True)
class Unresolved:
    """An import from the repository that cannot be resolved."""

    name: str


_Found = TypeVar("_Found", bound=Module | Namespace)
NameAt = tuple[Module, str]
"""A module-level name: its module, and the name there."""
Imported = ImportedModule | ImportedName | ImportedExternal | Unresolved


class Names:
    """Resolution of names and imports in one repository, memoised."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._lookups: dict[tuple[str, str, str], Lookup] = {}
        self._defines: dict[tuple[str, str, str], bool] = {}
        self._returning: dict[tuple[str, str, str], bool] = {}

    def lookup(self, module: Module, name: str) -> Lookup:
        """Return what a global name means in the module."""
        key = (module.path, module.name, name)
        found = self._lookups.get(key)
        if found is None:
            found = self._lookups[key] = self._lookup(module, name)
        return found

    def has(self, module: Module, name: str) -> bool:
        """Whether the module binds the name, itself or by a star import of the repository."""
        found = self.lookup(module, name) if module.stars else None
        return name in module.bindings or (isinstance(found, FromStar) and bool(found.local))

    def _lookup(self, module: Module, name: str) -> Lookup:
        units = module.bindings.get(name)
        if units and not module.stars:
            return Bound(module, name, units)
        local: list[tuple[Unit, ast.ImportFrom, Module]] = []
        external: list[tuple[Unit, ast.ImportFrom]] = []
        for unit, node in module.stars:
            source = self.star_source(module, node)
            if source is module:
                continue  # `from . import *` in a package: its own names
            if isinstance(source, Module):
                if self.exports(source, name):
                    local.append((unit, node, source))
            elif source is None:
                external.append((unit, node))
        if units:
            # a star import after the last binding would rebind it
            late = [item for item in local if item[0].index > units[-1].index]
            early = [item for item in local if item[0].index < units[0].index]
            if late or (early and _reads_before(module, name, units[0])):
                return FromStar(module, name, tuple(late or early[-1:]), ())
            return Bound(module, name, units)
        if local:
            if local[-1][0].kind == "import":
                # the last one certainly rebinds the name; a re-export of it returns the same object
                given = [
                    i for i, item in enumerate(local) if not self._is_from(item[2], name, module)
                ]
                local = local[given[-1] if given else -1 :]
            return FromStar(module, name, tuple(local), ())
        if external and not (name in BUILTIN_NAMES and all(_quiet_star(n) for _, n in external)):
            return FromStar(module, name, (), tuple(external))
        return Builtin(name) if name in BUILTIN_NAMES else Missing(name)

    def star_source(self, module: Module, node: ast.ImportFrom) -> Module | Namespace | None:
        """Return the repository module behind a star import; `None` for another distribution's."""
        name = module.resolve_relative(node.level, node.module)
        found = self.repository.find_module(name, module) if name else None
        return (
            self._under_alternative_name(module, node, found)
            if found and node.col_offset
            else found
        )

    def exports(self, module: Module, name: str) -> bool:
        """Whether a star import of the module binds the name."""
        key = (module.path, module.name, name)
        known = self._defines.get(key)
        if known is None:
            self._defines[key] = False  # a cycle of star imports
            known = self._defines[key] = self._exports(module, name)
        return known

    def _exports(self, module: Module, name: str) -> bool:
        listed = static_all(module)
        if listed is not None:
            return name in listed
        return not name.startswith("_") and self.defines(module, name)

    def defines(self, module: Module, name: str) -> bool:
        """Whether the module has the name after it has run, also through star imports."""
        if name in module.bindings:
            return True
        return any(
            isinstance(source := self.star_source(module, node), Module)
            and source is not module
            and self.exports(source, name)
            for _, node in module.stars
        )

    def may_lack(self, module: Module, name: str) -> bool:
        """Whether a module that defines the name, without `__all__`, may lack it after it
        has run.
        """
        seen: set[Module] = set()
        while module not in seen and static_all(module) is None:
            seen.add(module)
            match self.lookup(module, name):
                case FromStar(local=[*_, (_, _, source)]):
                    module = source
                case Bound():
                    return not is_always_bound(module, name)
                case _:
                    return False
        return False

    def all_names(self, module: Module) -> dict[str, None]:
        """Return the names that the module has after it has run, as `defines` does."""
        return self._all_names(module, set())

    def _all_names(self, module: Module, visited: set[Module]) -> dict[str, None]:
        found = dict.fromkeys(module.bindings)
        visited.add(module)
        for _, node in module.stars:
            source = self.star_source(module, node)
            if isinstance(source, Module) and source not in visited:
                names = self._all_names(source, visited)
                found |= dict.fromkeys(name for name in names if self.exports(source, name))
        return found

    def imported(
        self, module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias
    ) -> Imported:
        """Return what one alias of an import statement brings (`import a.b` brings `a.b`)."""
        found = self._imported_as_written(module, node, alias)
        if isinstance(found, (ImportedModule, ImportedName)) and node.col_offset:
            return replace(found, module=self._under_alternative_name(module, node, found.module))
        return found

    def _under_alternative_name(
        self, module: Module, node: ast.Import | ast.ImportFrom, found: _Found
    ) -> _Found:
        """Return the imported file under the name of the alternative import that runs instead."""
        for first in running_instead(module).get(node, ()):
            for alias in first.names:
                match self._imported_as_written(module, first, alias):
                    case ImportedModule(other) | ImportedName(other):
                        if other.path == found.path and isinstance(other, type(found)):
                            return other
                    case _:
                        continue
        return found

    def _imported_as_written(
        self, module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias
    ) -> Imported:
        if isinstance(node, ast.Import):
            return self._attribute_for(module, alias) or self._imported_module(module, alias.name)
        base = module.resolve_relative(node.level, node.module)
        if base is None:
            return Unresolved("." * node.level + (node.module or ""))
        if base == module.name and _is_first(module, node, alias.name):
            submodule = self.repository.submodule(base, alias.name, module)
            if submodule is not None:
                return ImportedModule(submodule)
        return self.imported_from(module, base, alias.name, relative=node.level > 0)

    def _attribute_for(self, module: Module, alias: ast.alias) -> ImportedName | None:
        """Return what `import a.b as c` brings if the package binds `b` to something else."""
        package, _, name = alias.name.rpartition(".")
        if not (alias.asname and package):
            return None
        source = self.repository.find_module(package, module)
        if not isinstance(source, Module) or name not in source.bindings:
            return None
        found = self.imported_from(module, package, name)
        return found if isinstance(found, ImportedName) and found.module is source else None

    def _imported_module(self, module: Module, name: str) -> Imported:
        found = self.repository.find_module(name, module) or self._by_alias(name, module)
        if found is not None:
            return ImportedModule(found)
        return self._not_found(module, name)

    def imported_from(
        self, module: Module, base: str, name: str, *, relative: bool = False
    ) -> Imported:
        """Return what `from base import name` brings: an attribute first, else a submodule."""
        source = self.repository.find_module(base, module) or self._by_alias(base, module)
        if source is None:
            return self._not_found(module, base, relative=relative, suffix=f".{name}")
        returns = False
        if isinstance(source, Module):
            is_bound = name in source.bindings or (
                source is not module and self.defines(source, name)
            )
            returns = is_bound and self._is_own_submodule(source, name)
            if is_bound and not returns:
                return ImportedName(source, name)
        submodule = self.repository.submodule(base, name, module)
        if submodule is None and not returns:
            submodule = self._by_alias(f"{base}.{name}", module)
        if submodule is not None:
            return ImportedModule(submodule)
        # only the package's own import binds the name: no file has such a module
        if isinstance(source, Module) and not (returns and source is module):
            return ImportedName(source, name)
        return Unresolved(f"{base}.{name}")

    def aliasing(self, name: str, importer: Module) -> tuple[Module, Unit, Module] | None:
        """Return the package that registers a module under the name, its statement, and the
        module.
        """
        package = name.rpartition(".")[0]
        while package:
            found = self.repository.find_module(package, importer)
            alias = module_aliases(found).get(name) if isinstance(found, Module) else None
            if isinstance(found, Module) and alias is not None:
                for unit in found.bindings.get(alias.value, ()):
                    match unit.nodes:
                        case [ast.Import() | ast.ImportFrom() as node]:
                            module = self._bound_module(found, node, alias.value)
                        case _:
                            module = None
                    if module is not None:
                        return found, alias.unit, module
            package = package.rpartition(".")[0]
        return None

    def _bound_module(
        self, module: Module, node: ast.Import | ast.ImportFrom, name: str
    ) -> Module | None:
        """Return the module that an import binds to the name."""
        for alias in node.names:
            if (alias.asname or alias.name) == name:
                match self.imported(module, node, alias):
                    case ImportedModule(module=Module() as found):
                        return found
                    case _:
                        continue
        return None

    def _by_alias(self, name: str, importer: Module) -> Module | None:
        found = self.aliasing(name, importer)
        return found[2] if found else None

    def _is_own_submodule(self, package: Module, name: str) -> bool:
        """Whether the package has the name only through imports of its own submodule.

        An example is `from . import name` in the package itself, or in a module whose names it
        imports. When that import runs, the package lacks the name, and Python takes the submodule.
        """
        key = (package.path, package.name, name)
        if key not in self._returning:
            at = (package, name)
            self._returning[key] = _reaches(at, at, self._name_origin)
        return self._returning[key]

    def _is_from(self, source: Module, name: str, package: Module) -> bool:
        """Whether a module has the name only through an import of it from the package."""
        return _reaches((source, name), (package, name), self._imported_from)

    def _name_origin(self, at: NameAt) -> NameAt | None:
        """Return the origin of the name, also through a star import; `None` if it has several."""
        match self.lookup(*at):
            case FromStar(local=[*_, (_, _, source)]):
                return source, at[1]
            case Bound():
                return self._imported_from(at)
            case _:
                return None

    def _imported_from(self, at: NameAt) -> NameAt | None:
        """Return the origin from which imports take the name, if all of them share one."""
        module, name = at
        found = {self._taken(module, unit, name) for unit in module.bindings.get(name, ())}
        return found.pop() if len(found) == 1 else None

    def _taken(self, module: Module, unit: Unit, name: str) -> NameAt | None:
        """Return the origin of a name imported from the repository; `None` for other statements."""
        match unit.nodes:
            case [ast.ImportFrom() as node]:
                base = module.resolve_relative(node.level, node.module)
                source = self.repository.find_module(base, module) if base else None
                taken = {alias.name for alias in node.names if (alias.asname or alias.name) == name}
                if isinstance(source, Module) and len(taken) == 1:
                    return source, taken.pop()
                return None
            case _:
                return None

    def _not_found(
        self, module: Module, name: str, *, relative: bool = False, suffix: str = ""
    ) -> Imported:
        top = name.split(".", maxsplit=1)[0]
        if relative or (
            isinstance(self.repository.find_module(top, module), Module) and "." in name
        ):
            return Unresolved(name)
        return ImportedExternal(name + suffix)

    def ancestors(self, module: Module) -> Iterator[Module | Namespace]:
        """Yield the packages that contain a module, outermost first."""
        parts = module.name.split(".")
        for depth in range(1, len(parts)):
            found = self.repository.find_module(".".join(parts[:depth]), module)
            if found is not None:
                yield found


def _reaches(start: NameAt, goal: NameAt, following: Callable[[NameAt], NameAt | None]) -> bool:
    """Whether the goal is reached from the start step by step; at least one step is taken."""
    at = following(start)
    seen = {start}
    while at is not None and at != goal and at not in seen:
        seen.add(at)
        at = following(at)
    return at == goal


def _is_first(module: Module, node: ast.ImportFrom, name: str) -> bool:
    """Whether the import runs before the module itself has bound the name."""
    units = module.bindings.get(name, ())
    return node.col_offset == 0 and bool(units) and units[0].first >= node.lineno


def _reads_before(module: Module, name: str, binding: Unit) -> bool:
    """Whether a statement reads the name, supplied by an import, before its first binding."""
    for unit in module.units[: binding.index + 1]:
        if unit.kind not in ("import", "function", "class", "typing", "main"):
            for node in unit.nodes:
                for item in walk(node):
                    match item:
                        case ast.Name(id=read, ctx=ast.Load()) if read == name:
                            return True
                        case ast.AugAssign(target=ast.Name(id=read)) if read == name:
                            return True
                        case _:
                            continue
    return False


def _quiet_star(node: ast.ImportFrom) -> bool:
    # standard modules that export no builtin's name
    return node.level == 0 and (node.module or "").split(".")[0] in _QUIET_STARS


_QUIET_STARS = frozenset(
    "tkinter typing math random datetime socket struct ctypes collections itertools functools "
    "time re pathlib dataclasses enum decimal fractions turtle threading unittest PyQt5 PyQt6 "
    "PySide2 PySide6 pygame abc types json logging".split()
)


@memo
def static_all(module: Module) -> frozenset[str] | None:
    """Return the literal names in `__all__`; `None` if there is no `__all__`."""
    units = module.bindings.get("__all__")
    if not units:
        return None
    names: set[str] = set()
    for unit in module.units:
        for node in unit.nodes:
            if "__all__" in unit.binds or _touches_all(node):
                names.update(
                    item.value
                    for item in walk(node)
                    if isinstance(item, ast.Constant) and isinstance(item.value, str)
                )
                if any(map(_is_computed, walk(node))):
                    return None
            elif unit.kind in ("function", "class") and any(map(_names_all, walk(node))):
                return None  # such as a decorator that appends its argument's name
    return frozenset(names)


def _names_all(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "__all__"


def _is_computed(node: ast.AST) -> bool:
    """Whether names in `__all__` come from other expressions than literals."""
    match node:
        case ast.comprehension() | ast.Attribute(attr="__all__") | ast.Call(func=ast.Name()):
            return True
        case ast.Name(id=name, ctx=ast.Load()):
            return name != "__all__"
        case _:
            return False


def _touches_all(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="__all__")))):
            return True
        case _:
            return False
