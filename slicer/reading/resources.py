"""Reading by package: `importlib.resources` and its like, and the folders that packages are."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable

from ..definitions import Scope
from ..infer import Inference
from ..repository import Module, Namespace
from ..values import ModuleValue
from .callees import external_names, receivers
from .texts import NOTHING_KNOWN, ROOT, Text, Texts, any_of, joined, place

_MODULES = ("importlib.resources", "importlib_resources")
LOCATORS = frozenset(
    [f"{module}.{name}" for module in _MODULES for name in ("files", "path")]
    + ["pkg_resources.resource_filename"]
)
"""Functions that give the place of a package, or of a file in it."""
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
"""What the dotted names of everything that reads by package begin with."""


class Resources:
    """What is read by package.

    Args:
        inference: what expressions may stand for.
        evaluate: the texts of an expression.
    """

    def __init__(self, inference: Inference, evaluate: Callable[[ast.expr, Scope], Texts]) -> None:
        self.packages: dict[tuple[str, str], Module | Namespace | str] = {}
        """(importing module, package) → what resources are read from; a folder where it is bare."""
        self._inference = inference
        self._repository = inference.repository
        self._evaluate = evaluate

    def reads(self, call: ast.Call, scope: Scope) -> Texts:
        """What a call reads that names a package and a file in it; nothing known of other calls."""
        for name in external_names(self._inference, call.func, scope):
            if name in READERS:
                return self.located(call.args, scope)
            if name in TEMPLATE_LOADERS:
                folder = self.located(call.args[:1], scope)
                path = [k.value for k in call.keywords if k.arg == "package_path"] or call.args[1:2]
                inside = self._evaluate(path[0], scope) if path else (Text("templates"),)
                return joined(folder, inside, as_path=True)
        return NOTHING_KNOWN

    def located(self, args: list[ast.expr], scope: Scope) -> Texts:
        """The place that a package and the names behind it mean."""
        if args:
            folders = self._package_folders(args[0], scope)
        else:
            own = scope.module.package or scope.module.name
            folders = self._folder(own, scope.module)
        for arg in args[1:]:
            folders = joined(folders, self._evaluate(arg, scope), as_path=True)
        return folders

    def _package_folders(self, node: ast.expr, scope: Scope) -> Texts:
        found: list[Text] = []
        for text in self._evaluate(node, scope):
            if text.text and not text.is_open and not text.is_place:
                found += self._folder(text.text, scope.module)
        for value in receivers(self._inference, node, scope) or ():
            if isinstance(value, ModuleValue):
                found += self._folder(value.module.name, scope.module)
        return any_of(found)

    def _folder(self, name: str, importer: Module) -> Texts:
        """The place of a package that a module reads from; notes the package."""
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
        """A folder without any Python file: a package for those who read resources."""
        parent, _, last = name.rpartition(".")
        above = (
            self._folder(parent, importer)
            if parent
            else tuple(map(place, self._repository.import_roots(importer.path)))
        )
        for text in above:
            outer = text.text.removeprefix(ROOT).strip("/")
            if text.is_place and f"{last}/" in self._repository.listing(outer):
                return posixpath.join(outer, last)
        return None
