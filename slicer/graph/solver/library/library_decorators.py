"""Models of library decorators, and of functions that return their argument."""

from __future__ import annotations

from functools import partial as bind

from ...library_tables import FIELD_CLASSES, TRANSPARENT
from ..calls.call_edges import Calls
from ..interned_values import ClassMethodValue, ClassValue, ExternalValue, StaticValue
from ..site_table import Site


def wrap(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `property`, `staticmethod` and `classmethod`."""
    target = site.target
    if target is None:
        return
    if value.path.endswith("property"):
        if "property" not in site.made:
            site.made["property"] = _new_property(calls, site)
        calls.engine.put(target, site.made["property"])
        return
    kind = StaticValue if value.path.endswith("staticmethod") else ClassMethodValue
    source = site.argument(0)
    if source is not None:

        def each(number: int) -> None:
            if number >= 0:
                calls.engine.put(target, calls.values.number(kind(number)))

        calls.engine.watch(source, each)


def _new_property(calls: Calls, site: Site) -> int:
    number = calls.objects.new_property(site.argument(0))
    made = calls.objects.properties[-1]
    for source, variable in ((site.argument(1), made.setter), (site.argument(2), made.deleter)):
        if source is not None:
            calls.engine.connect(source, variable)
    return number


def pass_through(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model a function whose result stands for its argument."""
    if site.decorates or value.path in TRANSPARENT:
        source = site.argument(0)
    elif value.path == "typing.cast":
        source = site.argument(1)
    else:
        # with arguments, as in `wraps(f)`: the result is the decorator
        if site.target is not None:
            calls.engine.put(site.target, calls.values.number(ExternalValue(value.path, 0)))
        source = site.argument(0)
    if source is not None:
        calls.engine.connect(source, site.target)
        if value.path in FIELD_CLASSES:
            calls.engine.watch(source, bind(_mark_fields, calls))


def _mark_fields(calls: Calls, number: int) -> None:
    value = calls.values[number] if number >= 0 else None
    if isinstance(value, ClassValue):
        calls.classes.states[value.klass].has_fields = True


def wraps(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `wraps(f)`, which returns a decorator that returns the decorated function."""
    if site.decorates:
        source = site.argument(0)
        if source is not None:
            calls.engine.connect(source, site.target)
    elif site.target is not None:
        calls.engine.put(site.target, calls.values.number(ExternalValue(value.path, 0)))


def partial_of(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `functools.partial`."""
    callee = site.argument(0)
    if callee is not None and site.target is not None and "partial" not in site.made:
        inner = Site(
            site.caller, site.line, site.arguments[1:], site.spreads, site.late, site.keywords
        )
        site.made["partial"] = calls.objects.new_partial(callee, inner)
        calls.engine.put(site.target, site.made["partial"])
