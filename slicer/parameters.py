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
from .values import FunctionValue, Parameter, Value, Values, join, ordered

Waiting = TypeVar("Waiting")


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
        return woken

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
