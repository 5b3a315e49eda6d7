"""Reading and storing attributes of any value."""

from __future__ import annotations

from ...facts import ImportName
from ..interned_values import (
    TEXT,
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
    ModuleValue,
    NamespaceValue,
    PartialValue,
    PropertyValue,
    StaticValue,
    SuperValue,
)
from .call_edges import Calls, Site

_LONGEST_CHAIN = 6
"""Maximum length of an attribute chain on library objects."""


def read(calls: Calls, number: int, name: str, target: int | None, caller: int, line: int) -> None:  # noqa: C901 - a case for each kind of value
    """Make the target hold the attribute of the value, and add the calls that reading it makes."""
    engine, values = calls.engine, calls.values
    if number < 0:
        if target is not None and isinstance(values.constant_of(number) or "", str):
            engine.put(target, values.number(MethodValue(TEXT, name)))
        return
    value = values[number]
    match value:
        case InstanceValue() if name == "__class__":
            if target is not None:
                engine.put(target, calls.classes.class_value(number))
        case InstanceValue() | ClassValue() | SuperValue():
            calls.read_slot(calls.slots.slot(number, name), target, caller, line)
        case ModuleValue():
            variable, found = calls.program.member(value.module, name)
            _give(calls, variable, found, target)
            if variable is None and found is None:
                _module_getattr(calls, value.module, target, caller, line)
        case NamespaceValue():
            whole = f"{value.name}.{name}"
            _give(calls, None, calls.program.module_value(value.importer, whole), target)
        case ExternalValue():
            if _may_continue(value.path, name):
                inner = ExternalValue(f"{value.path}.{name}", value.calls)
                _give(calls, None, values.number(inner), target)
        case ContainerValue() | GeneratorValue():
            _give(calls, None, values.number(MethodValue(number, name)), target)
        case PropertyValue():
            if name in ("setter", "getter", "deleter"):
                _give(calls, None, values.number(AccessorValue(value.number, name)), target)
        case FunctionValue() | PartialValue():
            if name == "__call__":
                _give(calls, None, number, target)
            elif target is not None:
                engine.connect(calls.objects.field(number, name), target)
        case BoundValue():
            if name == "__self__":
                _give(calls, None, value.receiver, target)
            elif name == "__func__":
                _give(calls, None, value.callee, target)
            else:
                read(calls, value.callee, name, target, caller, line)
        case StaticValue() | ClassMethodValue():
            if name == "__func__":
                _give(calls, None, value.inner, target)
        case _:
            pass


def _may_continue(path: str, name: str) -> bool:
    parts = path.split(".")
    return len(parts) < _LONGEST_CHAIN and name not in parts[1:] and path != "<builtin>.super"


def _give(calls: Calls, variable: int | None, number: int | None, target: int | None) -> None:
    if target is None:
        return
    if variable is not None:
        calls.engine.connect(variable, target)
    elif number is not None:
        calls.engine.put(target, number)


def _module_getattr(calls: Calls, module: int, target: int | None, caller: int, line: int) -> None:
    variable = calls.program.cell(module, "__getattr__")
    if variable is not None:
        calls.call_variable(variable, Site(caller, line, target=target))


def store(calls: Calls, number: int, name: str, source: int | None, caller: int, line: int) -> None:
    """Make the attribute of the value hold all values of the source."""
    if number < 0:
        return
    value = calls.values[number]
    classes, engine = calls.classes, calls.engine
    match value:
        case InstanceValue():
            if classes.defines(value.klass, value.exact, "__setattr__"):
                site = Site(caller, line, (None, source))
                calls.call_method(number, "__setattr__", site)
            member = classes.first_member(value.klass, name)
            if member is not None:
                _watch_setters(calls, member, number, source, caller, line)
            if source is not None:
                engine.connect(source, calls.slots.store_field(value.klass, name))
        case ClassValue():
            if source is not None:
                member = classes.states[value.klass].members.get(name)
                target = calls.slots.store_member(value.klass, name) if member is None else member
                engine.connect(source, target)
        case ModuleValue():
            variable = calls.program.cell(value.module, name)
            if source is not None and variable is not None:
                engine.connect(source, variable)
        case FunctionValue() | PartialValue():
            if source is not None:
                engine.connect(source, calls.objects.field(number, name))
        case BoundValue():
            store(calls, value.callee, name, source, caller, line)
        case _:
            pass


def _watch_setters(
    calls: Calls, member: int, receiver: int, source: int | None, caller: int, line: int
) -> None:
    """Record that an assignment calls a property's setter, or a descriptor's `__set__`."""

    def each(number: int) -> None:
        value = calls.values[number] if number >= 0 else None
        if isinstance(value, PropertyValue):
            holder = calls.engine.variable()
            calls.engine.put(holder, receiver)
            site = Site(caller, line, (holder, source))
            calls.call_variable(calls.objects.properties[value.number].setter, site)
        elif isinstance(value, InstanceValue):
            calls.call_method(number, "__set__", Site(caller, line, (None, source)))

    calls.engine.watch(member, each)


def import_name(calls: Calls, module: int, operation: ImportName, target: int) -> None:
    """Record `from module import name`."""
    variable, found = calls.program.import_name(module, operation)
    _give(calls, variable, found, target)
