"""What the parameters of functions hold in a slice: the arguments of the calls that it keeps.

A function that the slice only ever calls by its name is known together with its callers (0-CFA:
Shivers, PLDI 1988, for the functions and calls of one slice). One that is also passed around, or
reached in another way, may get anything that its declaration allows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from .definitions import FunctionInfo, Scope
from .infer import Inference
from .uses.records import CallUse
from .values import (
    ClassValue,
    FunctionValue,
    Instance,
    ModuleValue,
    Parameter,
    Value,
    Values,
    join,
    ordered,
)

Waiting = TypeVar("Waiting")
_LISTED = (ClassValue, Instance, ModuleValue, Parameter)
"""What is worth knowing of an argument where others are not known."""


@dataclass(slots=True)
class _Function:
    """What is known of one function so far."""

    is_open: bool = False
    bound: dict[str, Values] = field(default_factory=dict[str, Values])


class Parameters(Generic[Waiting]):
    """The table of one slice; `Waiting` is what has to be looked at again when an answer grows."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._functions: dict[Scope, _Function] = {}
        self._waiting: dict[Scope, dict[Waiting, None]] = {}
        self._unreached: dict[Scope, None] = {}
        """Functions that were asked for before anything reached them."""
        self._given: dict[Parameter, frozenset[Value]] = {}
        """What kept calls are known to hand over, whoever else may call the function."""

    def reach(self, function: FunctionInfo, *, is_call: bool) -> list[Waiting]:
        """The slice mentions the function: it calls it by its name, or does something else."""
        scope = self._inference.function_scope(function)
        self._unreached.pop(scope, None)
        known = self._functions.get(scope)
        if known is None:
            known = self._functions[scope] = _Function()
        elif known.is_open or is_call:
            return []
        known.is_open = known.is_open or not is_call
        return self._woken(scope) if known.is_open else []

    def open_unreached(self) -> list[Waiting]:
        """Functions that nothing reached, such as methods, may be called with anything."""
        woken: list[Waiting] = []
        for scope in list(self._unreached):
            del self._unreached[scope]
            self._functions[scope] = _Function(is_open=True)
            woken += self._woken(scope)
        return woken

    def bind(self, call: CallUse) -> list[Waiting]:
        """A kept call: its arguments are what the parameters may hold."""
        woken: list[Waiting] = []
        for value in ordered(call.callee):
            if isinstance(value, FunctionValue) and value.function.owner is None:
                woken += self._bind(value.function, call)
            for function in self._called(value):
                woken += self._note(function, call)
        return woken

    def given(self, values: Values, asker: Waiting) -> Values:
        """What is known of the values, with what kept calls hand over in place of parameters."""
        found: dict[Value, None] = {}
        left = list(ordered(values))
        while left:
            value = left.pop()
            if value in found:
                continue
            found[value] = None
            if isinstance(value, Parameter):
                self._waiting.setdefault(value.scope, {}).setdefault(asker)
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
        """Note the known arguments of a call."""
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
        known = self._functions.setdefault(scope, _Function())
        self._unreached.pop(scope, None)
        if known.is_open:
            return []  # it may get anything already
        has_grown = False
        for name, values in self._arguments(function, call):
            before = known.bound.get(name, frozenset())
            after = join(before, values)
            if name not in known.bound or after != before:
                known.bound[name] = after
                has_grown = True
        return self._woken(scope) if has_grown else []

    def _arguments(self, function: FunctionInfo, call: CallUse) -> Iterator[tuple[str, Values]]:
        args = function.node.args
        order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        given = dict(zip(order, call.arguments, strict=False)) | dict(call.keywords)
        defaults: dict[str, ast.expr | None] = dict(
            zip(reversed(order), reversed(args.defaults), strict=False)
        )
        named = [arg.arg for arg in args.kwonlyargs]
        defaults |= dict(zip(named, args.kw_defaults, strict=True))
        for name in (*order, *named):
            default = defaults.get(name)
            if name in given:
                yield name, given[name]
            elif call.is_open or default is None:
                yield name, None
            if default is not None:
                yield name, self._inference.possible(default, function.enclosing)

    def resolve(self, values: Values, asker: Waiting) -> Values:
        """The values with every parameter replaced by what it holds, as far as that is known."""
        if values is None or not any(isinstance(v, Parameter) for v in values):
            return values
        return self._resolved(values, asker, set())

    def _resolved(self, values: Values, asker: Waiting, seen: set[Parameter]) -> Values:
        found: set[Value] = set()
        for value in ordered(values):
            if not isinstance(value, Parameter):
                found.add(value)
                continue
            if value in seen:
                continue
            seen.add(value)
            held = self._held(value, asker, seen)
            if held is None:
                return None
            found |= held
        return frozenset(found)

    def _held(self, parameter: Parameter, asker: Waiting, seen: set[Parameter]) -> Values:
        self._waiting.setdefault(parameter.scope, {}).setdefault(asker)
        known = self._functions.get(parameter.scope)
        if known is None:
            self._unreached.setdefault(parameter.scope)
            return frozenset()
        if known.is_open:
            return self._inference.declared(parameter)
        held = known.bound.get(parameter.name, frozenset())
        if held is None:
            return self._inference.declared(parameter)
        return self._resolved(held, asker, seen)

    def _woken(self, scope: Scope) -> list[Waiting]:
        return list(self._waiting.get(scope, ()))
