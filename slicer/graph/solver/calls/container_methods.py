"""Models of the methods of containers, strings and generators."""

from __future__ import annotations

from ..interned_values import TEXT, ContainerValue, GeneratorValue, MethodValue
from ..objects.containers import Container
from .call_edges import Calls, Site
from .container_items import read_item, store_item
from .special_methods import iterate

_TYPE_NAMES = {"list": "PyList", "tuple": "PyTuple", "dict": "PyDict", "set": "PySet"}
_ADDING = {"append": 0, "appendleft": 0, "add": 0, "insert": 1}
_TEXTS = frozenset(
    """
    capitalize casefold center decode expandtabs format format_map join ljust lower lstrip replace
    removeprefix removesuffix rjust rstrip strip swapcase title translate upper zfill
    """.split()
)


def call_method(calls: Calls, site: Site, value: MethodValue) -> None:
    """Apply a method call on a container, string or generator."""
    if value.receiver == TEXT:
        calls.edge(site.caller, f"<**PyStr**>.{value.name}", site.line)
        _text_result(calls, site, value.name)
        return
    receiver = calls.values[value.receiver]
    if isinstance(receiver, ContainerValue):
        container = calls.containers[receiver.container]
        type_name = _TYPE_NAMES[container.kind]
        calls.edge(site.caller, f"<**{type_name}**>.{value.name}", site.line)
        _container_method(calls, site, container, value.name)
    elif isinstance(receiver, GeneratorValue) and value.name in ("send", "__next__", "throw"):
        items = calls.containers.items_of(value.receiver)
        if items is not None:
            calls.engine.connect(items, site.target)


def _text_result(calls: Calls, site: Site, name: str) -> None:
    if site.target is None:
        return
    if name in _TEXTS:
        calls.engine.put(site.target, TEXT)
    elif name in ("split", "rsplit", "splitlines", "partition", "rpartition"):
        if "list" not in site.made:
            container = calls.containers.new("list")
            site.made["list"] = container.number
            calls.engine.put(container.field(None), TEXT)
        made = calls.containers[site.made["list"]]
        calls.engine.put(site.target, calls.containers.value(made))


def _container_method(calls: Calls, site: Site, container: Container, name: str) -> None:
    engine, containers = calls.engine, calls.containers
    first = site.arguments[0] if site.arguments else None
    second = site.arguments[1] if len(site.arguments) > 1 else None
    match name:
        case "append" | "appendleft" | "add" | "insert":
            added = (first, second)[_ADDING[name]]
            if added is not None:
                engine.connect(added, container.field(None))
        case "extend" | "extendleft" | "update" | "union" | "__ior__" | "fromkeys":
            for source in site.arguments:
                if source is not None:
                    _extend(calls, site, container, source)
            for key, variable in site.keywords:
                if key is not None:
                    engine.connect(variable, container.field(key))
            if name == "union" and site.target is not None:
                engine.put(site.target, containers.value(container))
        case "get" | "setdefault" | "pop" | "__getitem__" | "popleft":
            _read(calls, site, container, name, first, second)
        case "values" | "keys":
            _put_container(calls, site, containers.listed(container, name))
        case "items":
            _put_container(calls, site, containers.items(container))
        case "popitem":
            _put_items(calls, site, containers.items(container))
        case "copy" | "difference" | "intersection" | "symmetric_difference" | "__iter__":
            _put_container(calls, site, container)
        case "sort":
            calls.call_argument(site, "key", (container.all(),))
        case _:
            pass


def _put_container(calls: Calls, site: Site, container: Container) -> None:
    if site.target is not None:
        calls.engine.put(site.target, calls.containers.value(container))


def _put_items(calls: Calls, site: Site, container: Container) -> None:
    calls.engine.connect(container.all(), site.target)


def _extend(calls: Calls, site: Site, container: Container, source: int) -> None:
    def each(number: int) -> None:
        other = calls.containers.of(number)
        if other is not None and other.kind == "dict" and container.kind == "dict":
            calls.containers.copy_fields(other, container)

    if container.kind == "dict":
        calls.engine.watch(source, each)
    else:
        iterate(calls, source, container.field(None), site.caller, site.line, False)


def _read(
    calls: Calls,
    site: Site,
    container: Container,
    name: str,
    first: int | None,
    second: int | None,
) -> None:
    if name == "setdefault" and second is not None:
        store_item(calls, container, first, second)
    if name in ("get", "setdefault", "pop") and second is not None:
        calls.engine.connect(second, site.target)
    if site.target is not None:
        key = first if container.kind == "dict" or name == "__getitem__" else None
        read_item(calls, container, key, site.target)
