"""Classes: resolution order, members, and the attributes of instances.

An attribute of a receiver is one *slot*, shared by all places that read it. Inexact receivers
(`self`, annotated parameters) stand for every subclass, so their slots also hold the overriding
members.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from .engine import each_of
from .known import ENUM_BASES
from .program import BUILTIN, Program
from .values import (
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

_MOST_BASES = 12

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
    """Who reads it."""
    implicit: dict[int, None] = field(default_factory=dict)
    """Functions that reading it calls."""
    members: set[int] = field(default_factory=set)
    """Variables of class members that are bound into it."""


@dataclass(slots=True)
class ClassState:
    """What is known of a class by now."""

    members: dict[str, int]
    bases: list[int] = field(default_factory=list)
    """Values of its bases: classes or externals."""
    subclasses: list[int] = field(default_factory=list)
    order: tuple[int, ...] | None = None
    """Resolution order, as values."""
    slots: list[Slot] = field(default_factory=list)
    metaclasses: list[int] = field(default_factory=list)
    has_fields: bool = False
    """Whether an `__init__` is generated from its annotated names."""


class Classes:
    """All classes of the program."""

    def __init__(self, program: Program, implicit: Callable[[int, int, Slot], None]) -> None:
        """Args: the program; and who is told that reading a slot calls a value with a receiver."""
        self._program = program
        self._engine = program.engine
        self._values = program.values
        self._implicit = implicit
        self.states: list[ClassState] = []
        self._definers: dict[str, list[int]] = {}
        self._slots: dict[tuple[int, str], Slot] = {}
        self._slots_by_name: dict[str, list[Slot]] = {}
        self._fields: dict[tuple[int, str], int] = {}
        self._fields_by_name: dict[str, list[int]] = {}
        self._extra: dict[tuple[int, str], int] = {}
        self._extra_by_name: dict[str, list[int]] = {}
        self._ancestors: dict[int, frozenset[int]] = {}
        self._enums: dict[int, bool] = {}
        for index, (linked, facts) in enumerate(program.classes):
            members = {name: linked.variables + v for name, v in facts.members.items()}
            self.states.append(ClassState(members))
            for name in members:
                self._definers.setdefault(name, []).append(index)

    def release(self) -> None:
        """Let go of all slots."""
        self.states.clear()
        self._slots.clear()
        self._slots_by_name.clear()

    def watch_bases(self) -> None:
        """Follow the expressions of bases and metaclasses."""
        for index, (linked, facts) in enumerate(self._program.classes):
            for base in facts.bases:
                self._engine.watch(
                    linked.variables + base, lambda new, index=index: self._add_bases(index, new)
                )
            if facts.metaclass is not None:
                self._engine.watch(
                    linked.variables + facts.metaclass,
                    lambda new, index=index: self._add_metaclasses(index, new),
                )

    # ------------------------------------------------------------------- order

    def _add_bases(self, klass: int, new: Collection[int]) -> None:
        state = self.states[klass]
        changed = False
        for number in new:
            value = self._values[number] if number >= 0 else None
            base = number
            if isinstance(value, ClassValue):
                base = self._values.number(ClassValue(value.klass, True))
                if klass in self.ancestors(value.klass) or base in state.bases:
                    continue
            elif not isinstance(value, ExternalValue) or base in state.bases:
                continue
            if len(state.bases) >= _MOST_BASES:  # a class made in a function for any base
                break
            state.bases.append(base)
            if isinstance(value, ClassValue):
                self.states[value.klass].subclasses.append(klass)
            changed = True
        if changed:
            self._reorder(klass)

    def _add_metaclasses(self, klass: int, new: Collection[int]) -> None:
        for number in new:
            if number >= 0 and isinstance(value := self._values[number], ClassValue):
                self.states[klass].metaclasses.append(value.klass)
                for slot in tuple(self.states[klass].slots):
                    self._fill(slot)

    def _reorder(self, klass: int) -> None:
        affected = [klass]
        for index in affected:
            affected += [s for s in self.states[index].subclasses if s not in affected]
        for index in affected:
            self.states[index].order = None
            self._ancestors.pop(index, None)
            self._enums.pop(index, None)
        for index in affected:
            for slot in tuple(self.states[index].slots):
                self._fill(slot)
                if self.is_enum(index):
                    self._bind_again(slot)
            for ancestor in self.ancestors(index):
                if ancestor != index:
                    for slot in tuple(self.states[ancestor].slots):
                        if not slot.exact:
                            self._fill(slot)

    def _bind_again(self, slot: Slot) -> None:
        """Members that were bound before the class was known to be an enumeration."""
        receiver = self._values[slot.receiver]
        if not isinstance(receiver, SuperValue):
            as_instance = isinstance(receiver, InstanceValue)
            for member in sorted(slot.members):
                for number in sorted(self._engine.holds[member]):
                    self._bind_value(slot, number, slot.receiver, as_instance=as_instance)

    def order(self, klass: int) -> tuple[int, ...]:
        """The resolution order: values of classes and externals, the class itself first."""
        state = self.states[klass]
        if state.order is None:
            own = self._values.number(ClassValue(klass, True))
            state.order = (own,)  # a cycle of bases ends here
            sequences: list[list[int]] = []
            for base in state.bases:
                value = self._values[base]
                inner = self.order(value.klass) if isinstance(value, ClassValue) else (base,)
                sequences.append(list(inner))
            sequences.append(list(state.bases))
            state.order = (own, *_merge(sequences))
        return state.order

    def ancestors(self, klass: int) -> frozenset[int]:
        """The classes in the resolution order."""
        known = self._ancestors.get(klass)
        if known is None:
            known = self._ancestors[klass] = frozenset(
                value.klass
                for number in self.order(klass)
                if isinstance(value := self._values[number], ClassValue)
            )
        return known

    def is_enum(self, klass: int) -> bool:
        """Whether its members are its instances."""
        known = self._enums.get(klass)
        if known is None:
            known = any(path in ENUM_BASES for path in self.externals(klass))
            self._enums[klass] = known
        return known

    def externals(self, klass: int) -> Iterator[str]:
        """Dotted names of its ancestors from outside the repository."""
        for number in self.order(klass):
            value = self._values[number]
            if isinstance(value, ExternalValue):
                yield value.path

    def defines(self, klass: int, exact: bool, name: str) -> bool:
        """Whether the class, an ancestor or (unless exact) a subclass has the member."""
        definers = self._definers.get(name)
        if definers is None:
            return False
        ancestors = self.ancestors(klass)
        for definer in definers:
            if definer in ancestors or (not exact and klass in self.ancestors(definer)):
                return True
        return False

    def member_names(self, klass: int) -> Iterator[str]:
        """Names of all members, inherited ones included."""
        seen: set[str] = set()
        for number in self.order(klass):
            value = self._values[number]
            if isinstance(value, ClassValue):
                for name in self.states[value.klass].members:
                    if name not in seen:
                        seen.add(name)
                        yield name

    def first_member(self, klass: int, name: str) -> int | None:
        """The variable of the member that the class finds first."""
        for number in self.order(klass):
            value = self._values[number]
            if isinstance(value, ClassValue) and name in self.states[value.klass].members:
                return self.states[value.klass].members[name]
        return None

    # ------------------------------------------------------------------- slots

    def slot(self, receiver: int, name: str) -> Slot:
        """The attribute of an instance, a class or `super()`."""
        key = (receiver, name)
        slot = self._slots.get(key)
        if slot is None:
            value = self._values[receiver]
            match value:
                case SuperValue():
                    klass, exact = self.class_of(value.receiver, value.klass), True
                case InstanceValue() | ClassValue():
                    klass, exact = value.klass, value.exact
                case _:
                    raise TypeError(value)
            slot = Slot(receiver, name, self._engine.variable(), klass, exact)
            self._slots[key] = slot
            self._slots_by_name.setdefault(name, []).append(slot)
            self.states[klass].slots.append(slot)
            self._fill(slot)
        return slot

    def class_of(self, receiver: int, default: int) -> int:
        """The class of an instance, or the class itself."""
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
            for metaclass in self.states[slot.klass].metaclasses:
                member = self.first_member(metaclass, slot.name)
                if member is not None and not found:
                    self._bind(slot, member, slot.receiver, as_instance=True)
                    found = True
        if not found and not self._is_stored(slot):
            self._fill_unknown(slot)

    def _fill_members(self, slot: Slot) -> bool:
        member = self.first_member(slot.klass, slot.name)
        as_instance = isinstance(self._values[slot.receiver], InstanceValue)
        if member is not None:
            self._bind(slot, member, slot.receiver, as_instance=as_instance)
        if not slot.exact:
            for definer in self._definers.get(slot.name, ()):
                if definer != slot.klass and slot.klass in self.ancestors(definer):
                    kind = InstanceValue if as_instance else ClassValue
                    receiver = self._values.number(kind(definer, False))
                    inner = self.states[definer].members[slot.name]
                    self._bind(slot, inner, receiver, as_instance=as_instance)
                    member = inner
        extra = False
        for ancestor in sorted(self.ancestors(slot.klass)):
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
        return klass in self.ancestors(slot.klass) or (
            not slot.exact and slot.klass in self.ancestors(klass)
        )

    def _is_stored(self, slot: Slot) -> bool:
        return any(
            slot.name in self._program.classes[ancestor][1].stored
            for ancestor in self.ancestors(slot.klass)
        )

    def _fill_unknown(self, slot: Slot) -> None:
        is_special = slot.name.startswith("__") and slot.name.endswith("__")
        if not is_special and isinstance(self._values[slot.receiver], InstanceValue):
            for name in ("__getattr__", "__getattribute__"):
                member = self.first_member(slot.klass, name)
                if member is not None:
                    self._watch_implicit(slot, member, slot.receiver)
                    return
        if is_special and slot.name != "__init__":
            return
        for path in self.externals(slot.klass):
            if path.startswith(BUILTIN) and (is_special or path == f"{BUILTIN}.object"):
                continue
            if path not in ("typing.Generic", "typing.Protocol", "abc.ABC", "typing.NamedTuple"):
                value = ExternalValue(f"{path}.{slot.name}", 0)
                self._engine.put(slot.variable, self._values.number(value))
                return

    def _fill_super(self, slot: Slot, value: SuperValue) -> None:
        own = self._values.number(ClassValue(value.klass, True))
        order = self.order(slot.klass)
        rest = order[order.index(own) + 1 :] if own in order else ()
        receiver = self._values[value.receiver] if value.receiver >= 0 else None
        for number in rest:
            ancestor = self._values[number]
            if isinstance(ancestor, ClassValue):
                member = self.states[ancestor.klass].members.get(slot.name)
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

    # ---------------------------------------------------------------- binding

    def _bind(self, slot: Slot, member: int, receiver: int, *, as_instance: bool) -> None:
        if member in slot.members:
            return
        slot.members.add(member)

        self._engine.watch(
            member,
            each_of(lambda n: self._bind_value(slot, n, receiver, as_instance=as_instance)),
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
                klass = self.class_value(receiver)
                engine.put(slot.variable, values.number(BoundValue(value.inner, klass)))
            case PropertyValue() if as_instance:
                self._implicit(number, receiver, slot)
            case InstanceValue() if self.defines(value.klass, value.exact, "__get__"):
                getter = self.slot(number, "__get__")
                engine.put(slot.variable, number)
                engine.watch(getter.variable, each_of(lambda n: self._implicit(n, -1, slot)))
            case _:
                engine.put(slot.variable, number)
        if self.is_enum(slot.klass) and not isinstance(
            value, (FunctionValue, StaticValue, ClassMethodValue, PropertyValue)
        ):
            engine.put(slot.variable, values.number(InstanceValue(slot.klass, True)))

    def class_value(self, receiver: int) -> int:
        """The class of an instance; of a class, itself."""
        value = self._values[receiver] if receiver >= 0 else None
        if isinstance(value, InstanceValue):
            return self._values.number(ClassValue(value.klass, value.exact))
        return receiver

    def _watch_implicit(self, slot: Slot, member: int, receiver: int) -> None:
        if member in slot.members:
            return
        slot.members.add(member)
        self._engine.watch(member, each_of(lambda n: self._implicit(n, receiver, slot)))

    # ----------------------------------------------------------------- fields

    def store_field(self, klass: int, name: str) -> int:
        """The variable of what is assigned to an attribute of the class's instances."""
        key = (klass, name)
        variable = self._fields.get(key)
        if variable is None:
            variable = self._fields[key] = self._engine.variable()
            self._fields_by_name.setdefault(name, []).append(klass)
            for slot in tuple(self._slots_by_name.get(name, ())):
                is_instance = isinstance(self._values[slot.receiver], InstanceValue)
                if is_instance and self._shares_fields(slot, klass):
                    self._engine.connect(variable, slot.variable)
        return variable

    def store_member(self, klass: int, name: str) -> int:
        """The variable of what is assigned to an attribute of the class from outside."""
        key = (klass, name)
        variable = self._extra.get(key)
        if variable is None:
            variable = self._extra[key] = self._engine.variable()
            self._extra_by_name.setdefault(name, []).append(klass)
            for slot in tuple(self._slots_by_name.get(name, ())):
                if klass in self.ancestors(slot.klass):
                    self._fill(slot)
        return variable


def _merge(sequences: list[list[int]]) -> Iterator[int]:
    """C3 linearisation; where there is none, depth first."""
    while any(sequences):
        sequences = [sequence for sequence in sequences if sequence]
        candidate = next(
            (s[0] for s in sequences if not any(s[0] in other[1:] for other in sequences)),
            sequences[0][0],
        )
        yield candidate
        sequences = [[item for item in s if item != candidate] for s in sequences]
