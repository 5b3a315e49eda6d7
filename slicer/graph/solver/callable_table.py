"""The dispatch table of callables: how each kind of value is called."""

from __future__ import annotations

from functools import partial as bind

from .calls.call_edges import Calls, Handler
from .calls.container_methods import call_method
from .calls.external_calls import call_external
from .calls.instantiation import call_instance, instantiate
from .interned_values import (
    AccessorValue,
    ClassValue,
    ExternalValue,
    InstanceValue,
    MethodValue,
    PartialValue,
    PropertyValue,
    Value,
)
from .library.library_table import library_models
from .site_table import Site


def handlers() -> dict[type[Value], Handler]:
    """Return kind of value → call handler, without functions and bound callables."""
    return {
        ClassValue: instantiate,
        InstanceValue: call_instance,
        ExternalValue: bind(call_external, library_models()),
        MethodValue: call_method,
        PartialValue: _call_partial,
        AccessorValue: _set_accessor,
    }


def _call_partial(calls: Calls, site: Site, value: PartialValue) -> None:
    if value.number in site.within:  # `f = partial(f, x)` in a loop: one that holds itself
        return
    partial = calls.objects.partials[value.number]
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
        (*site.within, value.number),
    )
    calls.call_variable(partial.callee, merged)


def _set_accessor(calls: Calls, site: Site, value: AccessorValue) -> None:
    made = calls.objects.properties[value.number]
    variable = {"setter": made.setter, "deleter": made.deleter}.get(value.role, made.getter)
    if site.arguments and site.arguments[0] is not None:
        calls.engine.connect(site.arguments[0], variable)
    if site.target is not None:
        calls.engine.put(site.target, calls.values.number(PropertyValue(value.number)))
