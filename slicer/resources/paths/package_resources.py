"""Resource access by package (`importlib.resources` and similar), and the folders of packages."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable, Iterator

from ...analysis.inference import Inference
from ...analysis.scopes.definitions import Scope
from ...analysis.values.abstract_values import ModuleValue
from ...analysis.values.texts import NOTHING_KNOWN, Text, Texts, any_of, below, place
from ...repo.repository import Module, Namespace
from .callees import external_names, receivers

_MODULES = ("importlib.resources", "importlib_resources")
LOCATORS = frozenset(
    [f"{module}.{name}" for module in _MODULES for name in ("files", "path")]
    + ["pkg_resources.resource_filename"]
)
"""Functions that return the place of a package, or of a file in it."""
READERS = frozenset(
    f"{module}.{name}"
    for module in _MODULES
    for name in ("open_text", "open_binary", "read_text", "read_binary", "contents", "is_resource")
) | frozenset(
    "pkg_resources.resource_string pkg_resources.resource_stream pkg_resources.resource_exists "
    "pkg_resources.resource_listdir pkg_resources.resource_isdir pkgutil.get_data".split()
)
"""Functions that read a file in a package."""
TEMPLATE_LOADERS = ("jinja2.PackageLoader", "jinja2.loaders.PackageLoader")
"""Classes that read any file below a folder in a package."""
RESOURCE_PREFIXES = (*_MODULES, "pkg_resources", "pkgutil.get_data", *TEMPLATE_LOADERS)
"""Prefixes of the dotted names of all functions that read by package."""


class Resources:
    """Reads by package.

    Args:
        inference: evaluates expressions.
        evaluate: returns the texts of an expression.
    """

    def __init__(self, inference: Inference, evaluate: Callable[[ast.expr, Scope], Texts]) -> None:
        self.packages: dict[tuple[str, str], Module | Namespace | str] = {}
        """(importing module, package) → the package that is read, or its folder without code."""
        self._is_named: dict[tuple[str, int], bool] = {}
        """Path and line of an expression that names a package → whether it is partly known."""
        self._inference = inference
        self._repository = inference.repository
        self._evaluate = evaluate

    def reads(self, call: ast.Call, scope: Scope) -> Texts:
        """Return the place that a resource call reads; nothing known for other calls."""
        for name in external_names(self._inference, call.func, scope):
            if name in READERS:
                return self.located(call.args, scope)
            if name in TEMPLATE_LOADERS:
                folder = self.located(call.args[:1], scope)
                path = [k.value for k in call.keywords if k.arg == "package_path"] or call.args[1:2]
                inside = self._evaluate(path[0], scope) if path else (Text("templates"),)
                return below([folder, inside])
        return NOTHING_KNOWN

    def unnamed(self) -> Iterator[tuple[str, int]]:
        """Yield path and line of each package whose name is computed at run time."""
        return (place for place, is_named in sorted(self._is_named.items()) if not is_named)

    def located(self, args: list[ast.expr], scope: Scope) -> Texts:
        """Return the place that a package and the names after it denote."""
        if args:
            folders = self._package_folders(args[0], scope)
        else:
            own = scope.module.package or scope.module.name
            folders = self._folder(own, scope.module)
        for arg in args[1:]:
            folders = below([folders, self._evaluate(arg, scope)])
        return folders

    def _package_folders(self, node: ast.expr, scope: Scope) -> Texts:
        found: list[Text] = []
        texts = self._evaluate(node, scope)
        values = receivers(self._inference, node, scope)
        key = scope.module.path, node.lineno
        is_named = values is not None or any(text.text for text in texts)
        self._is_named[key] = self._is_named.get(key, False) or is_named
        for text in texts:
            if text.is_open:
                found += self._begun(text.text, scope.module)
            elif text.text and not text.is_place:
                found += self._folder(text.text, scope.module)
        for value in values or ():
            if isinstance(value, ModuleValue):
                found += self._folder(value.module.name, scope.module)
        return any_of(found)

    def _begun(self, text: str, importer: Module) -> Iterator[Text]:
        """Yield the places of the subpackages of a package whose names have a known prefix."""
        package, dot, start = text.rpartition(".")
        for above in self._folder(package, importer) if dot else ():
            folder = above.path
            for name in sorted(self._repository.listing(folder)) if above.is_place else ():
                if name.endswith("/") and name.startswith(start):
                    yield from self._folder(f"{package}.{name[:-1]}", importer)

    def _folder(self, name: str, importer: Module) -> Texts:
        """Return the place of a package that a module reads from, and record the package."""
        if not all(part.isidentifier() for part in name.split(".")):
            return NOTHING_KNOWN
        found = self._repository.find_module(name, importer) or self._bare(name, importer)
        if found is None:
            return NOTHING_KNOWN
        self.packages[importer.name, name] = found
        match found:
            case Module():
                return (place(posixpath.dirname(found.path)),)
            case Namespace():
                return (place(found.path),)
            case str():
                return (place(found),)

    def _bare(self, name: str, importer: Module) -> str | None:
        """Return a folder without Python files, which resource functions accept as a package."""
        parent, _, last = name.rpartition(".")
        above = (
            self._folder(parent, importer)
            if parent
            else tuple(map(place, self._repository.import_roots(importer.path)))
        )
        for text in above:
            outer = text.path
            if text.is_place and f"{last}/" in self._repository.listing(outer):
                return posixpath.join(outer, last)
        return None
