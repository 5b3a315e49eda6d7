"""Constraints from attributes and items that are read, stored, sliced and unpacked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...facts import Load, LoadItem, LoadSlice, Store, StoreItem, Unpack
from ..calls import attribute_access
from ..calls.container_items import read_item, store_item
from ..calls.special_methods import iterate
from ..interned_values import TEXT, ClassValue, ExternalValue, GlobalsValue, InstanceValue
from ..site_table import Site
from .constraint_loader import Loader


def load_attribute(loader: Loader, op: Load) -> None:
    """Constrain `object.name`."""
    target, caller = loader.base + op.target, loader.caller(op.caller)
    calls, name, line = loader.calls, op.name, op.line

    def each(number: int) -> None:
        attribute_access.read(calls, number, name, target, caller, line)

    loader.engine.watch(loader.base + op.object, each)


def store_attribute(loader: Loader, op: Store) -> None:
    """Constrain `object.name = source`."""
    source, caller = loader.at(op.source), loader.caller(op.caller)
    calls, name, line = loader.calls, op.name, op.line

    def each(number: int) -> None:
        attribute_access.store(calls, number, name, source, caller, line)

    loader.engine.watch(loader.base + op.object, each)


def load_item(loader: Loader, op: LoadItem) -> None:
    """Constrain `object[key]`."""
    key, target = loader.at(op.key), loader.base + op.target
    site = loader.site(op.caller, op.line, key, target=target)

    def each(number: int) -> None:
        _read_one(loader, number, key, target, site)

    loader.engine.watch(loader.base + op.object, each)


def _read_one(loader: Loader, number: int, key: int | None, target: int, site: Site) -> None:
    calls = loader.calls
    container = calls.containers.of(number)
    if container is not None:
        read_item(calls, container, key, target)
    elif number < 0:
        if number == TEXT:
            loader.engine.put(target, TEXT)
    elif not calls.call_method(number, "__getitem__", site):
        value = loader.values[number]
        if isinstance(value, GlobalsValue):
            _with_globals(loader, value, key, lambda v: loader.engine.connect(v, target))
        elif isinstance(value, ExternalValue) and value.path == "sys.modules":
            _module_item(loader, key, target, site)
        elif isinstance(value, ClassValue) and calls.classes.is_enum(value.klass):
            loader.engine.put(target, loader.values.number(InstanceValue(value.klass, True)))
        elif isinstance(value, (ClassValue, ExternalValue)):
            loader.engine.put(target, number)


def _with_globals(
    loader: Loader, value: GlobalsValue, key: int | None, connect: Callable[[int], None]
) -> None:
    """Connect each variable that a key of `globals()` may name."""

    def each(number: int) -> None:
        name = loader.values.constant_of(number)
        variable = loader.calls.program.cell(value.module, name) if isinstance(name, str) else None
        if variable is not None:
            connect(variable)

    if key is not None:
        loader.engine.watch(key, each)


def _module_item(loader: Loader, key: int | None, target: int, site: Site) -> None:
    def each(number: int) -> None:
        name = loader.values.constant_of(number)
        if isinstance(name, str):
            module = loader.calls.program.module_value(site.module, name)
            loader.engine.put(target, module)

    if key is not None:
        loader.engine.watch(key, each)


def assign_item(loader: Loader, op: StoreItem) -> None:
    """Constrain `object[key] = source`."""
    key, source = loader.at(op.key), loader.at(op.source)
    site = loader.site(op.caller, op.line, key, source, target=None)

    def each(number: int) -> None:
        container = loader.calls.containers.of(number)
        if container is not None:
            if source is not None:
                store_item(loader.calls, container, key, source)
        elif not loader.calls.call_method(number, "__setitem__", site) and number >= 0:
            value = loader.values[number]
            if isinstance(value, GlobalsValue) and source is not None:
                _with_globals(loader, value, key, partial(loader.engine.connect, source))

    loader.engine.watch(loader.base + op.object, each)


def load_slice(loader: Loader, op: LoadSlice) -> None:
    """Constrain `object[lower:upper]`."""
    target = loader.base + op.target
    site = loader.site(op.caller, op.line, None, target=target)

    def each(number: int) -> None:
        container = loader.calls.containers.of(number)
        if container is not None:
            part = loader.calls.containers.shifted(container, op.lower, op.upper)
            loader.engine.put(target, loader.calls.containers.value(part))
        elif number < 0:
            loader.engine.put(target, TEXT)
        else:
            loader.calls.call_method(number, "__getitem__", site)

    loader.engine.watch(loader.base + op.object, each)


def unpack(loader: Loader, op: Unpack) -> None:
    """Constrain one item of a target list."""
    target = loader.base + op.target
    source = loader.base + op.source
    others = loader.engine.variable()
    known = op.place is not None and op.place >= 0

    def each(number: int) -> None:
        container = loader.calls.containers.of(number)
        if container is None:
            loader.engine.put(others, number)
        elif known and container.kind in ("list", "tuple"):
            container.read(op.place, target)
        else:
            loader.engine.connect(loader.calls.containers.keys(container), target)

    loader.engine.watch(source, each)
    iterate(loader.calls, others, target, loader.caller(op.caller), op.line, False)
