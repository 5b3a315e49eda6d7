"""Imports that a slice needs for their side effect on another name.

`import xml` alone does not bind `xml.dom`. Any import of `xml.dom.minidom` in the process does,
even in another module or under another name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ...analysis.external.standard_packages import is_standard, needs_import
from ...analysis.scopes.definitions import Scope, module_scope
from ...analysis.scopes.executed_nodes import executed
from ...effects.imports.nested_imports import NestedImports
from ...effects.loaded_modules import LoadedModules
from ...errors import SourceError
from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.memo import memo
from ..kept_definitions import KeptModule, Reason
from ..worklist import Closure

_EAGER = frozenset({"numpy", "torch", "tensorflow", "jax", "pandas", "np", "tf"})
"""External packages that import their documented submodules themselves."""


@dataclass(frozen=True, slots=True)
class _Loading:
    """One name of an external import statement, with the modules that it loads."""

    unit: Unit
    module: str
    """The module that it certainly loads."""
    name: str
    """The imported name, which may be a submodule."""
    bound: str

    def loads(self, wanted: str) -> bool:
        """Whether it loads the module, or a submodule of it."""
        if f"{self.module}.".startswith(f"{wanted}."):
            return True
        taken = f"{self.module}.{self.name}"
        return taken == wanted and (needs_import(taken) or not is_standard(taken))


def keep_submodule_imports(closure: Closure, loaded: LoadedModules) -> None:
    """Keep imports of the submodules that the slice reaches as attributes of their packages."""
    for (module, name), why in list(closure.submodules.items()):
        top = name.partition(".")[0]
        if top in _EAGER or (is_standard(name) and not needs_import(name)):
            continue
        if any(_is_loaded(kept, name) for kept in closure.modules.values()):
            continue
        for importer, found in _loading(closure, loaded, module, name):
            reason = Reason(f"loads {name}", why.by, why.path, why.line)
            if importer.name not in closure.modules:
                closure.load(importer)
                for outer, unit, bound in loaded.chain(importer.name):
                    _keep(closure, outer, unit, bound, reason)
            _keep(closure, importer, found.unit, found.bound, reason)


def _keep(closure: Closure, module: Module, unit: Unit, bound: str, reason: Reason) -> None:
    if unit.kind == "import" and bound:
        closure.keep_binding(module, unit, bound, "base", reason)
    elif unit.kind == "class":
        closure.keep_binding(module, unit, unit.binds[0], "base", reason)
    else:
        closure.keep_whole(module, unit, reason)


def _is_loaded(kept: KeptModule, name: str) -> bool:
    """Whether a kept statement of a loaded module imports the module, or a submodule of it."""
    for found in _imports(kept.module):
        if found.unit.index in kept.units and found.loads(name):
            aliases = kept.aliases.get(found.unit.index)
            if aliases is None or found.unit.index in kept.whole_imports:
                return True
            if found.bound in aliases:
                return True
    return False


def _loading(
    closure: Closure, loaded: LoadedModules, module: Module, name: str
) -> Iterator[tuple[Module, _Loading]]:
    """Yield the first import that loads the module, or else imports of its siblings."""
    package = f"{name.partition('.')[0]}."
    modules = [module, *(kept.module for _, kept in sorted(closure.modules.items()))]
    if is_standard(name):
        modules += _mentioning(loaded, package, closure)
    for each in modules:
        direct = [found for found in _imports(each) if found.loads(name)]
        if direct:
            yield each, direct[0]
            return
    called = _loading_in_calls(closure, loaded, modules, name)
    if called:
        yield called
        return
    for each in modules if is_standard(name) else [module]:
        near = [found for found in _imports(each) if f"{found.module}.".startswith(package)]
        inside = [found for found in near if "." in found.module or _is_submodule(found)]
        if inside:
            yield from ((each, found) for found in inside)
            return


def _loading_in_calls(
    closure: Closure, loaded: LoadedModules, modules: Sequence[Module], name: str
) -> tuple[Module, _Loading] | None:
    """Return the first statement that loads the module through functions which it calls."""
    spelled = re.compile(rf"^[ \t]+(?:import|from)[ \t]+{re.escape(name)}\b", re.MULTILINE)
    texts = (*(text for _, _, text in loaded.texts()), *(each.source.text for each in modules))
    if not any(map(spelled.search, texts)):
        return None
    found = {each.name: each.path for each in modules}
    found.update({other: path for other, path, _ in loaded.texts() if other not in found})
    inside = NestedImports(closure.inference)
    for other, path in found.items():
        for run in inside.of(other, path):
            if f"{run.name}.".startswith(f"{name}."):
                return loaded.repository.module(path, other), _Loading(run.unit, run.name, "", "")
    return None


def _is_submodule(found: _Loading) -> bool:
    return needs_import(f"{found.module}.{found.name}") if is_standard(found.module) else False


def _mentioning(loaded: LoadedModules, package: str, closure: Closure) -> Iterator[Module]:
    """Yield loaded modules outside the slice whose text mentions the package."""
    word = package.rstrip(".")
    for name, path, text in loaded.texts():
        if name not in closure.modules and word in text:
            with suppress(SourceError):
                yield loaded.repository.module(path, name)


def _executed_with_calls(unit: Unit, module: Module) -> Iterator[tuple[ast.AST, Scope]]:
    """Yield the nodes that run with the statement, also in module functions that it calls."""
    scope = module_scope(module)
    met: set[str] = set()
    bodies: list[Sequence[ast.AST]] = [unit.nodes]
    while bodies:
        for node, place in executed(bodies.pop(), scope):
            yield node, place
            match node:
                case ast.Call(func=ast.Name(id=name)) if name not in met:
                    met.add(name)
                    called = (each.node for each in module.bindings.get(name, ()))
                    bodies += [each.body for each in called if isinstance(each, ast.FunctionDef)]
                case _:
                    continue


@memo
def _imports(module: Module) -> tuple[_Loading, ...]:
    """Return the imports that the module's statements run while it loads, in order."""
    found: list[_Loading] = []
    for unit in module.units:
        if unit.kind in ("main", "typing", "prelude", "function"):
            continue
        for node, _ in _executed_with_calls(unit, module):
            match node:
                case ast.Import(names=aliases):
                    for alias in aliases:
                        bound = alias.asname or alias.name
                        found.append(_Loading(unit, alias.name, "", bound))
                case ast.ImportFrom(module=str(base), names=aliases, level=0):
                    for alias in aliases:
                        bound = alias.asname or alias.name
                        found.append(_Loading(unit, base, alias.name, bound))
                case _:
                    continue
    return tuple(found)
