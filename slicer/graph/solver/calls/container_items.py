"""Items of containers by the keys that a variable holds."""

from __future__ import annotations

from collections.abc import Collection

from ..objects.containers import Container, Key
from .call_edges import Calls


def read_item(calls: Calls, container: Container, key: int | None, target: int) -> None:
    """Make the target hold the items under the keys in a variable."""
    if key is None:
        container.read((None,), target)
        return

    def each(new: Collection[int]) -> None:
        container.read(known_keys(calls, new), target)

    def otherwise() -> None:
        if not calls.engine.holds[key]:
            container.read((None,), target)

    calls.engine.watch(key, each)
    calls.late.append(otherwise)


def store_item(calls: Calls, container: Container, key: int | None, source: int) -> None:
    """Make the items under the keys in a variable hold all values of the source."""
    if key is None:
        calls.engine.connect(source, container.field(None))
        return
    if container.kind == "dict":
        calls.engine.connect(key, container.key_variable())

    def each(new: Collection[int]) -> None:
        for known in known_keys(calls, new):
            calls.engine.connect(source, container.field(known))

    def otherwise() -> None:
        if not calls.engine.holds[key]:
            calls.engine.connect(source, container.field(None))

    calls.engine.watch(key, each)
    calls.late.append(otherwise)


def known_keys(calls: Calls, numbers: Collection[int]) -> list[Key]:
    """Return the constant keys among values; one `None` stands for all others."""
    keys: list[Key] = []
    unknown = False
    for number in numbers:
        constant = calls.values.constant_of(number) if number < 0 else None
        if constant is None:
            unknown = True
        else:
            keys.append(constant)
    return [*keys, None] if unknown else keys
