"""Constraints from the classes that tests and annotations name."""

from __future__ import annotations

from ...facts import Declare, InstanceOf
from ..calls.call_edges import Calls
from ..interned_values import TEXT, ClassValue, ContainerValue, ExternalValue, InstanceValue
from .constraint_loader import Loader


def instance_of(loader: Loader, op: InstanceOf) -> None:
    """Make the target hold instances of the classes."""
    add_instances(loader.calls, loader.base + op.source, loader.base + op.target)


def declare_type(loader: Loader, op: Declare) -> None:
    """Record an annotation, which is applied if nothing else is known."""
    loader.declared.append((loader.base + op.source, loader.base + op.target))


def add_instances(calls: Calls, source: int, target: int) -> None:
    """Make the target hold instances of the classes in the source."""

    def each(number: int) -> None:
        _add_instance(calls, number, target)

    calls.engine.watch(source, each)


def _add_instance(calls: Calls, number: int, target: int) -> None:
    if number < 0:
        return
    value = calls.values[number]
    match value:
        case ClassValue():
            calls.engine.put(target, calls.values.number(InstanceValue(value.klass, False)))
        case ExternalValue() if value.path == "<builtin>.str":
            calls.engine.put(target, TEXT)
        case ExternalValue() if not value.path.startswith(("<builtin>", "typing")):
            calls.engine.put(target, calls.values.number(ExternalValue(value.path, 1)))
        case ContainerValue():
            container = calls.containers[value.container]
            if container.kind == "tuple":
                add_instances(calls, container.all(), target)
            else:
                calls.engine.put(target, number)
        case _:
            pass
