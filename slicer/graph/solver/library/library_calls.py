"""Models of library functions that call their arguments or the arguments' special methods."""

from __future__ import annotations

from ...library_tables import CONVERSIONS
from ..calls.call_edges import Calls
from ..calls.library_models import container_at
from ..calls.special_methods import call_special_method, iterate
from ..interned_values import TEXT, ExternalValue
from ..site_table import Site


def map_items(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `map` and `filter`, which call an argument, even one in the wrong position."""
    made = container_at(calls, site, "list")
    results = made.field(None)
    items: list[int] = []
    for source in site.arguments[1:]:
        variable = calls.engine.variable()
        if source is not None:
            iterate(calls, source, variable, site.caller, site.line, False)
        items.append(variable)
    is_map = value.path.endswith("map")
    for index in range(len(site.arguments)):
        target = results if is_map else None
        calls.call_argument(site, index, tuple(items) if index == 0 else (), target)
    if not is_map:
        for variable in items:
            calls.engine.connect(variable, results)


def starmap(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `itertools.starmap`, which calls a function with items as arguments."""
    source = site.argument(1)
    made = container_at(calls, site, "list")
    if source is not None:
        items = calls.engine.variable()
        iterate(calls, source, items, site.caller, site.line, False)
        callee = site.argument(0)
        if callee is not None:
            inner = Site(site.caller, site.line, spreads=(items,), target=made.field(None))
            calls.call_variable(callee, inner)


def reduce_items(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `functools.reduce`, which calls a function with its own results."""
    items = calls.engine.variable()
    source = site.argument(1)
    if source is not None:
        iterate(calls, source, items, site.caller, site.line, False)
    for start in site.arguments[2:3]:
        if start is not None:
            calls.engine.connect(start, items)
    result = calls.engine.variable()
    calls.engine.connect(items, result)
    calls.call_argument(site, 0, (result, items), result)
    calls.engine.connect(result, site.target)


def submit(position: int | str, calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model threads and similar: one argument is called with `args`."""
    arguments = dict(site.keywords).get("args")
    callee = dict(site.keywords).get(str(position))
    if callee is not None:
        spreads = () if arguments is None else (arguments,)
        calls.call_variable(callee, Site(site.caller, site.line, spreads=spreads))


def convert(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model builtins that call a special method of their argument."""
    name = value.path.rpartition(".")[2]
    sources = site.arguments if name == "print" else site.arguments[:1]
    result = site.target if name in ("abs", "divmod", "round", "pow", "reversed") else None
    for source in sources:
        if source is not None:
            call_special_method(
                calls, source, CONVERSIONS[name], Site(site.caller, site.line, target=result)
            )
    if name in ("str", "repr", "format", "ascii", "hex", "oct", "bin") and site.target is not None:
        calls.engine.put(site.target, TEXT)


def plain(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model a function without further effects: only the edge is added."""
