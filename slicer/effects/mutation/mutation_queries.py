"""Changes of objects, and the queries about them that the parts of the analysis share."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Protocol

from ...analysis.inference import Inference
from ...analysis.points_to.call_targets import Arguments, Callee, CallTargets
from ...analysis.points_to.mutation_summaries import Called, DispatchedMutation, Summary
from ...analysis.points_to.root_model import Object, ParameterContents
from ...analysis.points_to.root_objects import RootObjects
from ...analysis.scopes.definitions import ClassInfo, FunctionInfo, Scope
from ...analysis.values.abstract_values import Parameter
from ...repo.units import Unit

Change = Object | Parameter | ParameterContents | Called | DispatchedMutation


class MutationQueries(Protocol):
    """The mutation analysis of one repository."""

    @property
    def inference(self) -> Inference:
        """The inference that evaluates expressions."""
        ...

    @property
    def roots(self) -> RootObjects:
        """The objects that expressions denote."""
        ...

    @property
    def callables(self) -> CallTargets:
        """The functions that expressions may call."""
        ...

    is_lenient: bool
    """Whether unknown methods of external objects are assumed to change nothing."""

    def of_function(self, function: FunctionInfo) -> Summary:
        """Return the summary of a call of the function."""
        ...

    def of_lambda(self, node: ast.Lambda, scope: Scope) -> Summary:
        """Return the summary of a lambda in the scope."""
        ...

    def of_methods(
        self, cls: ClassInfo, units: Iterable[Unit]
    ) -> Iterator[tuple[ast.arguments, Summary]]:
        """Yield the parameters and summaries of the functions among some class members."""
        ...

    def of_call(self, node: ast.Call, scope: Scope) -> Iterator[Change]:
        """Yield what a call may change."""
        ...

    def of_callee(self, callee: Callee, arguments: Arguments) -> Iterator[Change]:
        """Yield what a call of the expression's value may change."""
        ...

    def of_operation(
        self, cls: ClassInfo, name: str, callee: Callee, arguments: Arguments
    ) -> Iterator[Change]:
        """Yield what an operation on an instance changes, through the method of that name."""
        ...

    def of_maker(self, made: ast.Call, summary: Summary, scope: Scope) -> Iterator[Change]:
        """Yield what a function changes in the arguments of the call that made it."""
        ...

    def operated(
        self, owner: ast.expr, method: str, arguments: Arguments, scope: Scope
    ) -> Iterator[Change]:
        """Yield what an operation changes through the method of that name, on an instance."""
        ...

    def plain_functions(self, name: str, scope: Scope) -> Iterator[FunctionInfo]:
        """Yield the functions with that name, even decorated ones."""
        ...
