"""Statements whose calls or decorators fill a module's namespace: `@enum.global_enum`.

They are searched when a name has no other binding. The filling code may be in another module; it
finds the namespace by the name of a class, by the caller's frame, or through an argument.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...analysis.inference import Inference
from ...analysis.scopes.definitions import FunctionInfo, Scope, module_scope
from ...analysis.scopes.executed_nodes import executed
from ...analysis.values.abstract_values import ClassValue, External, FunctionValue, ordered
from ...repo.repository import Module
from ...repo.units import Unit

_OUTSIDE = frozenset({"enum.global_enum", "enum._convert_", "enum.IntEnum._convert_",
                      "enum.Enum._convert_"})  # fmt: skip
"""External callables that bind names in a module of the repository."""
_REACHES = re.compile(
    r"\bglobals\(\)|\b_getframe\b|\bcurrentframe\b|\bf_(?:globals|locals|back)\b|\b__globals__\b"
    r"|\bmodules\b|\bgetmodule\b|\binspect\.stack\b|\bexec\(|\bimport_module\b|\bvars\(|\bsetattr\("
)
_SKIPPED = ("import", "main", "typing", "prelude")


def exporting_units(module: Module, inference: Inference) -> tuple[Unit, ...]:
    """Return statements that may bind further module names, through functions they call."""
    scope = module_scope(module)
    finder = _Finder(inference)
    return tuple(
        unit
        for unit in module.units
        if unit.kind not in _SKIPPED
        and any(finder.fills(func, at) for func, at in _called(unit, scope))
    )


def _called(unit: Unit, scope: Scope) -> Iterator[tuple[ast.expr, Scope]]:
    """Yield what the statement calls when the module runs, including decorators."""
    for node in unit.nodes:
        for decorator in getattr(node, "decorator_list", ()):
            yield decorator, scope
    for node, place in executed(unit.nodes, scope):
        if isinstance(node, ast.Call):
            yield node.func, place


class _Finder:
    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._known: dict[ast.AST, bool] = {}

    def fills(self, func: ast.expr, scope: Scope) -> bool:
        """Whether the callable may bind names in a module."""
        for value in ordered(self._inference.evaluate(func, scope)):
            match value:
                case External(name=name):
                    if name in _OUTSIDE:
                        return True
                case FunctionValue(function=function):
                    if self._function_fills(function):
                        return True
                case ClassValue(cls=cls):
                    made = self._inference.methods(cls, "__init__")
                    if any(map(self._function_fills, made)):
                        return True
                case _:
                    continue
        return False

    def _function_fills(self, function: FunctionInfo) -> bool:
        """Whether the text of the function, or of one that it calls, accesses a namespace."""
        known = self._known.get(function.node)
        if known is None:
            self._known[function.node] = False  # a recursive call adds nothing
            text = ast.get_source_segment(function.module.source.text, function.node) or ""
            scope = self._inference.function_scope(function)
            known = self._known[function.node] = _REACHES.search(text) is not None or any(
                self.fills(node.func, place)
                for node, place in executed(function.node.body, scope)
                if isinstance(node, ast.Call)
            )
        return known
