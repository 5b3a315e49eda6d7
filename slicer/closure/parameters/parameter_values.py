"""Values that the parameters of functions hold in a slice: the arguments of the kept calls.

If the slice only ever calls a function by its name, all callers are known (0-CFA: Shivers, PLDI
1988, restricted to the functions and calls of one slice). A function that is also passed around, or
reached in another way, may receive anything that its declaration allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic

from ...analysis.inference import Inference
from ...analysis.scopes.definitions import FunctionInfo, Scope
from ...analysis.uses.use_records import CallUse
from ...analysis.values.abstract_values import (
    ClassValue,
    FunctionValue,
    Instance,
    ModuleValue,
    Parameter,
    Value,
    Values,
    ordered,
)
from ...syntax.nodes import defaults_of
from .parameter_constraints import ParameterConstraints, Waiting

_LISTED = (ClassValue, Instance, ModuleValue, Parameter)
"""Kinds of values that are worth knowing even if an argument's other values are unknown."""


class ParameterValues(Generic[Waiting]):
    """The table of one slice; `Waiting` is a use to process again when an answer grows."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._constraints: ParameterConstraints[Waiting] = ParameterConstraints(inference.declared)
        self._waiting: dict[Scope, dict[Waiting, None]] = {}
        self._given: dict[Parameter, frozenset[Value]] = {}
        """Known arguments of kept calls, even if other callers exist."""

    def reach(self, function: FunctionInfo, *, is_call: bool) -> list[Waiting]:
        """Record that the slice mentions the function: by a call of its name, or otherwise."""
        scope = self._inference.function_scope(function)
        return self._constraints.mark_called(scope) if is_call else self._constraints.open(scope)

    def open_unreached(self) -> list[Waiting]:
        """Record that unreached functions, such as methods, may be called with any arguments."""
        return [
            asker
            for scope in self._constraints.unreached()
            for asker in self._constraints.open(scope)
        ]

    def bind(self, call: CallUse) -> list[Waiting]:
        """Bind the arguments of a kept call to the parameters."""
        woken: list[Waiting] = []
        for value in ordered(call.callee):
            if isinstance(value, FunctionValue) and value.function.owner is None:
                woken += self._bind(value.function, call)
            for function in self._called(value):
                woken += self._note(function, call)
        return woken

    def resolve(self, values: Values, reader: Waiting) -> Values:
        """Return the values with each parameter replaced by its known values."""
        if values is None or not any(isinstance(v, Parameter) for v in values):
            return values
        found: frozenset[Value] = frozenset(v for v in values if not isinstance(v, Parameter))
        for value in ordered(values):
            if isinstance(value, Parameter):
                known = self._constraints.of(value, reader)
                if known is None:
                    return None
                found = found | known if found else known
        return found

    def resolve_parameters(self, values: Values, reader: Waiting) -> Values:
        """Return the known values, with arguments of kept calls in place of parameters."""
        found: dict[Value, None] = {}
        left = list(ordered(values))
        while left:
            value = left.pop()
            if value in found:
                continue
            found[value] = None
            if isinstance(value, Parameter):
                self._waiting.setdefault(value.scope, {}).setdefault(reader)
                left += ordered(self._given.get(value, frozenset()))
        return frozenset(value for value in found if not isinstance(value, Parameter))

    def _called(self, value: Value) -> Iterator[FunctionInfo]:
        match value:
            case FunctionValue(function=function):
                yield function
            case ClassValue(cls=cls):
                yield from self._inference.methods(cls, "__init__")
            case _:
                return

    def _may_give_receiver(self, function: FunctionInfo, call: CallUse) -> bool:
        """Whether the first argument may be the instance, as in `Base.__init__(self, x)`."""
        first = call.arguments[0] if call.arguments else None
        return any(
            isinstance(v, Instance) and function.owner in self._inference.mro(v.cls)
            for v in first or ()
        )

    def _note(self, function: FunctionInfo, call: CallUse) -> list[Waiting]:
        """Record the known arguments of a call."""
        scope = self._inference.function_scope(function)
        args = function.node.args
        order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        decorators = {getattr(d, "id", "") for d in function.node.decorator_list}
        if function.owner is not None and "staticmethod" not in decorators:
            orders = [order[1:], *([order] if self._may_give_receiver(function, call) else [])]
        else:
            orders = [order]
        has_grown = False
        named = [pair for names in orders for pair in zip(names, call.arguments, strict=False)]
        for name, values in (*named, *call.keywords):
            parameter = Parameter(scope, name)
            before = self._given.get(parameter, frozenset())
            after = before | frozenset(v for v in values or () if isinstance(v, _LISTED))
            if after != before:
                self._given[parameter] = after
                has_grown = True
        return self._woken(scope) if has_grown else []

    def _bind(self, function: FunctionInfo, call: CallUse) -> list[Waiting]:
        scope = self._inference.function_scope(function)
        woken = self._constraints.mark_called(scope)
        if self._constraints.is_open(scope):
            return woken  # it already accepts anything
        for name, values in self._arguments(function, call):
            woken += self._constraints.bind(Parameter(scope, name), values)
        return woken

    def _arguments(self, function: FunctionInfo, call: CallUse) -> Iterator[tuple[str, Values]]:
        args = function.node.args
        order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        given = dict(zip(order, call.arguments, strict=False)) | dict(call.keywords)
        defaults = {arg.arg: default for arg, default in defaults_of(args)}
        for name in (*order, *(arg.arg for arg in args.kwonlyargs)):
            default = defaults.get(name)
            if name in given:
                yield name, given[name]
            elif call.is_open or default is None:
                yield name, None
            if default is not None:
                yield name, self._inference.possible(default, function.enclosing)

    def _woken(self, scope: Scope) -> list[Waiting]:
        return list(self._waiting.get(scope, ()))
