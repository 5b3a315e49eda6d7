"""Calls: which function a value is, how arguments reach parameters, and where results go."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Protocol

from .classes import Classes, Slot
from .containers import Container, Containers, Key
from .engine import each_of
from .facts import FunctionFacts
from .known import CALLED_ARGUMENTS, FIELD_BASES
from .program import BUILTIN, Linked, Program
from .values import (
    AccessorValue,
    BoundValue,
    ClassMethodValue,
    ClassValue,
    ContainerValue,
    ExternalValue,
    FunctionValue,
    GeneratorValue,
    InstanceValue,
    MethodValue,
    PartialValue,
    PropertyValue,
    StaticValue,
)

_MOST_CALLEES = 48
_MOST_FORWARDED = 12
"""A site that calls more functions hands arguments and results to and from the first of them."""


@dataclass(slots=True)
class Site:
    """A place that calls, explicitly or not; variables are the program's."""

    caller: int
    line: int
    arguments: tuple[int | None, ...] = ()
    spreads: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    keywords: tuple[tuple[str | None, int], ...] = ()
    target: int | None = None
    decorates: bool = False
    module: int = 0
    depth: int = 0
    """How many copies of functions the site stands in."""
    entered: set[int] = field(default_factory=set)
    """Functions whose parameters have been connected."""
    made: dict[str, int] = field(default_factory=dict)
    """Containers and other objects that library calls make here."""

    def limit(self) -> int:
        """How many functions the site hands arguments to and takes results from."""
        forwards = self.spreads or any(name is None for name, _ in self.keywords)
        return _MOST_FORWARDED if forwards else _MOST_CALLEES


@dataclass(slots=True)
class Property:
    """A property's functions."""

    getter: int
    setter: int
    deleter: int


@dataclass(slots=True)
class Partial:
    """A partial application."""

    callee: int
    site: Site


class Copies(Protocol):
    """Gives each call of a function that makes closures a copy of the function."""

    def copy_for(self, function: int, site: Site) -> int:
        """The copy that the site calls, or the function itself."""
        ...


Model = Callable[["Calls", Site, ExternalValue], bool]
"""What a library function does; whether the default result is to be left out."""
MethodModel = Callable[["Calls", Site, MethodValue], None]


