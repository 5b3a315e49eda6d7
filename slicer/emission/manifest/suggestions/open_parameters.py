"""The parameters of a target that callers pass, and the classes found for each."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from ....analysis.scopes.definitions import ClassInfo
from ....repo.repository import Module
from ....syntax.nodes import all_parameters, defaults_of
from .target_functions import TargetFunction


@dataclass(slots=True, eq=False)
class TargetParameter:
    """A parameter, with the classes found for it."""

    arg: ast.arg
    default: ast.expr | None = None
    is_open: bool = False
    """Whether neither annotation nor default determines its classes."""
    found: dict[ClassInfo, str] = field(default_factory=dict[ClassInfo, str])

    def add(self, cls: ClassInfo, reason: str, module: Module, line: int) -> None:
        """Record a class; the first reason is kept."""
        self.found.setdefault(cls, f"{reason} ({module.path}:{line})")


def parameters_of(function: TargetFunction) -> list[TargetParameter]:
    """Return the parameters that callers pass."""
    defaults = dict(defaults_of(function.node.args))
    skipped = function.positional[:1] if function.takes_self else []
    return [
        TargetParameter(a, defaults.get(a))
        for a in all_parameters(function.node.args)
        if a not in skipped
    ]
