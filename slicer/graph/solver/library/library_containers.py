"""Models of builtins that make containers."""

from __future__ import annotations

from ...facts import ContainerKind
from ..calls.call_edges import Calls
from ..calls.library_models import container_at
from ..calls.special_methods import iterate
from ..interned_values import ExternalValue
from ..objects.containers import Container
from ..site_table import Site


def collect_items(kind: ContainerKind, calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model a set or a sorted list: the items of the argument, under unknown keys."""
    made = container_at(calls, site, kind)
    source = site.argument(0)
    if source is not None:
        items = calls.engine.variable()
        iterate(calls, source, items, site.caller, site.line, False)
        calls.engine.connect(items, made.field(None))
        calls.call_argument(site, "key", (items,))


def copy_container(kind: ContainerKind, calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `list`, `tuple` and `dict`, which keep the keys of the copied items."""
    made = container_at(calls, site, kind)
    for source in site.arguments[:1]:
        if source is not None:
            _fill_from(calls, made, source, site)
    for name, variable in site.keywords:
        if name is not None:
            calls.engine.connect(variable, made.field(name))


def _fill_from(calls: Calls, made: Container, source: int, site: Site) -> None:
    def each(number: int) -> None:
        container = calls.containers.of(number)
        if container is not None and (container.kind == "dict") == (made.kind == "dict"):
            calls.containers.copy_fields(container, made)
            return
        items = calls.containers.items_of(number)
        if items is not None:
            _add_items(calls, made, items)
        elif number >= 0:
            produced = calls.engine.variable()
            source_variable = calls.engine.variable()
            calls.engine.put(source_variable, number)
            iterate(calls, source_variable, produced, site.caller, site.line, False)
            _add_items(calls, made, produced)

    calls.engine.watch(source, each)


def _add_items(calls: Calls, made: Container, items: int) -> None:
    if made.kind != "dict":
        calls.engine.connect(items, made.field(None))
        return

    def each(number: int) -> None:
        pair = calls.containers.of(number)
        if pair is not None:
            calls.engine.connect(pair.field(0), made.key_variable())
            calls.engine.connect(pair.field(1), made.field(None))

    calls.engine.watch(items, each)


def default_dict(calls: Calls, site: Site, value: ExternalValue) -> None:
    """Model `defaultdict`, which calls its argument for missing items."""
    made = container_at(calls, site, "dict")
    calls.call_argument(site, 0, (), made.field(None))
