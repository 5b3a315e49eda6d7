"""The type of library models: what a library function does with its arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...facts import ContainerKind
from ..interned_values import ExternalValue
from ..objects.containers import Container
from ..site_table import Site
from .call_edges import Calls

Action = Callable[[Calls, Site, ExternalValue], None]


@dataclass(frozen=True, slots=True)
class Model:
    """The model of a library function."""

    action: Action
    listed: bool = True
    """Whether the graph shows the call."""
    final: bool = True
    """Whether the model is complete; else the library may also call its arguments."""


def container_at(calls: Calls, site: Site, kind: ContainerKind) -> Container:
    """Return the container that a call creates, one for each site."""
    number = site.made.get(kind)
    if number is None:
        container = calls.containers.new(kind)
        site.made[kind] = container.number
        if site.target is not None:
            calls.engine.put(site.target, calls.containers.value(container))
        return container
    return calls.containers[number]
