"""Observations in the trusted half: checked, immutable, with every type spelled out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Shape = Literal["node", "nodes", "set", "named", "pairs", "dict"]
"""The structure of a group's entries, as in `node_kinds.py`."""

Outcome = Literal["returned", "raised", "unobservable", "not_called", "invalid"]
"""How the call ended; or nothing works to observe it with, the case failed before the call, or the
case is invalid."""


class Group(NamedTuple):
    """Children of a node under one name."""

    name: str
    shape: Shape
    keys: tuple[Value, ...]
    """Names or keys of the children; empty if the group has none."""
    values: tuple[Value, ...]
    """The children."""


class Node(NamedTuple):
    """One object. Nodes are distinguished by identity; `compare_values.py` compares values.

    Nodes and groups are tuples, since there may be a million of them.
    """

    kind: str
    fields: tuple[tuple[str, Field], ...]
    groups: tuple[Group, ...]

    def text(self, name: str) -> str:
        """Return a plain field as text; empty if the node has none of that name."""
        found = self.field(name)
        return found if isinstance(found, str) else ""

    def field(self, name: str) -> Field | None:
        """Return a plain field, or `None`."""
        for key, value in self.fields:
            if key == name:
                return value
        return None

    def group(self, name: str) -> Group:
        """Return a group, without children if the node has none of that name."""
        for group in self.groups:
            if group.name == name:
                return group
        return _EMPTY


_EMPTY = Group("", "nodes", (), ())

Field = str | int | bool | tuple[int, ...]
"""A plain field of a node."""

Value = None | bool | int | str | Node
"""A value of the script: these builtin types represent themselves, all others are nodes."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The observed behaviour of one call of the target."""

    outcome: Outcome
    value: Value = None
    """The returned value."""
    exception: Value = None
    """The raised exception; with the last three outcomes, what failed."""
    is_accident: bool = False
    """Whether no `raise` statement raised it: an operation failed that was not meant to."""
    awaited: bool = False
    """Whether the call gave a coroutine, and the rest is about its end."""
    value_is: str = ""
    """Name of the argument that the value or exception *is*: `self`, a position, or a keyword."""
    arguments: tuple[tuple[str, Value], ...] = ()
    """Arguments, and `self`, that the call changed, in their final state."""
    globals: tuple[tuple[str, Value], ...] = ()
    """Globals of the script's modules, and attributes of its classes, that the call changed."""
    files: tuple[tuple[str, Value], ...] = ()
    """Files of the working folder that the call changed."""
    effects: tuple[Value, ...] = ()
    """Effects on the outside world, in order."""
    stdout: str | Node = ""
    stderr: str | Node = ""
    order: str = ""
    """Order of the returned dictionary, if the keys came in another order."""
    lazy: tuple[str, ...] = ()
    """Names of arguments (and `effects`) that change only after the first item of a returned
    iterator: it works lazily."""
    replaced: tuple[str, ...] = ()
    """Places, each starting with an argument's name, whose container was replaced by a different
    one."""
    stored: tuple[str, ...] = ()
    """Attributes of the result or a changed object that hold a container of another argument."""
    then: Observation | None = None
    """The end of the case, if it continues after the call."""
    shared: tuple[Node, ...] = ()
    """Shared nodes, referred to by number."""
    text: str = field(default="", compare=False, repr=False)
    """The JSON text that it was read from, if it stood alone: equal text means an equal
    observation."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """Text from a sandbox that is no observation: broken, or badly forged."""

    where: str
    what: str
