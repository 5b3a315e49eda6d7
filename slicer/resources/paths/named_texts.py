"""Values of names: local, module-level, in another module, or parameters."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ...analysis.names.name_resolution import Bound, FromStar, ImportedExternal, ImportedName, Names
from ...analysis.scopes.definitions import Binder, Scope, module_scope
from ...analysis.values.texts import NOTHING_KNOWN, Text, Texts, any_of, place
from ...repo.repository import Module
from .path_bindings import constructed_with, default_of, global_binders, items_at
from .path_library import CONSTANTS
from .reaching_bindings import reaching


class NamedTexts:
    """The texts of names.

    Args:
        names: resolves names of modules.
        evaluate: returns the texts of an expression.
        part: returns the texts of one item of a call's result.
    """

    def __init__(
        self,
        names: Names,
        evaluate: Callable[[ast.expr, Scope], Texts],
        part: Callable[[ast.Call, int, Scope], Texts],
    ) -> None:
        self.arguments: dict[tuple[Scope, str], Texts] = {}
        """Parameters of the calls that are being followed."""
        self.rest: dict[tuple[Scope, str], tuple[Texts, ...]] = {}
        """Texts of the extra arguments that `*args` of these calls receives."""
        self._names = names
        self._evaluate = evaluate
        self._part = part
        self._globals: dict[tuple[str, str, str], Texts] = {}

    def local(self, node: ast.Name, scope: Scope) -> Texts:
        """Return the texts of a name at its position."""
        holder = scope.lookup(node.id)
        if holder is None:
            binders = global_binders(scope.module, node.id) if scope.parent is None else []
            if len(binders) > 1:
                return self._bound(reaching(binders, scope, node.lineno), node.id, scope)
            return self.of_module(scope.module, node.id)
        key = (holder, node.id)
        if key in self.arguments:
            return self.arguments[key]
        binders = holder.binders[node.id]
        if len(binders) > 1:
            binders = reaching(binders, holder, node.lineno if holder is scope else None)
        return self._bound(binders, node.id, holder)

    def of_module(self, module: Module, name: str) -> Texts:
        """Return the texts of a module-level name."""
        key = (module.path, module.name, name)
        known = self._globals.get(key)
        if known is None:
            self._globals[key] = NOTHING_KNOWN  # recursive names
            known = self._globals[key] = self._of_module(module, name)
        return known

    def _of_module(self, module: Module, name: str) -> Texts:
        match self._names.lookup(module, name):
            case Bound():
                scope = module_scope(module)
                return self._bound(reaching(global_binders(module, name), scope), name, scope)
            case FromStar(local=local):
                return any_of(t for _, _, source in local for t in self.of_module(source, name))
            case _:
                return module_dunder_texts(module).get(name, NOTHING_KNOWN)

    def _bound(self, binders: list[Binder], name: str, scope: Scope) -> Texts:
        return any_of(text for binder in binders for text in self._binder(binder, name, scope))

    def _binder(self, binder: Binder, name: str, scope: Scope) -> Texts:
        match binder.kind:
            case "value" | "enter" if binder.value is not None:
                return self._unpacked(binder.value, binder.path, scope)
            case "item" if binder.value is not None:
                parts, path = items_at(binder.value, binder.path, scope)
                return any_of(t for part in parts for t in self._unpacked(part, path, scope))
            case "annotated" if isinstance(binder.node, ast.AnnAssign) and binder.node.value:
                return self._evaluate(binder.node.value, scope)
            case "parameter" if isinstance(binder.node, ast.arg):
                default = default_of(scope.node, binder.node)
                known = [
                    (given, module_scope(scope.module)) for given in constructed_with(scope, name)
                ]
                if default is not None and scope.parent is not None:
                    known.append((default, scope.parent))
                texts = [text for value, place in known for text in self._evaluate(value, place)]
                return any_of((*texts, *NOTHING_KNOWN))
            case "import" if isinstance(binder.node, (ast.Import, ast.ImportFrom)):
                return self._imported(binder.node, name, scope.module)
            case _:
                return NOTHING_KNOWN

    def _unpacked(self, value: ast.expr, path: tuple[int, ...], scope: Scope) -> Texts:
        if not path:
            return self._evaluate(value, scope)
        match value:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if 0 <= path[0] < len(parts):
                return self._unpacked(parts[path[0]], path[1:], scope)
            case ast.Call() if len(path) == 1:
                return self._part(value, path[0], scope)
            case _:
                return NOTHING_KNOWN

    def _imported(self, node: ast.Import | ast.ImportFrom, name: str, module: Module) -> Texts:
        found: list[Text] = []
        for alias in node.names:
            if (alias.asname or alias.name) == name:
                match self._names.imported(module, node, alias):
                    case ImportedName(module=source, name=origin) if source is not module:
                        found += self.of_module(source, origin)
                    case ImportedExternal(name=origin):
                        found += CONSTANTS.get(origin, ())
                    case _:
                        continue
        return any_of(found)


def module_dunder_texts(module: Module) -> dict[str, Texts]:
    """Return the texts of the names that every module has."""
    return {
        "__file__": (place(module.path),),
        "__name__": (Text(module.name),),
        "__package__": (Text(module.package),),
    }
