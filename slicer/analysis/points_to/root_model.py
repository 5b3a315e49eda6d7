"""Roots, which are the objects that an expression may denote, and the queries about them."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol

from ...repo.repository import Module
from ..inference import Inference
from ..scopes.assignments import AssignedExpression
from ..scopes.definitions import Scope
from ..values.abstract_values import Parameter
from ..values.derivations import Rule

Object = tuple[Module, str]
"""A module-level object: the module and the name that binds it."""


@dataclass(frozen=True, slots=True)
class ParameterContents:
    """The contents of an attribute of a parameter's object, transitively."""

    parameter: Parameter
    field: str


Root = Object | Parameter | ParameterContents


class RootQueries(Protocol):
    """The queries about roots that the contents of objects depend on."""

    @property
    def inference(self) -> Inference:
        """The inference that evaluates expressions."""
        ...

    def module_scope(self, module: Module) -> Scope:
        """Return the scope of a module."""
        ...

    def visit(self, place: Hashable) -> bool:
        """Whether the place was not followed before for the current question."""
        ...

    def modules_of(self, node: ast.expr, scope: Scope) -> list[Module]:
        """Return the modules of the repository that the expression may denote."""
        ...

    def rule(self, node: ast.expr, scope: Scope) -> Rule[Root]:
        """Yield the objects that an expression may denote."""
        ...

    def parameter_contents(self, parameter: Parameter, field: str) -> Root:
        """Return the root for the contents of a parameter's attribute."""
        ...

    def parameter_of(self, root: Parameter | ParameterContents) -> Parameter:
        """Return the parameter that the root denotes, or belongs to."""
        ...

    def assigned(self, name: str, scope: Scope) -> tuple[AssignedExpression, ...]:
        """Return the expressions that a name stands for, according to assignments and loops."""
        ...

    def resolve(self, module: Module, name: str) -> Object | None:
        """Return the module and name that bind a global name, with imports followed."""
        ...

    def is_variable(self, root: Root) -> bool:
        """Whether the object is neither a function nor a class nor imported."""
        ...
