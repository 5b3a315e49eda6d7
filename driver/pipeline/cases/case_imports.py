"""Imports of hand-written cases from the repository, translated into the terms of their script.

A package often re-exports names that are defined deeper (`from shop import Order`), and a slice
holds the definition, not the re-export. So each name is followed to its definition. A `flat` script
binds it; a script of modules has it in the defining module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....slicer import Repository
from ....slicer.analysis.inference import Inference
from ....slicer.analysis.names.name_resolution import ImportedModule, Names
from ....slicer.analysis.points_to.root_objects import Object, RootObjects
from ....slicer.emission.choose_layout import layout_of
from ....slicer.errors import SourceError
from ....slicer.model import Slice
from ....slicer.repo.module import Module, Namespace


class NotInScriptError(Exception):
    """A name of the repository that the script does not contain."""

    def __init__(self, node: ast.stmt | ast.expr, text: str) -> None:
        super().__init__(text)
        self.line = node.lineno


class CaseImports(ast.NodeTransformer):
    """Rewrites the statements of one file of cases, in their order."""

    def __init__(self, repository: Repository, sliced: Slice) -> None:
        self._names = Names(repository)
        self._roots = RootObjects(Inference(self._names))
        (target, *_) = sliced.manifest.targets
        self._importer = repository.module_at(target.path)
        self._is_flat = layout_of(sliced.manifest).is_merged
        self._module_names = {
            (kept.path, name)
            for kept in sliced.manifest.definitions
            for name in kept.qualname.split(", ")
        }
        self._modules: dict[str, Module] = {}
        """Names in the file that stand for modules of the repository."""
        self._attribute_modules: dict[str, None] = {}
        """Modules that are used as attributes of another one."""

    def written(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the replacement of a statement.

        Raises:
            NotInScriptError: it imports a name that the script does not contain.
        """
        self._attribute_modules = {}
        found = self.visit(node)
        written = [each for each in _statements(found) if not isinstance(each, ast.Pass)]
        imports = [ast.Import([ast.alias(name)]) for name in self._attribute_modules]
        return [ast.fix_missing_locations(each) for each in (*imports, *written)]

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        """Remember modules; a script without modules needs no import of them."""
        left: list[ast.alias] = []
        for alias in node.names:
            top = alias.name if alias.asname else alias.name.partition(".")[0]
            module = self._module(top)
            if module is not None:
                self._modules[alias.asname or top] = module
            if module is None or not self._is_flat:
                left.append(alias)
        return ast.copy_location(ast.Import(left), node) if left else ast.Pass()

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt | list[ast.stmt]:
        """Import each name from its definition."""
        if node.level or self._found(node.module or "") is None:
            return node
        written = [each for alias in node.names for each in self._from(node, alias)]
        return written or ast.Pass()

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Replace `package.name` by a reference to its definition."""
        module = self._named(node.value)
        if module is None or not isinstance(node.ctx, ast.Load):
            self.generic_visit(node)
            return node
        if self._submodule(module, node.attr) is not None:
            return node
        found = self._definition(module, node.attr)
        if found is None:
            return node
        source, name = self._require(node, module, node.attr, found)
        if self._is_flat:
            return ast.Name(name, ast.Load())
        self._attribute_modules[source.name] = None
        return ast.Attribute(_dotted(source.name), name, ast.Load())

    def _from(self, node: ast.ImportFrom, alias: ast.alias) -> Iterator[ast.stmt]:
        base = node.module or ""
        module = self._module(base)
        bound = alias.asname or alias.name
        submodule = module and self._submodule(module, alias.name)
        if submodule is not None:
            self._modules[bound] = submodule
        found = module and self._definition(module, alias.name)
        if module is None or submodule is not None or found is None:
            if submodule is None or not self._is_flat:
                yield ast.ImportFrom(base, [alias], 0)
            return
        source, name = self._require(node, module, alias.name, found)
        if not self._is_flat:
            yield ast.ImportFrom(
                source.name, [ast.alias(name, bound if bound != name else None)], 0
            )
        elif bound != name:
            yield ast.Assign([ast.Name(bound, ast.Store())], ast.Name(name, ast.Load()))

    def _require(
        self, node: ast.stmt | ast.expr, module: Module, name: str, found: Object
    ) -> Object:
        """Return the first place of a name in the script: the imported one, or its definition."""
        for place in ((module, name), found):
            if (place[0].path, place[1]) in self._module_names:
                return place
        where = f"{found[0].path}::{found[1]}"
        text = f"the slice does not hold {name} of {module.name}: keep it with --with {where}"
        raise NotInScriptError(node, text)

    def _definition(self, module: Module, name: str) -> Object | None:
        """Return the definition of a module's name; `None` if it is not certain."""
        try:
            if not self._names.defines(module, name):
                return (module, name) if not module.stars else None
            return self._roots.resolve(module, name)
        except SourceError:
            return None

    def _found(self, name: str) -> Module | Namespace | None:
        try:
            return self._names.repository.find_module(name, self._importer) if name else None
        except SourceError:
            return None

    def _module(self, name: str) -> Module | None:
        found = self._found(name)
        return found if isinstance(found, Module) else None

    def _submodule(self, module: Module, name: str) -> Module | None:
        """Return the submodule of that name; `None` if the package binds another object."""
        try:
            found = self._names.imported_from(self._importer, module.name, name)
        except SourceError:
            return None
        match found:
            case ImportedModule(module=Module() as found_module):
                return found_module
            case _:
                return None

    def _named(self, node: ast.expr) -> Module | None:
        """Return the module that an expression names."""
        match node:
            case ast.Name(id=name):
                return self._modules.get(name)
            case ast.Attribute(value=value, attr=name):
                module = self._named(value)
                return self._submodule(module, name) if module else None
            case _:
                return None


def _statements(found: ast.stmt | list[ast.stmt]) -> list[ast.stmt]:
    return found if isinstance(found, list) else [found]


def _dotted(name: str) -> ast.expr:
    return ast.parse(name, mode="eval").body
