"""An observation as the trusted half holds it: checked, immutable, with every type spelled out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Shape = Literal["node", "nodes", "set", "named", "pairs", "dict"]
"""How the entries of a group belong together: as in `kinds.py`."""

Outcome = Literal["returned", "raised", "unobservable", "not_called", "invalid"]
"""How the call ended; or it left nothing working to observe it with, or the case failed before the
call, or is no case at all."""


class Group(NamedTuple):
    """Children of a node under one name."""

    name: str
    shape: Shape
    keys: tuple[Value, ...]
    """Names or keys of the children; empty where the group has none."""
    values: tuple[Value, ...]
    """The children."""


class Node(NamedTuple):
    """One object; nodes are told apart by identity, values are compared in `compare.py`.

    Like groups they are tuples, since there may be a million of them.
    """

    kind: str
    fields: tuple[tuple[str, Field], ...]
    groups: tuple[Group, ...]

    def text(self, name: str) -> str:
        """A plain field as text; empty where the node has none of that name."""
        found = self.field(name)
        return found if isinstance(found, str) else ""

    def field(self, name: str) -> Field | None:
        """A plain field."""
        for key, value in self.fields:
            if key == name:
                return value
        return None

    def group(self, name: str) -> Group:
        """A group; one without children where the node has none of that name."""
        for group in self.groups:
            if group.name == name:
                return group
        return _EMPTY


_EMPTY = Group("", "nodes", (), ())

Field = str | int | bool | tuple[int, ...]
"""A plain field of a node."""

Value = None | bool | int | str | Node
"""A value of the script: these builtin types stand for themselves, all others are nodes."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What one call of the target did."""

    outcome: Outcome
    value: Value = None
    """What it returned."""
    exception: Value = None
    """What it raised; with the last three outcomes, what failed."""
    is_accident: bool = False
    """Whether no statement of anybody's raises that: an operation fails that is not meant to."""
    awaited: bool = False
    """Whether the call gave a coroutine, and the rest is about its end."""
    value_is: str = ""
    """Name of the argument that the value or exception *is*: `self`, a position, or a keyword."""
    arguments: tuple[tuple[str, Value], ...] = ()
    """Arguments, and `self`, that the call changed, as they are afterwards."""
    globals: tuple[tuple[str, Value], ...] = ()
    """Globals of the script's modules, and attributes of its classes, that the call changed."""
    files: tuple[tuple[str, Value], ...] = ()
    """Files of the working folder that the call changed."""
    effects: tuple[Value, ...] = ()
    """What it did to the outside world, in order."""
    stdout: str | Node = ""
    stderr: str | Node = ""
    order: str = ""
    """How the dictionary that it returned was put in order, where the keys came in another one."""
    lazy: tuple[str, ...] = ()
    """Arguments by name, `effects` too, that change after the first item of an iterator that the
    call gave: it does no more than it is asked for."""
    replaced: tuple[str, ...] = ()
    """Places, each by an argument's name, that hold another container than before the call, which
    differs from the one that they held."""
    stored: tuple[str, ...] = ()
    """Attributes of what the call gave or changed that hold a container of another argument."""
    then: Observation | None = None
    """What the case ends with, where it goes on after the call."""
    shared: tuple[Node, ...] = ()
    """Nodes that are referred to by number."""
    text: str = field(default="", compare=False, repr=False)
    """The JSON that it was read from, where that stood alone: other text like it says the same."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """Text from a sandbox that is no observation: it was broken, or somebody forged it badly."""

    where: str
    what: str
