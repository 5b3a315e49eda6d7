"""Special methods that Python itself calls for operators, conversions and iteration."""

from __future__ import annotations

from ..interned_values import ClassValue, InstanceValue
from ..site_table import Site
from .call_edges import Calls


def call_special_method(calls: Calls, source: int, methods: tuple[str, ...], site: Site) -> None:
    """Call the first of the special methods that each value of the variable has."""

    def each(number: int) -> None:
        any(calls.call_method(number, method, site) for method in methods)

    calls.engine.watch(source, each)


def iterate(
    calls: Calls, source: int, target: int | None, caller: int, line: int, is_async: bool
) -> None:
    """Make the target hold the items of the source; iterating calls `__iter__` and `__next__`."""
    start, step = ("__aiter__", "__anext__") if is_async else ("__iter__", "__next__")

    def each(number: int) -> None:
        items = calls.containers.items_of(number)
        if items is not None:
            calls.engine.connect(items, target)
            return
        iterator = calls.engine.variable()
        if calls.call_method(number, start, Site(caller, line, target=iterator)):
            _step(calls, iterator, step, target, caller, line)
        elif number >= 0:
            _iterate_other(calls, number, target, caller, line)

    calls.engine.watch(source, each)


def _iterate_other(calls: Calls, number: int, target: int | None, caller: int, line: int) -> None:
    value = calls.values[number]
    if isinstance(value, ClassValue) and calls.classes.is_enum(value.klass):
        if target is not None:
            calls.engine.put(target, calls.values.number(InstanceValue(value.klass, True)))
    elif isinstance(value, InstanceValue):
        calls.call_method(number, "__getitem__", Site(caller, line, (None,), target=target))


def _step(
    calls: Calls, iterator: int, step: str, target: int | None, caller: int, line: int
) -> None:
    def each(number: int) -> None:
        items = calls.containers.items_of(number)
        if items is not None:
            calls.engine.connect(items, target)
        else:
            calls.call_method(number, step, Site(caller, line, target=target))

    calls.engine.watch(iterator, each)
