"""Inclusion constraints over the parameters of one slice, solved incrementally.

A parameter holds what the kept calls bind to it. Where a call passes on a parameter of its own
function, all values of that parameter flow along, including those that arrive later (difference
propagation: Pearce, Kelly and Hankin, SCAM 2003). So each value crosses each edge once, even in
recursive functions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ...analysis.scopes.definitions import Scope
from ...analysis.values.abstract_values import NOTHING, Parameter, Value, Values, join, ordered

Waiting = TypeVar("Waiting", bound=Hashable)


@dataclass(slots=True, eq=False)
class _Slot(Generic[Waiting]):
    """The constraint variable of one parameter."""

    parameter: Parameter
    bound: Values = NOTHING
    """Values that calls bind to it, including parameters of other functions."""
    values: Values = NOTHING
    """Values that it holds as a consequence, once it is solved."""
    is_solved: bool = False
    is_declared: bool = False
    """Whether it holds what its annotation says, whatever calls bind to it."""
    readers: dict[_Slot[Waiting], None] = field(default_factory=dict["_Slot[Waiting]", None])
    """Slots that hold the values of this one."""
    waiting: dict[Waiting, None] = field(default_factory=dict[Waiting, None])


class ParameterConstraints(Generic[Waiting]):
    """Values of parameters; a waiting use is returned as woken when its answer changes."""

    def __init__(self, declared: Callable[[Parameter], Values]) -> None:
        self._declared = declared
        self._open: dict[Scope, bool] = {}
        """Reached functions → whether they may be called with any arguments."""
        self._slots: dict[Scope, dict[str, _Slot[Waiting]]] = {}
        self._unreached: dict[Scope, None] = {}
        """Functions that were queried before the slice reached them."""

    def is_open(self, scope: Scope) -> bool:
        """Whether the function may be called with any arguments."""
        return self._open.get(scope, False)

    def mark_called(self, scope: Scope) -> list[Waiting]:
        """Record that the slice calls the function by its name."""
        self._unreached.pop(scope, None)
        self._open.setdefault(scope, False)
        return []

    def open(self, scope: Scope) -> list[Waiting]:
        """Record that the function may be called with anything that its declaration allows."""
        self._unreached.pop(scope, None)
        if self._open.get(scope):
            return []
        self._open[scope] = True
        return self._declare(self._slots.get(scope, {}).values())

    def unreached(self) -> list[Scope]:
        """Return the functions that were queried and that the slice has not reached."""
        return list(self._unreached)

    def bind(self, parameter: Parameter, values: Values) -> list[Waiting]:
        """Record that a call binds the values to the parameter."""
        slot = self._slot(parameter)
        before, slot.bound = slot.bound, join(slot.bound, values)
        if slot.bound is None:
            return [] if before is None else self._declare([slot])
        woken: dict[Waiting, None] = {}
        if slot.is_solved and before is not None and slot.bound != before:
            self._take(slot, slot.bound - before, woken)
        return list(woken)

    def of(self, parameter: Parameter, reader: Waiting) -> Values:
        """Return the values of the parameter; the asker is woken when they change."""
        slot = self._slot(parameter)
        slot.waiting.setdefault(reader)
        if not slot.is_solved:
            self._solve(slot, {})
        return slot.values

    def _slot(self, parameter: Parameter) -> _Slot[Waiting]:
        slots = self._slots.setdefault(parameter.scope, {})
        slot = slots.get(parameter.name)
        if slot is None:
            slot = slots[parameter.name] = _Slot(parameter)
        return slot

    def _solve(self, start: _Slot[Waiting], woken: dict[Waiting, None]) -> None:
        """Solve a slot together with all slots that it reads."""
        left, found = [start], list[_Slot[Waiting]]()
        while left:
            slot = left.pop()
            if slot.is_solved:
                continue
            slot.is_solved = True
            slot.values = NOTHING
            found.append(slot)
            scope = slot.parameter.scope
            if scope not in self._open:
                self._unreached.setdefault(scope)
            slot.is_declared = self._open.get(scope, False) or slot.bound is None
            if not slot.is_declared:
                read = [self._slot(v) for v in ordered(slot.bound) if isinstance(v, Parameter)]
                left += [other for other in read if not other.is_solved]
        for slot in found:
            if slot.is_declared:
                self._flow(slot, self._declared(slot.parameter), woken)
            else:
                self._take(slot, slot.bound or NOTHING, woken)

    def _take(
        self, slot: _Slot[Waiting], values: frozenset[Value], woken: dict[Waiting, None]
    ) -> None:
        """Add values to a solved slot, with the values of the parameters among them."""
        self._flow(slot, frozenset(v for v in values if not isinstance(v, Parameter)), woken)
        for value in ordered(values):
            if isinstance(value, Parameter):
                other = self._slot(value)
                other.readers.setdefault(slot)
                if not other.is_solved:
                    self._solve(other, woken)
                self._flow(slot, other.values, woken)

    def _flow(self, start: _Slot[Waiting], values: Values, woken: dict[Waiting, None]) -> None:
        """Add values to a slot, and to all slots that read it."""
        left = [(start, values)]
        while left:
            slot, fresh = left.pop()
            if slot.values is None:
                continue
            if fresh is not None:
                fresh -= slot.values
                if not fresh:
                    continue
            slot.values = join(slot.values, fresh)
            woken.update(slot.waiting)
            left += [(each, fresh) for each in slot.readers if _follows(each)]

    def _declare(self, slots: Iterable[_Slot[Waiting]]) -> list[Waiting]:
        """Switch these slots to declared values; slots that read them must be solved anew."""
        woken: dict[Waiting, None] = {}
        left, met = list(slots), dict[_Slot[Waiting], None]()
        while left:
            slot = left.pop()
            if slot in met:
                continue
            met[slot] = None
            woken.update(slot.waiting)
            left += [each for each in slot.readers if _follows(each)]
        for slot in met:
            slot.is_solved = False
            slot.values = NOTHING
        return list(woken)


def _follows(reader: _Slot[Waiting]) -> bool:
    """Whether the slot follows the slots that it reads: it is solved and not declared."""
    return reader.is_solved and not reader.is_declared
