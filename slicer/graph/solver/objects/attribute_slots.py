"""Slots: the attributes of instances, classes and `super()`.

One *slot* stands for an attribute of a receiver and is shared by all its reads. Inexact receivers
(`self`, annotated parameters) stand for every subclass, so their slots also hold the overriding
members.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..interned_values import (
    BoundValue,
    ClassMethodValue,
    ClassValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    PropertyValue,
    StaticValue,
    SuperValue,
)
from ..program import BUILTIN, Program
from .class_objects import Classes

Caller = tuple[int, int]
"""A definition and a line."""


@dataclass(slots=True)
class Slot:
    """One attribute of one receiver."""

    receiver: int
    name: str
    variable: int
    klass: int
    exact: bool
    callers: list[Caller] = field(default_factory=list)
    """The definitions that read it, with lines."""
    implicit: dict[int, None] = field(default_factory=dict)
    """Functions that reading it calls."""
    members: set[int] = field(default_factory=set)
    """Variables of class members that are bound into it."""


class Slots:
    """All slots, and the values assigned to attributes."""

    def __init__(
        self, program: Program, classes: Classes, implicit: Callable[[int, int, Slot], None]
    ) -> None:
        """Take the program, the classes, and a callback for reads that call a value."""
        self._program = program
        self._engine = program.engine
        self._values = program.values
        self._classes = classes
        self._implicit = implicit
        self._slots: dict[tuple[int, str], Slot] = {}
        self._by_name: dict[str, list[Slot]] = {}
        self._by_class: list[list[Slot]] = [[] for _ in program.classes]
        self._fields: dict[tuple[int, str], int] = {}
        self._fields_by_name: dict[str, list[int]] = {}
        self._extra: dict[tuple[int, str], int] = {}

    def release(self) -> None:
        """Drop all slots."""
        self._slots.clear()
        self._by_name.clear()
        self._by_class.clear()

    def follow_bases(self) -> None:
        """Follow the bases of all classes, and refill slots when the bases are known."""
        self._classes.watch_bases(self._reordered, self._fill_all)

    def _reordered(self, classes: Sequence[int]) -> None:
        for klass in classes:
            for slot in tuple(self._by_class[klass]):
                self._fill(slot)
                if self._classes.is_enum(klass):
                    self._bind_again(slot)
            for ancestor in self._classes.ancestors(klass):
                if ancestor != klass:
                    for slot in tuple(self._by_class[ancestor]):
                        if not slot.exact:
                            self._fill(slot)

    def _fill_all(self, klass: int) -> None:
        for slot in tuple(self._by_class[klass]):
            self._fill(slot)

    def _bind_again(self, slot: Slot) -> None:
        """Rebind members that were bound before the class was known to be an enumeration."""
        receiver = self._values[slot.receiver]
        if not isinstance(receiver, SuperValue):
            as_instance = isinstance(receiver, InstanceValue)
            for member in sorted(slot.members):
                for number in sorted(self._engine.holds[member]):
                    self._bind_value(slot, number, slot.receiver, as_instance=as_instance)

    # ------------------------------------------------------------------- slots

    def slot(self, receiver: int, name: str) -> Slot:
        """Return the slot of an attribute of an instance, a class or `super()`."""
        key = (receiver, name)
        slot = self._slots.get(key)
        if slot is None:
            value = self._values[receiver]
            match value:
                case SuperValue():
                    klass, exact = self._class_of(value.receiver, value.klass), True
                case InstanceValue() | ClassValue():
                    klass, exact = value.klass, value.exact
                case _:
                    raise TypeError(value)
            slot = Slot(receiver, name, self._engine.variable(), klass, exact)
            self._slots[key] = slot
            self._by_name.setdefault(name, []).append(slot)
            self._by_class[klass].append(slot)
            self._fill(slot)
        return slot

    def _class_of(self, receiver: int, default: int) -> int:
        value = self._values[receiver] if receiver >= 0 else None
        return value.klass if isinstance(value, (InstanceValue, ClassValue)) else default

    def _fill(self, slot: Slot) -> None:
        value = self._values[slot.receiver]
        if isinstance(value, SuperValue):
            self._fill_super(slot, value)
            return
        found = self._fill_members(slot)
        if isinstance(value, InstanceValue):
            found = self._fill_fields(slot) or found
        else:
            for metaclass in self._classes.states[slot.klass].metaclasses:
                member = self._classes.first_member(metaclass, slot.name)
                if member is not None and not found:
                    self._bind(slot, member, slot.receiver, as_instance=True)
                    found = True
        if not found and not self._is_stored(slot):
            self._fill_unknown(slot)

    def _fill_members(self, slot: Slot) -> bool:
        member = self._classes.first_member(slot.klass, slot.name)
        as_instance = isinstance(self._values[slot.receiver], InstanceValue)
        if member is not None:
            self._bind(slot, member, slot.receiver, as_instance=as_instance)
        if not slot.exact:
            for definer in self._classes.definers(slot.name):
                if definer != slot.klass and slot.klass in self._classes.ancestors(definer):
                    kind = InstanceValue if as_instance else ClassValue
                    receiver = self._values.number(kind(definer, False))
                    inner = self._classes.states[definer].members[slot.name]
                    self._bind(slot, inner, receiver, as_instance=as_instance)
                    member = inner
        extra = False
        for ancestor in sorted(self._classes.ancestors(slot.klass)):
            variable = self._extra.get((ancestor, slot.name))
            if variable is not None:
                self._bind(slot, variable, slot.receiver, as_instance=as_instance)
                extra = True
        return member is not None or extra

    def _fill_fields(self, slot: Slot) -> bool:
        found = False
        for klass in self._fields_by_name.get(slot.name, ()):
            if self._shares_fields(slot, klass):
                self._engine.connect(self._fields[klass, slot.name], slot.variable)
                found = True
        return found

    def _shares_fields(self, slot: Slot, klass: int) -> bool:
        return klass in self._classes.ancestors(slot.klass) or (
            not slot.exact and slot.klass in self._classes.ancestors(klass)
        )

    def _is_stored(self, slot: Slot) -> bool:
        return any(
            slot.name in self._program.classes[ancestor][1].stored
            for ancestor in self._classes.ancestors(slot.klass)
        )

    def _fill_unknown(self, slot: Slot) -> None:
        is_special = slot.name.startswith("__") and slot.name.endswith("__")
        if not is_special and isinstance(self._values[slot.receiver], InstanceValue):
            for name in ("__getattr__", "__getattribute__"):
                member = self._classes.first_member(slot.klass, name)
                if member is not None:
                    self._watch_implicit(slot, member, slot.receiver)
                    return
        if is_special and slot.name != "__init__":
            return
        for path in self._classes.externals(slot.klass):
            if path.startswith(BUILTIN) and (is_special or path == f"{BUILTIN}.object"):
                continue
            if path not in ("typing.Generic", "typing.Protocol", "abc.ABC", "typing.NamedTuple"):
                value = ExternalValue(f"{path}.{slot.name}", 0)
                self._engine.put(slot.variable, self._values.number(value))
                return

    def _fill_super(self, slot: Slot, value: SuperValue) -> None:
        own = self._values.number(ClassValue(value.klass, True))
        order = self._classes.order(slot.klass)
        rest = order[order.index(own) + 1 :] if own in order else ()
        receiver = self._values[value.receiver] if value.receiver >= 0 else None
        for number in rest:
            ancestor = self._values[number]
            if isinstance(ancestor, ClassValue):
                member = self._classes.states[ancestor.klass].members.get(slot.name)
                if member is not None:
                    is_instance = isinstance(receiver, InstanceValue)
                    self._bind(slot, member, value.receiver, as_instance=is_instance)
                    return
        for number in rest:
            ancestor = self._values[number]
            if isinstance(ancestor, ExternalValue) and ancestor.path != f"{BUILTIN}.object":
                external = ExternalValue(f"{ancestor.path}.{slot.name}", 0)
                self._engine.put(slot.variable, self._values.number(external))
                return

    # ----------------------------------------------------------------- binding

    def _bind(self, slot: Slot, member: int, receiver: int, *, as_instance: bool) -> None:
        if member in slot.members:
            return
        slot.members.add(member)

        self._engine.watch(
            member,
            lambda n: self._bind_value(slot, n, receiver, as_instance=as_instance),
        )

    def _bind_value(self, slot: Slot, number: int, receiver: int, *, as_instance: bool) -> None:
        engine, values = self._engine, self._values
        value = values[number] if number >= 0 else None
        match value:
            case FunctionValue():
                function = self._program.functions[value.function][1]
                if as_instance or function.first == "cls":
                    engine.put(slot.variable, values.number(BoundValue(number, receiver)))
                else:
                    engine.put(slot.variable, number)
            case StaticValue():
                engine.put(slot.variable, value.inner)
            case ClassMethodValue():
                klass = self._classes.class_value(receiver)
                engine.put(slot.variable, values.number(BoundValue(value.inner, klass)))
            case PropertyValue() if as_instance:
                self._implicit(number, receiver, slot)
            case InstanceValue() if self._classes.defines(value.klass, value.exact, "__get__"):
                getter = self.slot(number, "__get__")
                engine.put(slot.variable, number)
                engine.watch(getter.variable, lambda n: self._implicit(n, -1, slot))
            case _:
                engine.put(slot.variable, number)
        if self._classes.is_enum(slot.klass) and not isinstance(
            value, (FunctionValue, StaticValue, ClassMethodValue, PropertyValue)
        ):
            engine.put(slot.variable, values.number(InstanceValue(slot.klass, True)))

    def _watch_implicit(self, slot: Slot, member: int, receiver: int) -> None:
        if member in slot.members:
            return
        slot.members.add(member)
        self._engine.watch(member, lambda n: self._implicit(n, receiver, slot))

    # ------------------------------------------------------------------ fields

    def store_field(self, klass: int, name: str) -> int:
        """Return the variable of the values assigned to an attribute of the class's instances."""
        key = (klass, name)
        variable = self._fields.get(key)
        if variable is None:
            variable = self._fields[key] = self._engine.variable()
            self._fields_by_name.setdefault(name, []).append(klass)
            for slot in tuple(self._by_name.get(name, ())):
                is_instance = isinstance(self._values[slot.receiver], InstanceValue)
                if is_instance and self._shares_fields(slot, klass):
                    self._engine.connect(variable, slot.variable)
        return variable

    def store_member(self, klass: int, name: str) -> int:
        """Return the variable of the values assigned to an attribute of the class from outside."""
        key = (klass, name)
        variable = self._extra.get(key)
        if variable is None:
            variable = self._extra[key] = self._engine.variable()
            for slot in tuple(self._by_name.get(name, ())):
                if klass in self._classes.ancestors(slot.klass):
                    self._fill(slot)
        return variable
