"""Constraints from value sources: definitions, constants, displays, imports, copies."""

from __future__ import annotations

from ...facts import (
    Constant,
    Copy,
    DecoratedCopy,
    ImportModule,
    ImportName,
    NewClass,
    NewContainer,
    NewFunction,
    Text,
)
from ..calls import attribute_access
from ..interned_values import TEXT, ClassValue, FunctionValue
from ..objects.containers import Container
from .constraint_loader import Loader


def copy(loader: Loader, op: Copy) -> None:
    """Make the target hold all values of the source."""
    loader.engine.connect(loader.base + op.source, loader.base + op.target)


def copy_but_classes(loader: Loader, op: DecoratedCopy) -> None:
    """Make the target hold all values of the source, except classes."""
    target = loader.base + op.target

    def each(number: int) -> None:
        if number < 0 or not isinstance(loader.values[number], ClassValue):
            loader.engine.put(target, number)

    loader.engine.watch(loader.base + op.source, each)


def constant(loader: Loader, op: Constant) -> None:
    """Constrain a constant."""
    loader.engine.put(loader.base + op.target, loader.values.constant(op.value))


def text(loader: Loader, op: Text) -> None:
    """Constrain an unknown string."""
    loader.engine.put(loader.base + op.target, TEXT)


def new_function(loader: Loader, op: NewFunction) -> None:
    """Constrain a function definition."""
    value = FunctionValue(loader.linked.functions + op.function)
    loader.engine.put(loader.base + op.target, loader.values.number(value))


def new_class(loader: Loader, op: NewClass) -> None:
    """Constrain a class definition."""
    value = ClassValue(loader.linked.classes + op.klass, True)
    loader.engine.put(loader.base + op.target, loader.values.number(value))


def new_container(loader: Loader, op: NewContainer) -> None:
    """Constrain a container with its items."""
    containers = loader.calls.containers
    container = containers.new(op.kind)
    for key, variable in op.items:
        loader.engine.connect(loader.base + variable, container.field(key, literal=True))
    target = loader.base + op.target
    loader.calls.containers.initial[target] = container
    loader.engine.put(target, containers.value(container))
    for spread in op.spreads:
        _spread(loader, container, loader.base + spread)


def _spread(loader: Loader, container: Container, spread: int) -> None:
    calls = loader.calls

    def each(number: int) -> None:
        other = calls.containers.of(number)
        if other is not None and other.kind == "dict" == container.kind:
            calls.containers.copy_fields(other, container)
            return
        items = calls.containers.items_of(number)
        if items is not None and container.kind != "dict":
            loader.engine.connect(items, container.field(None))

    loader.engine.watch(spread, each)


def import_module(loader: Loader, op: ImportModule) -> None:
    """Constrain the import of a module."""
    value = loader.calls.program.import_module(loader.module, op)
    loader.engine.put(loader.base + op.target, value)


def import_member(loader: Loader, op: ImportName) -> None:
    """Constrain the import of a module's member, or of a submodule."""
    attribute_access.import_name(loader.calls, loader.module, op, loader.base + op.target)
