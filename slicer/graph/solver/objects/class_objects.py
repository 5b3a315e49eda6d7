"""Classes: bases, resolution order and members."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from ...library_tables import ENUM_BASES
from ..interned_values import ClassValue, ExternalValue, InstanceValue
from ..program import Program

_MOST_BASES = 12


@dataclass(slots=True)
class ClassState:
    """The facts known so far about a class."""

    members: dict[str, int]
    bases: list[int] = field(default_factory=list)
    """Values of its bases: classes or externals."""
    subclasses: list[int] = field(default_factory=list)
    order: tuple[int, ...] | None = None
    """Resolution order, as values."""
    metaclasses: list[int] = field(default_factory=list)
    has_fields: bool = False
    """Whether an `__init__` is generated from its annotated names."""


class Classes:
    """All classes of the program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._engine = program.engine
        self._values = program.values
        self.states: list[ClassState] = []
        self._definers: dict[str, list[int]] = {}
        self._ancestors: dict[int, frozenset[int]] = {}
        self._enums: dict[int, bool] = {}
        for index, (linked, facts) in enumerate(program.classes):
            members = {name: linked.variables + v for name, v in facts.members.items()}
            self.states.append(ClassState(members))
            for name in members:
                self._definers.setdefault(name, []).append(index)

    def release(self) -> None:
        """Drop all states."""
        self.states.clear()

    def watch_bases(
        self, reordered: Callable[[Sequence[int]], None], metaclass_found: Callable[[int], None]
    ) -> None:
        """Follow the expressions of bases and metaclasses.

        Args:
            reordered: called with the classes whose resolution order has changed.
            metaclass_found: called with a class that has one more metaclass.
        """

        def add_base(index: int, number: int) -> None:
            if self._add_base(index, number):
                reordered(self._forget_orders(index))

        def add_metaclasses(index: int, number: int) -> None:
            if number >= 0 and isinstance(value := self._values[number], ClassValue):
                self.states[index].metaclasses.append(value.klass)
                metaclass_found(index)

        for index, (linked, facts) in enumerate(self._program.classes):
            for base in facts.bases:
                self._engine.watch(linked.variables + base, partial(add_base, index))
            if facts.metaclass is not None:
                metaclass = linked.variables + facts.metaclass
                self._engine.watch(metaclass, partial(add_metaclasses, index))

    # ------------------------------------------------------------------- order

    def _add_base(self, klass: int, number: int) -> bool:
        """Add the value to the bases if it is a new one; return whether it is."""
        state = self.states[klass]
        value = self._values[number] if number >= 0 else None
        if not isinstance(value, (ClassValue, ExternalValue)):
            return False
        base = number
        if isinstance(value, ClassValue):
            base = self._values.number(ClassValue(value.klass, True))
            if klass in self.ancestors(value.klass):
                return False
        if base in state.bases or len(state.bases) >= _MOST_BASES:
            return False  # the most: a class created in a function for any base
        state.bases.append(base)
        if isinstance(value, ClassValue):
            self.states[value.klass].subclasses.append(klass)
        return True

    def _forget_orders(self, klass: int) -> Sequence[int]:
        """Return the class and all its subclasses, whose resolution orders must be recomputed."""
        affected = [klass]
        for index in affected:
            affected += [s for s in self.states[index].subclasses if s not in affected]
        for index in affected:
            self.states[index].order = None
            self._ancestors.pop(index, None)
            self._enums.pop(index, None)
        return affected

    def order(self, klass: int) -> tuple[int, ...]:
        """Return the resolution order: values of classes and externals, the class itself first."""
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
        """Return the classes in the resolution order."""
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
        """Yield the dotted names of its external ancestors."""
        for number in self.order(klass):
            value = self._values[number]
            if isinstance(value, ExternalValue):
                yield value.path

    # ----------------------------------------------------------------- members

    def definers(self, name: str) -> Sequence[int]:
        """Return the classes whose bodies bind the name."""
        return self._definers.get(name, ())

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
        """Yield the names of all members, inherited ones included."""
        seen: set[str] = set()
        for number in self.order(klass):
            value = self._values[number]
            if isinstance(value, ClassValue):
                for name in self.states[value.klass].members:
                    if name not in seen:
                        seen.add(name)
                        yield name

    def first_member(self, klass: int, name: str) -> int | None:
        """Return the variable of the member that lookup on the class finds first."""
        for number in self.order(klass):
            value = self._values[number]
            if isinstance(value, ClassValue) and name in self.states[value.klass].members:
                return self.states[value.klass].members[name]
        return None

    def class_value(self, receiver: int) -> int:
        """Return the class of an instance; a class is returned itself."""
        value = self._values[receiver] if receiver >= 0 else None
        if isinstance(value, InstanceValue):
            return self._values.number(ClassValue(value.klass, value.exact))
        return receiver


def _merge(sequences: list[list[int]]) -> Iterator[int]:
    """Yield the C3 linearisation; if there is none, depth first."""
    while any(sequences):
        sequences = [sequence for sequence in sequences if sequence]
        candidate = next(
            (s[0] for s in sequences if not any(s[0] in other[1:] for other in sequences)),
            sequences[0][0],
        )
        yield candidate
        sequences = [[item for item in s if item != candidate] for s in sequences]
