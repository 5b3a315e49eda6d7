"""Instantiation of classes, with generated `__init__` methods as well, and calls of instances."""

from __future__ import annotations

from ...library_tables import FIELD_BASES
from ..interned_values import ClassValue, InstanceValue
from ..site_table import Site
from .call_edges import Calls


def instantiate(calls: Calls, site: Site, value: ClassValue) -> None:
    """Apply a call of a class: it returns an instance, and calls its constructors."""
    instance = calls.values.number(InstanceValue(value.klass, value.exact))
    if site.target is not None:
        calls.engine.put(site.target, instance)
    klass = calls.values.number(value)
    purpose = f"new {klass}"
    if purpose in site.made:
        return
    site.made[purpose] = 0
    inner = site.again(None)
    if calls.classes.first_member(value.klass, "__new__") is not None:
        slot = calls.slots.slot(klass, "__new__")
        calls.call_variable(slot.variable, site.again(site.target))
    for metaclass in calls.classes.states[value.klass].metaclasses:
        if calls.classes.first_member(metaclass, "__call__") is not None:
            slot = calls.slots.slot(klass, "__call__")
            calls.call_variable(slot.variable, site)
    if calls.classes.first_member(value.klass, "__init__") is None and _has_fields(calls, value):
        _fill_fields(calls, value, site)
        return
    slot = calls.slots.slot(instance, "__init__")
    calls.call_variable(slot.variable, inner)


def _has_fields(calls: Calls, value: ClassValue) -> bool:
    ancestors = calls.classes.ancestors(value.klass)
    return any(calls.classes.states[klass].has_fields for klass in ancestors) or any(
        path in FIELD_BASES for path in calls.classes.externals(value.klass)
    )


def _fill_fields(calls: Calls, value: ClassValue, site: Site) -> None:
    names: dict[str, None] = {}
    for number in reversed(calls.classes.order(value.klass)):
        ancestor = calls.values[number]
        if isinstance(ancestor, ClassValue):
            names.update(dict.fromkeys(calls.program.classes[ancestor.klass][1].fields))
    pairs = [*zip(names, site.arguments, strict=False), *site.keywords]
    for name, argument in pairs:
        if name in names and argument is not None:
            calls.engine.connect(argument, calls.slots.store_field(value.klass, name))
    if calls.classes.defines(value.klass, value.exact, "__post_init__"):
        instance = calls.values.number(InstanceValue(value.klass, value.exact))
        slot = calls.slots.slot(instance, "__post_init__")
        calls.call_variable(slot.variable, Site(site.caller, site.line))


def call_instance(calls: Calls, site: Site, value: InstanceValue) -> None:
    """Apply a call of an instance, which calls its `__call__`."""
    if site.decorates:
        # if a direct call returns an instance, a call with arguments returns a decorator
        calls.late.append(lambda: _decorate_with(calls, site, value))
    else:
        _call_instance(calls, site, value)


def _decorate_with(calls: Calls, site: Site, value: InstanceValue) -> None:
    if not site.entered:
        _call_instance(calls, site, value)


def _call_instance(calls: Calls, site: Site, value: InstanceValue) -> None:
    number = calls.values.number(value)
    if calls.classes.defines(value.klass, value.exact, "__call__"):
        purpose = f"call {number}"
        if purpose not in site.made:
            site.made[purpose] = 0
            calls.call_variable(calls.slots.slot(number, "__call__").variable, site)
    elif site.decorates and site.arguments and site.arguments[0] is not None:
        calls.engine.connect(site.arguments[0], site.target)
