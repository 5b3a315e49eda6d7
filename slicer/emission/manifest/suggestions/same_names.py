"""Heuristic: how the package annotates parameters of the same name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ....analysis.names.word_mentions import MAX_PARSED, top_classes
from ....analysis.scopes.definitions import ClassInfo, Scope, module_scope
from ....errors import SourceError
from ....repo.repository import Module
from ....repo.source import decode
from ....syntax.annotation_names import names_in
from ....syntax.nodes import all_parameters
from .annotated_classes import annotation_classes
from .open_parameters import TargetParameter
from .repository_search import Search
from .target_functions import FunctionNode, TargetFunction

# a parameter, or a variable, annotated with something that may be a class
_ANNOTATED = re.compile(r"(?<=[\s(,*])([a-z_]\w*)[ \t]*:[ \t]*[\w\"'.\[]*[A-Z]")


def from_names(search: Search, parameter: TargetParameter, function: TargetFunction) -> None:
    """Add the classes that annotate parameters of the same name in the package."""
    name = parameter.arg.arg
    found: dict[ClassInfo, tuple[Module, int]] = {}
    for module in _annotating(search, name, function.module):
        for annotation, scope in _annotations(search, module).get(name, ()):
            parts = names_in(annotation)
            classes = [cls for part in parts for cls in annotation_classes(search, part, scope)]
            if not classes:
                return  # the name has different meanings
            for cls in classes:
                found.setdefault(cls, (module, annotation.lineno))
    if len(found) <= 2:
        for cls, (module, line) in found.items():
            text = f"another function of the package annotates {name} so"
            parameter.add(cls, text, module, line)


def _annotating(search: Search, name: str, module: Module) -> list[Module]:
    """Return at most three modules of the package that may annotate a parameter of that name."""
    folder = module.path.rpartition("/")[0]
    files = search.folders.get(folder)
    if files is None:
        listed = sorted(n for n in search.repository.listing(folder) if n.endswith(".py"))
        paths = [f"{folder}/{file}" if folder else file for file in listed[:MAX_PARSED]]
        files = search.folders[folder] = {}
        for path in paths:
            for annotated in set(_ANNOTATED.findall(_text(search, path))):
                files.setdefault(annotated, []).append(path)
    return list(search.mentions.modules(files.get(name, ())[:3]))


def _text(search: Search, path: str) -> str:
    try:
        return decode(search.repository.read_data(path), path)
    except SourceError:
        return ""


def _annotations(search: Search, module: Module) -> dict[str, list[tuple[ast.expr, Scope]]]:
    """Return parameter name → annotations in the functions and methods at the top level."""
    table = search.annotated.get(module.path)
    if table is None:
        table = search.annotated[module.path] = {}
        for node, scope in _top_functions(module):
            for arg in all_parameters(node.args):
                if arg.annotation is not None:
                    table.setdefault(arg.arg, []).append((arg.annotation, scope))
    return table


def _top_functions(module: Module) -> Iterator[tuple[FunctionNode, Scope]]:
    for unit in module.units:
        for node in unit.nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node, module_scope(module)
    for cls in top_classes(module):
        for function in cls.functions:
            yield function, cls.scope
