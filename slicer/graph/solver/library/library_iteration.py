"""Models of builtins that iterate over their arguments."""

from __future__ import annotations

from ..calls.call_edges import Calls
from ..calls.library_models import container_at
from ..calls.special_methods import iterate
from ..interned_values import ExternalValue
from ..site_table import Site


def iterator(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `iter`, which returns the items."""
    made = container_at(calls, site, "list")
    source = site.argument(0)
    if source is not None:
        iterate(calls, source, made.field(None), site.caller, site.line, False)


def next_item(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `next`, which returns an item, or the default."""
    source = site.argument(0)
    if source is None:
        return

    def each(number: int) -> None:
        items = calls.containers.items_of(number)
        if items is not None:
            calls.engine.connect(items, site.target)
        else:
            calls.call_method(number, "__next__", Site(site.caller, site.line, target=site.target))

    calls.engine.watch(source, each)
    for default in site.arguments[1:2]:
        if default is not None:
            calls.engine.connect(default, site.target)


def enumerate_items(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `enumerate`, which yields pairs."""
    made = container_at(calls, site, "list")
    pair = calls.containers.new("tuple")
    calls.engine.put(made.field(None), calls.containers.value(pair))
    source = site.argument(0)
    if source is not None:
        iterate(calls, source, pair.field(1), site.caller, site.line, False)


def zip_items(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `zip`, which yields tuples with one item of each argument."""
    made = container_at(calls, site, "list")
    group = calls.containers.new("tuple")
    calls.engine.put(made.field(None), calls.containers.value(group))
    for index, source in enumerate(site.arguments):
        if source is not None:
            iterate(calls, source, group.field(index), site.caller, site.line, False)


def extreme(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `min`, `max` and `sum`, which return an item of the argument, or an argument."""
    result = calls.engine.variable()
    if len(site.arguments) == 1 and site.arguments[0] is not None:
        iterate(calls, site.arguments[0], result, site.caller, site.line, False)
    else:
        for argument in site.arguments:
            if argument is not None:
                calls.engine.connect(argument, result)
    calls.engine.connect(result, site.target)
    calls.call_argument(site, "key", (result,))


def chain(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `itertools.chain`, which yields the items of all arguments."""
    made = container_at(calls, site, "list")
    for source in site.arguments:
        if source is not None:
            iterate(calls, source, made.field(None), site.caller, site.line, False)
