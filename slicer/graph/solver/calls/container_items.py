"""Items of containers by the keys that a variable holds."""

from __future__ import annotations

from ..objects.containers import Container
from .call_edges import Calls


def read_item(calls: Calls, container: Container, key: int | None, target: int) -> None:
    """Make the target hold the items under the keys in a variable."""
    if key is None:
        container.read(None, target)
        return

    def each(number: int) -> None:
        container.read(calls.values.constant_of(number), target)

    def otherwise() -> None:
        if not calls.engine.holds[key]:
            container.read(None, target)

    calls.engine.watch(key, each)
    calls.late.append(otherwise)


def store_item(calls: Calls, container: Container, key: int | None, source: int) -> None:
    """Make the items under the keys in a variable hold all values of the source."""
    if key is None:
        calls.engine.connect(source, container.field(None))
        return
    if container.kind == "dict":
        calls.engine.connect(key, container.key_variable())

    def each(number: int) -> None:
        calls.engine.connect(source, container.field(calls.values.constant_of(number)))

    def otherwise() -> None:
        if not calls.engine.holds[key]:
            calls.engine.connect(source, container.field(None))

    calls.engine.watch(key, each)
    calls.late.append(otherwise)