class Calls:
    """Applies values at sites and collects the edges."""

    def __init__(
        self, program: Program, models: dict[str, Model], method_model: MethodModel
    ) -> None:
        self.program = program
        self.engine = program.engine
        self.values = program.values
        self.containers = Containers(program.engine, program.values)
        self.classes = Classes(program, self._read_implicitly)
        self.edges: dict[tuple[int, int | str], int] = {}
        """Caller and callee → first line; a callee outside the repository is its dotted name."""
        self.properties: list[Property] = []
        self.partials: list[Partial] = []
        self.container_of: dict[int, Container] = {}
        """Container that a variable is made to hold from the start (`*args`)."""
        self.late: list[Callable[[], None]] = []
        """What is to be tried once nothing else follows."""
        self.copies: Copies | None = None
        self.copied_callees: dict[int, list[int]] = {}
        """Variable of what a call calls → the variables of its copies."""
        self._models = models
        self._method_model = method_model
        self._slot_sites: dict[tuple[int, str], Site] = {}
        self._objects: dict[tuple[int, str], int] = {}

    def release(self) -> None:
        """Let go of everything but the edges, so that no cycle is left for the collector."""
        self.engine.release()
        self.containers.release()
        self.classes.release()
        for table in (self.properties, self.partials, self.late, self.container_of):
            table.clear()
        self.copies = None

    # ------------------------------------------------------------------- edges

    def edge(self, caller: int, callee: int | str, line: int) -> None:
        """Note that the caller calls the callee."""
        known = self.edges.get((caller, callee))
        if known is None or line < known:
            self.edges[caller, callee] = line

    def call_variable(self, callee: int, site: Site) -> None:
        """Call whatever the variable holds."""
        self.engine.watch(callee, lambda new: self._apply_all(new, site))

    def _apply_all(self, new: Collection[int], site: Site) -> None:
        for number in new:
            if number >= 0:
                self.apply(number, site)

    def apply(self, number: int, site: Site, receiver: int | None = None) -> None:
        """Call a value; the receiver, if any, is its first argument."""
        value = self.values[number]
        match value:
            case FunctionValue():
                self._enter(value.function, site, receiver)
            case BoundValue():
                if value.callee >= 0:
                    self.apply(value.callee, site, value.receiver)
            case ExternalValue():
                self._call_external(value, site)
            case ClassValue():
                self._instantiate(value, site)
            case InstanceValue() if site.decorates:
                # one that gives a decorator or, called directly, an instance gives a decorator here
                self.late.append(lambda: self._decorate_with(number, value, site))
            case InstanceValue():
                self._call_instance(number, value, site)
            case MethodValue():
                self._method_model(self, site, value)
            case StaticValue() | ClassMethodValue():
                if value.inner >= 0:
                    self.apply(value.inner, site, receiver)
            case PartialValue():
                self._call_partial(self.partials[value.number], site)
            case AccessorValue():
                self._set_accessor(value, site)
            case _:
                pass

    # --------------------------------------------------------------- functions

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
        if receiver is not None:
            self._pass_receiver(linked, facts, receiver, site)
        if key in site.entered:
            return
        site.entered.add(key)
        self._pass_arguments(linked, facts, site, offset)
        if site.target is None:
            return
        if facts.yields is not None:
            self.engine.put(site.target, self.values.number(GeneratorValue(function)))
        else:
            self.engine.connect(linked.variables + facts.result, site.target)

    def _pass_receiver(
        self, linked: Linked, facts: FunctionFacts, receiver: int, site: Site
    ) -> None:
        if facts.positional:
            name = facts.positional[0]
            self.engine.put(linked.variables + facts.parameters[name], receiver)
            if name in facts.returned and site.target is not None:
                self.engine.put(site.target, receiver)
        elif facts.rest is not None:
            rest = self.container_of[linked.variables + facts.rest]
            self.engine.put(rest.field(0), receiver)

    def _pass_arguments(
        self, linked: Linked, facts: FunctionFacts, site: Site, offset: int
    ) -> None:
        for index, argument in enumerate(site.arguments):
            self._pass(linked, facts, site, index + offset, argument)
        base = len(site.arguments) + offset
        for argument in site.late:
            self._pass_any(linked, facts, site, base, argument)
        for spread in site.spreads:
            self._pass_spread(linked, facts, site, base, spread)
        for name, argument in site.keywords:
            if name is None:
                self._pass_dictionary(linked, facts, site, argument)
            else:
                self._pass_keyword(linked, facts, site, name, argument)
        if facts.returned and site.target is not None and not site.spreads:
            given = {name for name, _ in site.keywords}
            given.update(facts.positional[:base])
            for name in sorted(facts.returned - given):
                default = facts.defaults.get(name)
                if default is not None and None not in given:
                    self.engine.connect(linked.variables + default, site.target)

    def _pass(
        self, linked: Linked, facts: FunctionFacts, site: Site, index: int, argument: int | None
    ) -> None:
        if argument is None:
            return
        if index < len(facts.positional):
            self._pass_named(linked, facts, site, facts.positional[index], argument)
        elif facts.rest is not None:
            rest = self.container_of[linked.variables + facts.rest]
            self.engine.connect(argument, rest.field(index - len(facts.positional)))

    def _pass_named(
        self, linked: Linked, facts: FunctionFacts, site: Site, name: str, argument: int
    ) -> None:
        self.engine.connect(argument, linked.variables + facts.parameters[name])
        if name in facts.returned:
            self.engine.connect(argument, site.target)

    def _pass_any(
        self, linked: Linked, facts: FunctionFacts, site: Site, base: int, argument: int
    ) -> None:
        for name in facts.positional[base:]:
            self._pass_named(linked, facts, site, name, argument)
        if facts.rest is not None:
            rest = self.container_of[linked.variables + facts.rest]
            self.engine.connect(argument, rest.field(None))

    def _pass_keyword(
        self, linked: Linked, facts: FunctionFacts, site: Site, name: str, argument: int
    ) -> None:
        if name in facts.parameters and name not in facts.positional[: facts.positional_only]:
            self._pass_named(linked, facts, site, name, argument)
        elif facts.keywords is not None:
            keywords = self.container_of[linked.variables + facts.keywords]
            self.engine.connect(argument, keywords.field(name))

    def _pass_spread(
        self, linked: Linked, facts: FunctionFacts, site: Site, base: int, spread: int
    ) -> None:
        def listen(key: Key, variable: int) -> None:
            if isinstance(key, int) and len(site.spreads) == 1:
                self._pass(linked, facts, site, base + key, variable)
            else:
                self._pass_any(linked, facts, site, base, variable)

        def each(new: Collection[int]) -> None:
            for number in new:
                container = self.container(number)
                if container is not None:
                    container.listen(listen)
                elif number >= 0:
                    items = self.items_of(number)
                    if items is not None:
                        self._pass_any(linked, facts, site, base, items)

        self.engine.watch(spread, each)

    def _pass_dictionary(
        self, linked: Linked, facts: FunctionFacts, site: Site, argument: int
    ) -> None:
        def listen(key: Key, variable: int) -> None:
            if isinstance(key, str):
                self._pass_keyword(linked, facts, site, key, variable)
            elif facts.keywords is not None:
                keywords = self.container_of[linked.variables + facts.keywords]
                self.engine.connect(variable, keywords.field(None))

        def each(new: Collection[int]) -> None:
            for number in new:
                container = self.container(number)
                if container is not None:
                    container.listen(listen)

        self.engine.watch(argument, each)

    # ----------------------------------------------------------------- classes

    def _instantiate(self, value: ClassValue, site: Site) -> None:
        instance = self.values.number(InstanceValue(value.klass, value.exact))
        if site.target is not None:
            self.engine.put(site.target, instance)
        klass = self.values.number(value)
        inner = self._sibling(site, f"new {klass}", target=None)
        if inner is None:
            return
        if self.classes.first_member(value.klass, "__new__") is not None:
            slot = self.classes.slot(klass, "__new__")
            self.call_variable(slot.variable, self._without_class(site))
        for metaclass in self.classes.states[value.klass].metaclasses:
            if self.classes.first_member(metaclass, "__call__") is not None:
                slot = self.classes.slot(klass, "__call__")
                self.call_variable(slot.variable, site)
        if self.classes.first_member(value.klass, "__init__") is None and self._has_fields(value):
            self._fill_fields(value, site)
            return
        slot = self.classes.slot(instance, "__init__")
        self.call_variable(slot.variable, inner)

    def _without_class(self, site: Site) -> Site:
        return Site(
            site.caller, site.line, site.arguments, site.spreads, site.late, site.keywords,
            site.target, False, site.module, site.depth,
        )  # fmt: skip

    def _sibling(self, site: Site, purpose: str, target: int | None) -> Site | None:
        """A site with the same arguments and another target; `None` the second time."""
        if purpose in site.made:
            return None
        site.made[purpose] = 0
        return Site(
            site.caller, site.line, site.arguments, site.spreads, site.late, site.keywords,
            target, False, site.module, site.depth,
        )  # fmt: skip

    def _has_fields(self, value: ClassValue) -> bool:
        ancestors = self.classes.ancestors(value.klass)
        return any(self.classes.states[klass].has_fields for klass in ancestors) or any(
            path in FIELD_BASES for path in self.classes.externals(value.klass)
        )

    def _fill_fields(self, value: ClassValue, site: Site) -> None:
        names: dict[str, None] = {}
        for number in reversed(self.classes.order(value.klass)):
            ancestor = self.values[number]
            if isinstance(ancestor, ClassValue):
                names.update(dict.fromkeys(self.program.classes[ancestor.klass][1].fields))
        pairs = [*zip(names, site.arguments, strict=False), *site.keywords]
        for name, argument in pairs:
            if name in names and argument is not None:
                self.engine.connect(argument, self.classes.store_field(value.klass, name))
        if self.classes.defines(value.klass, value.exact, "__post_init__"):
            instance = self.values.number(InstanceValue(value.klass, value.exact))
            slot = self.classes.slot(instance, "__post_init__")
            self.call_variable(slot.variable, Site(site.caller, site.line))

    def _call_instance(self, number: int, value: InstanceValue, site: Site) -> None:
        if self.classes.defines(value.klass, value.exact, "__call__"):
            purpose = f"call {number}"
            if purpose not in site.made:
                site.made[purpose] = 0
                self.call_variable(self.classes.slot(number, "__call__").variable, site)
        elif site.decorates and site.arguments and site.arguments[0] is not None:
            self.engine.connect(site.arguments[0], site.target)

    def _decorate_with(self, number: int, value: InstanceValue, site: Site) -> None:
        if not site.entered:
            self._call_instance(number, value, site)

    def call_method(self, number: int, name: str, site: Site) -> bool:
        """Call a special method of an instance or class; whether there is one."""
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
        slot = self.classes.slot(number, name)
        self.call_variable(slot.variable, site)
        return True

    # ------------------------------------------------------- properties, slots

    def read_slot(self, slot: Slot, target: int | None, caller: int, line: int) -> None:
        """The caller reads a slot."""
        self.engine.connect(slot.variable, target)
        slot.callers.append((caller, line))
        for function in slot.implicit:
            self.edge(caller, function, line)

    def _read_implicitly(self, number: int, receiver: int, slot: Slot) -> None:
        """Reading the slot calls a property's getter, `__get__` or `__getattr__`."""
        value = self.values[number] if number >= 0 else None
        if isinstance(value, PropertyValue):
            getter = self.properties[value.number].getter
            self.engine.watch(getter, each_of(lambda n: self._read_implicitly(n, receiver, slot)))
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

    def new_property(self, getter: int | None) -> int:
        """A property with this getter."""
        variable = self.engine.variable()
        if getter is not None:
            self.engine.connect(getter, variable)
        made = Property(variable, self.engine.variable(), self.engine.variable())
        self.properties.append(made)
        return self.values.number(PropertyValue(len(self.properties) - 1))

    def _set_accessor(self, value: AccessorValue, site: Site) -> None:
        made = self.properties[value.number]
        variable = {"setter": made.setter, "deleter": made.deleter}.get(value.role, made.getter)
        if site.arguments and site.arguments[0] is not None:
            self.engine.connect(site.arguments[0], variable)
        if site.target is not None:
            self.engine.put(site.target, self.values.number(PropertyValue(value.number)))

    # ---------------------------------------------------------------- partials

    def new_partial(self, callee: int, site: Site) -> int:
        """`functools.partial` of a callable, with the arguments of the site."""
        self.partials.append(Partial(callee, site))
        return self.values.number(PartialValue(len(self.partials) - 1))

    def _call_partial(self, partial: Partial, site: Site) -> None:
        given = partial.site
        merged = Site(
            site.caller,
            site.line,
            (*given.arguments, *site.arguments),
            (*given.spreads, *site.spreads),
            (*given.late, *site.late),
            (*given.keywords, *site.keywords),
            site.target,
            site.decorates,
            site.module,
            site.depth,
        )
        self.call_variable(partial.callee, merged)

    # ---------------------------------------------------------------- externals

    def _call_external(self, value: ExternalValue, site: Site) -> None:
        is_builtin = value.path.startswith(BUILTIN)
        model = self._models.get(value.path) if not value.calls else None
        if model is not None:
            if model(self, site, value):
                return
        else:
            self.edge(site.caller, value.path, site.line)
        for position in CALLED_ARGUMENTS.get(value.path, ()):
            self.call_argument(site, position, ())
        if site.target is None:
            return
        if site.decorates and site.arguments and site.arguments[0] is not None:
            self.engine.connect(site.arguments[0], site.target)
        if not is_builtin and not value.calls and model is None:
            result = ExternalValue(value.path, value.calls + 1)
            self.engine.put(site.target, self.values.number(result))

    def call_argument(
        self, site: Site, position: int | str, arguments: tuple[int | None, ...],
        target: int | None = None,
    ) -> None:  # fmt: skip
        """The library calls one of the arguments that it was given."""
        if isinstance(position, int):
            variable = site.arguments[position] if position < len(site.arguments) else None
        else:
            variable = dict(site.keywords).get(position)
        if variable is not None:
            inner = Site(site.caller, site.line, arguments, target=target, module=site.module)
            self.call_variable(variable, inner)

    # -------------------------------------------------------------------- items

    def container(self, number: int) -> Container | None:
        """The container that is this value."""
        value = self.values[number] if number >= 0 else None
        return self.containers[value.container] if isinstance(value, ContainerValue) else None

    def items_of(self, number: int) -> int | None:
        """The variable of what iterating over a container or a generator gives."""
        value = self.values[number] if number >= 0 else None
        if isinstance(value, ContainerValue):
            return self.containers.keys(self.containers[value.container])
        if isinstance(value, GeneratorValue):
            linked, facts = self.program.functions[value.function]
            return None if facts.yields is None else linked.variables + facts.yields
        return None

    def iterate(
        self, source: int, target: int | None, caller: int, line: int, is_async: bool
    ) -> None:
        """The target holds the items of the source; iterating calls `__iter__` and `__next__`."""
        start, step = ("__aiter__", "__anext__") if is_async else ("__iter__", "__next__")

        def each(new: Collection[int]) -> None:
            for number in new:
                items = self.items_of(number)
                if items is not None:
                    self.engine.connect(items, target)
                    continue
                iterator = self.engine.variable()
                if self.call_method(number, start, Site(caller, line, target=iterator)):
                    self._step(iterator, step, target, caller, line)
                elif number >= 0:
                    self._iterate_other(number, target, caller, line)

        self.engine.watch(source, each)

    def _iterate_other(self, number: int, target: int | None, caller: int, line: int) -> None:
        value = self.values[number]
        if isinstance(value, ClassValue) and self.classes.is_enum(value.klass):
            if target is not None:
                self.engine.put(target, self.values.number(InstanceValue(value.klass, True)))
        elif isinstance(value, InstanceValue):
            self.call_method(number, "__getitem__", Site(caller, line, (None,), target=target))

    def _step(self, iterator: int, step: str, target: int | None, caller: int, line: int) -> None:
        def each(new: Collection[int]) -> None:
            for number in new:
                items = self.items_of(number)
                if items is not None:
                    self.engine.connect(items, target)
                else:
                    self.call_method(number, step, Site(caller, line, target=target))

        self.engine.watch(iterator, each)

    def object_field(self, number: int, name: str) -> int:
        """The variable of an attribute of a function or another plain object."""
        key = (number, name)
        variable = self._objects.get(key)
        if variable is None:
            variable = self._objects[key] = self.engine.variable()
        return variable
