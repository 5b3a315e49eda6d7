"""Call edges: which functions a value denotes at a site, and where their results flow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from ..interned_values import (
    BoundValue,
    ClassMethodValue,
    ClassValue,
    FunctionValue,
    GeneratorValue,
    InstanceValue,
    PropertyValue,
    StaticValue,
    Value,
)
from ..objects.allocated_objects import Objects
from ..objects.attribute_slots import Slot, Slots
from ..objects.class_objects import Classes
from ..objects.containers import Containers
from ..program import Program
from ..site_table import Site
from .argument_passing import Passing


class ClosureCopies(Protocol):
    """Gives each call site of a closure-making function its own copy of the function."""

    def copy_for(self, function: int, site: Site) -> int:
        """Return the copy that the site calls, or the function itself."""
        ...


Handler = Callable[..., None]
"""Handles a call of one kind of value; takes the calls, the site and the value."""


class Calls:
    """Applies values at call sites and collects the edges."""

    def __init__(self, program: Program, handlers: Mapping[type[Value], Handler]) -> None:
        """Take the program, and the call handlers for values that are no functions or methods."""
        self.program = program
        self.engine = program.engine
        self.values = program.values
        self.containers = Containers(program)
        self.objects = Objects(program.engine, program.values)
        self.classes = Classes(program)
        self.slots = Slots(program, self.classes, self._read_implicitly)
        self.edges: dict[tuple[int, int | str], int] = {}
        """Caller and callee → first line; an external callee is its dotted name."""
        self.late: list[Callable[[], None]] = []
        """Actions to try once nothing else follows."""
        self.copies: ClosureCopies | None = None
        self.copied_callees: dict[int, list[int]] = {}
        """Variable of a callee → the variables of its copies."""
        self._handlers = handlers

    def release(self) -> None:
        """Drop everything except the edges, so that no cycle is left for the collector."""
        self.engine.release()
        self.containers.release()
        self.objects.release()
        self.classes.release()
        self.slots.release()
        self.late.clear()
        self.copies = None

    # ------------------------------------------------------------------- edges

    def edge(self, caller: int, callee: int | str, line: int) -> None:
        """Record that the caller calls the callee."""
        known = self.edges.get((caller, callee))
        if known is None or line < known:
            self.edges[caller, callee] = line

    def call_variable(self, callee: int, site: Site) -> None:
        """Call all values of the variable."""
        self.engine.watch(callee, lambda number: self.apply(number, site))

    def apply(self, number: int, site: Site, receiver: int | None = None) -> None:
        """Call a value; the receiver, if any, is its first argument."""
        if number < 0:
            return
        value = self.values[number]
        match value:
            case FunctionValue():
                self._enter(value.function, site, receiver)
            case BoundValue():
                self.apply(value.callee, site, value.receiver)
            case StaticValue() | ClassMethodValue():
                self.apply(value.inner, site, receiver)
            case _:
                handler = self._handlers.get(type(value))
                if handler is not None:
                    handler(self, site, value)

    def _enter(self, function: int, site: Site, receiver: int | None) -> None:
        linked, facts = self.program.functions[function]
        self.edge(site.caller, linked.definitions + facts.definition, site.line)
        offset = 0 if receiver is None else 1
        key = function * 2 + offset
        if key not in site.entered and len(site.entered) >= site.limit():
            return
        if facts.makes_closures and self.copies is not None:
            function = self.copies.copy_for(function, site)
            linked, facts = self.program.functions[function]
        passing = Passing(self.engine, self.containers, linked, facts, site)
        if receiver is not None:
            passing.receiver(receiver)
        if key in site.entered:
            return
        site.entered.add(key)
        passing.arguments(offset)
        if site.target is None:
            return
        if facts.yields is not None:
            self.engine.put(site.target, self.values.number(GeneratorValue(function)))
        else:
            self.engine.connect(linked.variables + facts.result, site.target)

    def call_method(self, number: int, name: str, site: Site) -> bool:
        """Call a special method of an instance or class; return whether it exists."""
        value = self.values[number] if number >= 0 else None
        if isinstance(value, InstanceValue):
            if not self.classes.defines(value.klass, value.exact, name):
                return False
        elif isinstance(value, ClassValue):
            metaclasses = self.classes.states[value.klass].metaclasses
            if all(self.classes.first_member(m, name) is None for m in metaclasses):
                return False
        else:
            return False
        slot = self.slots.slot(number, name)
        self.call_variable(slot.variable, site)
        return True

    def call_argument(
        self, site: Site, position: int | str, arguments: tuple[int | None, ...],
        target: int | None = None,
    ) -> None:  # fmt: skip
        """Record that the library calls one of its arguments."""
        if isinstance(position, int):
            variable = site.argument(position)
        else:
            variable = dict(site.keywords).get(position)
        if variable is not None:
            inner = Site(site.caller, site.line, arguments, target=target, module=site.module)
            self.call_variable(variable, inner)

    # ------------------------------------------------------------------- slots

    def read_slot(self, slot: Slot, target: int | None, caller: int, line: int) -> None:
        """Record that the caller reads a slot."""
        self.engine.connect(slot.variable, target)
        slot.callers.append((caller, line))
        for function in slot.implicit:
            self.edge(caller, function, line)

    def _read_implicitly(self, number: int, receiver: int, slot: Slot) -> None:
        """Record that reading the slot calls a property's getter, `__get__` or `__getattr__`."""
        value = self.values[number] if number >= 0 else None
        if isinstance(value, PropertyValue):
            getter = self.objects.properties[value.number].getter
            self.engine.watch(getter, lambda n: self._read_implicitly(n, receiver, slot))
        elif isinstance(value, FunctionValue):
            linked, facts = self.program.functions[value.function]
            definition = linked.definitions + facts.definition
            site = Site(-1, 0, target=slot.variable)
            self._enter(value.function, site, receiver if receiver >= 0 else None)
            if definition not in slot.implicit:
                slot.implicit[definition] = None
                for caller, line in slot.callers:
                    self.edge(caller, definition, line)
        elif isinstance(value, BoundValue) and value.callee >= 0:
            self._read_implicitly(value.callee, value.receiver, slot)
