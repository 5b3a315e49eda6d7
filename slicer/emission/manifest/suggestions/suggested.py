"""The suggested classes: all heuristics, strong before weak."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....analysis.inference import Inference
from ....analysis.scopes.definitions import ClassInfo, Scope
from ....closure.worklist import Closure
from ....model import SuggestedType
from ....syntax.memo import memo
from .body_members import attributes_read, from_body
from .caller_sites import from_calls
from .open_parameters import TargetParameter, parameters_of
from .repository_search import Search
from .same_names import from_names
from .signature_types import from_signature
from .target_functions import TargetFunction, has_call_sites, target_functions

if TYPE_CHECKING:
    from ....closure.start.target_definitions import Goal

MAX_SUGGESTED = 10


def suggested_types(closure: Closure, goals: Sequence[Goal]) -> tuple[SuggestedType, ...]:
    """Return the classes that fit the goals' parameters, each with its heuristic."""
    search = _search(closure.inference)
    found: dict[tuple[str, str, str], SuggestedType] = {}
    for goal in goals:
        for function in target_functions(closure.inference, goal):
            for parameter in _with_classes(search, function):
                offered = [c for c in parameter.found if _is_offered(closure, c)]
                for cls in offered[:MAX_SUGGESTED]:
                    name, path = parameter.arg.arg, cls.module.path
                    item = SuggestedType(name, path, cls.qualname, parameter.found[cls])
                    found.setdefault((name, path, cls.qualname), item)
    return tuple(found.values())


@memo
def _search(inference: Inference) -> Search:
    return Search(inference)


def _is_offered(closure: Closure, cls: ClassInfo) -> bool:
    """Whether the class can be named as a definition, and the slice does not hold it."""
    scope: Scope | None = cls.enclosing
    while scope is not None:
        if not isinstance(scope.node, (ast.Module, ast.ClassDef)):
            return False
        scope = scope.parent
    kept = closure.modules.get(cls.module.name)
    is_top = cls.node in cls.unit.nodes
    return cls not in closure.classes and not (is_top and kept and cls.unit.index in kept.units)


def _with_classes(search: Search, function: TargetFunction) -> list[TargetParameter]:
    """Return the function's parameters, with the classes that fit each."""
    found = parameters_of(function)
    for parameter in found:
        from_signature(search, parameter, function)
    if any(p.is_open for p in found) and has_call_sites(function):
        from_calls(search, {p.arg.arg: p for p in found if p.is_open}, function)
    for parameter in found:
        if parameter.is_open and not parameter.found:
            from_names(search, parameter, function)
    names = [p.arg.arg for p in found if p.is_open and not p.found]
    uses = attributes_read(function.node, names) if names else {}
    for parameter in found:
        if parameter.arg.arg in uses:
            from_body(search, parameter, function, uses[parameter.arg.arg])
    return found
