"""Containers by allocation site: lists, tuples, dictionaries and sets.

An item is stored under its constant key, or among the items with unknown keys.
"""

from __future__ import annotations

from collections.abc import Callable

from ...facts import ContainerKind
from ..constraint_solver import Engine
from ..interned_values import ContainerValue, GeneratorValue
from ..program import Program

Key = str | int | None
_MOST_KEYS = 24
Listener = Callable[[Key, int], None]


class Container:
    """One container; `fields` holds the variable of each key, and `None` is the unknown key."""

    __slots__ = ("_all", "engine", "fields", "keys", "kind", "listeners", "number")

    def __init__(self, engine: Engine, kind: ContainerKind, number: int) -> None:
        self.engine = engine
        self.kind: ContainerKind = kind
        self.number = number
        self.fields: dict[Key, int] = {}
        self.keys: int | None = None
        self.listeners: list[Listener] = []
        self._all: int | None = None

    def field(self, key: Key, *, literal: bool = False) -> int:
        """Return the variable of the items under a key; beyond a limit, further keys share one.

        Args:
            key: the key; `None` for any.
            literal: whether it is written in the display that creates the container.
        """
        if self.kind != "dict" and not (isinstance(key, int) and key >= 0):
            key = None  # a negative index may be any
        if len(self.fields) >= _MOST_KEYS and not literal and key not in self.fields:
            key = None
        variable = self.fields.get(key)
        if variable is None:
            variable = self.fields[key] = self.engine.variable()
            if self._all is not None:
                self.engine.connect(variable, self._all)
            for listener in tuple(self.listeners):
                listener(key, variable)
        return variable

    def all(self) -> int:
        """Return the variable of all items."""
        if self._all is None:
            self._all = self.engine.variable()
            for variable in self.fields.values():
                self.engine.connect(variable, self._all)
        return self._all

    def listen(self, listener: Listener) -> None:
        """Call the listener with each key and its variable, present and future."""
        self.listeners.append(listener)
        for key, variable in tuple(self.fields.items()):
            listener(key, variable)

    def key_variable(self) -> int:
        """Return the variable of a dictionary's keys."""
        if self.keys is None:
            self.keys = self.engine.variable()
        return self.keys

    def read(self, key: Key, target: int) -> None:
        """Make the target hold the items under a key."""
        is_index = isinstance(key, int) and key >= 0
        if key is None or (self.kind != "dict" and not is_index):
            self.engine.connect(self.all(), target)
            return
        if key in self.fields or len(self.fields) < _MOST_KEYS:
            self.engine.connect(self.field(key), target)
        self.engine.connect(self.field(None), target)


class Containers:
    """The table of containers."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._engine = program.engine
        self._values = program.values
        self.initial: dict[int, Container] = {}
        """Variable → container that it holds from the start (`*args`)."""
        self._table: list[Container] = []
        self._slices: set[int] = set()
        self._derived: dict[tuple[int, str], Container] = {}

    def release(self) -> None:
        """Drop all containers; their listeners refer back to everything."""
        for container in self._table:
            container.listeners.clear()
        self.initial.clear()
        self._table.clear()
        self._derived.clear()

    def __getitem__(self, number: int) -> Container:
        return self._table[number]

    def new(self, kind: ContainerKind) -> Container:
        """Return a new container."""
        container = Container(self._engine, kind, len(self._table))
        self._table.append(container)
        return container

    def value(self, container: Container) -> int:
        """Return the number of the container's value."""
        return self._values.number(ContainerValue(container.number))

    def of(self, number: int) -> Container | None:
        """Return the container for this value."""
        value = self._values[number] if number >= 0 else None
        return self._table[value.container] if isinstance(value, ContainerValue) else None

    def items_of(self, number: int) -> int | None:
        """Return the variable of the values that iterating over the object yields."""
        value = self._values[number] if number >= 0 else None
        if isinstance(value, ContainerValue):
            return self.keys(self._table[value.container])
        if isinstance(value, GeneratorValue):
            linked, facts = self._program.functions[value.function]
            return None if facts.yields is None else linked.variables + facts.yields
        return None

    def copy_fields(self, source: Container, target: Container) -> None:
        """Copy the source's items to the target, under the same keys."""
        if source is target:
            return
        source.listen(lambda key, variable: self._engine.connect(variable, target.field(key)))
        if source.kind == "dict":
            self._engine.connect(source.key_variable(), target.key_variable())

    def keys(self, container: Container) -> int:
        """Return the variable of the values that iterating over the container yields."""
        if container.kind != "dict":
            return container.all()
        if (container.number, "keyed") not in self._derived:
            self._derived[container.number, "keyed"] = container
            keys = container.key_variable()

            def add(key: Key, _: int) -> None:
                if key is not None:
                    self._engine.put(keys, self._values.constant(key))

            container.listen(add)
        return container.key_variable()

    def items(self, container: Container) -> Container:
        """Return the result of `dict.items`: pairs, one for each constant key."""
        known = self._derived.get((container.number, "items"))
        if known is not None:
            return known
        result = self._derived[container.number, "items"] = self.new("list")

        def add(key: Key, variable: int) -> None:
            pair = self.new("tuple")
            if key is None:
                self._engine.connect(container.key_variable(), pair.field(0))
            else:
                self._engine.put(pair.field(0), self._values.constant(key))
            self._engine.connect(variable, pair.field(1))
            self._engine.put(result.field(None), self.value(pair))

        container.listen(add)
        return result

    def listed(self, container: Container, what: str) -> Container:
        """Return a list of a container's `keys` or `values`."""
        known = self._derived.get((container.number, what))
        if known is None:
            known = self._derived[container.number, what] = self.new("list")
            source = self.keys(container) if what == "keys" else container.all()
            self._engine.connect(source, known.field(None))
        return known

    def shifted(self, container: Container, lower: int, upper: int | None) -> Container:
        """Return the slice `container[lower:upper]`."""
        if container.number in self._slices:
            return container  # a slice of a slice, as in a loop that consumes a list
        name = f"{lower}:{upper}"
        known = self._derived.get((container.number, name))
        if known is not None:
            return known
        result = self._derived[container.number, name] = self.new(container.kind)
        self._slices.add(result.number)
        self._engine.connect(container.field(None), result.field(None))

        def add(key: Key, variable: int) -> None:
            if not isinstance(key, int):
                self._engine.connect(variable, result.field(None))
            elif lower <= key and (upper is None or key < upper):
                self._engine.connect(variable, result.field(key - lower))

        container.listen(add)
        return result
