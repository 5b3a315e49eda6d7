"""Decode a sandbox record into an observation; every name, type and number is checked.

There may be a million values. So each kind of node is read by a plan made beforehand, lists of
plain values are checked as a whole, and error paths are put together on the way out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import NoneType
from typing import TypeVar, cast, get_args

from .node_checks import CHECKS, sizes
from .node_kinds import KINDS, Kind
from .observation import Field, Group, Malformed, Node, Observation, Outcome, Shape, Value
from .untrusted_json import Document, Json, MalformedError, no_collections, parse

MAX_VALUES = 1_500_000
"""Largest number of values. An honest encoder sends no more."""

_Read = TypeVar("_Read")
# twice as fast as the constructors of named tuples
_made_node: Callable[[type[Node], tuple[object, ...]], Node] = vars(tuple)["__new__"]
_made_group: Callable[[type[Group], tuple[object, ...]], Group] = vars(tuple)["__new__"]
_PLAIN = frozenset({int, bool, str, NoneType})
_OUTCOMES = frozenset(get_args(Outcome))
_PAIRS = ("arguments", "globals", "files")
_NAMES = frozenset(
    {
        *("outcome", "value", "exception", "accident", "awaited", "value_is"),
        *(*_PAIRS, "effects", "stdout", "stderr", "order", "lazy", "replaced", "stored"),
        *("then", "shared"),
    }
)


def decode_text(text: str) -> Observation | Malformed:
    """Return the observation in a JSON text."""
    return _kept(text) if len(text) <= _SHORT else _decoded(text)


_SHORT = 4_000
"""Longest text, in characters, whose decoded observation is cached: most repeat."""


@lru_cache(maxsize=2048)
def _kept(text: str) -> Observation | Malformed:
    return _decoded(text)


def _decoded(text: str) -> Observation | Malformed:
    try:
        with no_collections():
            document = parse(text)
            return read_observation(document, document.content, text=text)
    except MalformedError as error:
        return Malformed(error.where, error.what)


def read_observation(
    document: Document, content: Json, *, counted: int = 0, text: str = ""
) -> Observation:
    """Return the observation in a document.

    Args:
        document: the whole document.
        content: the part with the observation.
        counted: number of object members outside the part.
        text: the observation's own text, if it should be kept.

    Raises:
        MalformedError: the part is no observation.
    """
    found, members = _observation(content, has_escapes=document.has_escapes, text=text)
    document.check_members(counted + members)
    return found


def _observation(
    content: Json, *, has_escapes: bool, text: str = "", is_end: bool = False
) -> tuple[Observation, int]:
    """Return an observation, and the number of members of its objects."""
    if type(content) is not dict:
        raise MalformedError("", "no object")
    unknown = content.keys() - (_NAMES - {"then"} if is_end else _NAMES)
    if unknown:
        raise MalformedError("", f"unknown field {min(unknown)[:40]}")
    outcome = content.get("outcome")
    if type(outcome) is not str or outcome not in _OUTCOMES:
        raise MalformedError("outcome", "unknown")
    if ("value" in content) != (outcome == "returned"):
        raise MalformedError("value", "does not fit the outcome")
    shared = content.get("shared", [])
    reader = _Reader(len(shared) if type(shared) is list else 0, has_escapes=has_escapes)
    reader.counted += len(content)
    then = None
    if "then" in content:
        try:
            then, more = _observation(content["then"], has_escapes=has_escapes, is_end=True)
        except MalformedError as error:
            raise error.within("then") from None
        reader.counted += more
    found = Observation(
        outcome=cast("Outcome", outcome),
        value=_part(content, "value", reader.value, None),
        exception=_part(content, "exception", reader.value, None),
        is_accident=_part(content, "accident", _truth, False),
        awaited=_part(content, "awaited", _truth, False),
        value_is=_part(content, "value_is", reader.text, ""),
        arguments=_part(content, "arguments", reader.named, []),
        globals=_part(content, "globals", reader.named, []),
        files=_part(content, "files", reader.named, []),
        effects=_part(content, "effects", reader.values, []),
        stdout=_part(content, "stdout", reader.printed, ""),
        stderr=_part(content, "stderr", reader.printed, ""),
        order=_part(content, "order", reader.text, ""),
        lazy=_part(content, "lazy", reader.texts, []),
        replaced=_part(content, "replaced", reader.texts, []),
        stored=_part(content, "stored", reader.texts, []),
        then=then,
        shared=_part(content, "shared", reader.shared, []),
        text=text,
    )
    return found, reader.counted


def _part(
    content: dict[str, Json], name: str, read: Callable[[Json], _Read], missing: Json
) -> _Read:
    try:
        return read(content.get(name, missing))
    except MalformedError as error:
        raise error.within(name) from None


@dataclass(frozen=True, slots=True)
class _Plan:
    """The decoding rules of one kind of node."""

    kind: Kind
    name: str
    size: int
    """Number of members of a complete node."""
    fields: tuple[tuple[str, type], ...]
    groups: tuple[tuple[str, Shape], ...]
    check: Callable[[Node, int], None] | None
    is_single: bool
    """Whether a node has one plain field and nothing else, like most."""

    @classmethod
    def of(cls, name: str, kind: Kind) -> _Plan:
        """Return the plan for one row of the table."""
        size = 1 + len(kind.fields) + len(kind.groups)
        is_single = size == 2 and bool(kind.fields)
        return cls(kind, name, size, kind.fields, kind.groups, CHECKS.get(name), is_single)

    def present(
        self, document: dict[str, Json]
    ) -> tuple[list[tuple[str, type]], list[tuple[str, Shape]]]:
        """Return the fields and groups that an incomplete node has."""
        names = [name for name, _ in (*self.fields, *self.groups)]
        unknown = document.keys() - {"kind", *names}
        if unknown:
            raise MalformedError("", f"unknown field {min(unknown)[:40]}")
        missing = set(names) - document.keys() - self.kind.optional
        if missing:
            raise MalformedError("", f"{self.name} without {', '.join(sorted(missing))}")
        return (
            [field for field in self.fields if field[0] in document],
            [group for group in self.groups if group[0] in document],
        )


_PLANS = {name: _Plan.of(name, kind) for name, kind in KINDS.items()}


class _Reader:
    """Converts JSON to values, and counts values and object members."""

    def __init__(self, shared: int, *, has_escapes: bool) -> None:
        self.counted = 0
        self._shared = shared
        self._has_escapes = has_escapes
        self._left = MAX_VALUES

    def value(self, content: Json) -> Value:
        """Decode a value. Every node in it has a known kind and that kind's fields."""
        return self.values([content])[0]

    def values(self, content: Json) -> tuple[Value, ...]:
        """Decode a list of values."""
        if type(content) is not list:
            raise MalformedError("", "no list")
        self._left -= len(content)
        if self._left < 0:
            raise MalformedError("", "too many values")
        types = set(map(type, content))
        if list in types:
            raise MalformedError("", "a bare list")
        if self._has_escapes and str in types:
            for item in content:
                if type(item) is str:
                    _check_text(item)
        if types <= _PLAIN:
            return cast("tuple[Value, ...]", tuple(content))
        node = self._node
        return tuple([node(item) if type(item) is dict else item for item in content])  # type: ignore[misc]

    def text(self, content: Json) -> str:
        """Decode a text."""
        if type(content) is not str:
            raise MalformedError("", "no text")
        if self._has_escapes:
            _check_text(content)
        return content

    def texts(self, content: Json) -> tuple[str, ...]:
        """Decode a list of texts."""
        if type(content) is not list:
            raise MalformedError("", "no list")
        return tuple(map(self.text, content))

    def named(self, content: Json) -> tuple[tuple[str, Value], ...]:
        """Decode pairs of a unique name and a value."""
        keys, values = self._named(content)
        return tuple(zip(keys, values, strict=True))

    def printed(self, content: Json) -> str | Node:
        """Decode a text, or the node of a text that is too long or broken."""
        found = self.value(content)
        if isinstance(found, Node) and found.kind in {"long", "str", "cut"}:
            return found
        if not isinstance(found, str):
            raise MalformedError("", "no text")
        return found

    def shared(self, content: Json) -> tuple[Node, ...]:
        """Decode the shared nodes; none of them is itself a reference."""
        found: list[Node] = []
        for position, item in enumerate(self.values(content)):
            if not isinstance(item, Node) or item.kind == "ref":
                raise MalformedError(f"[{position}]", "no node")
            found.append(item)
        return tuple(found)

    def _node(self, document: dict[str, Json]) -> Node:
        self.counted += len(document)
        name = document.get("kind")
        plan = _PLANS.get(name) if type(name) is str else None
        if plan is None:
            raise MalformedError("", f"unknown kind {str(name)[:40]}")
        if plan.is_single and len(document) == 2:
            node = _single(plan, document)
        else:
            node = self._with_children(plan, document)
        if self._has_escapes:
            for _, item in node.fields:
                if type(item) is str:
                    _check_text(item)
        if plan.check is not None:
            plan.check(node, self._shared)
        return node

    def _with_children(self, plan: _Plan, document: dict[str, Json]) -> Node:
        wanted, groups = plan.fields, plan.groups
        if len(document) != plan.size:
            wanted, groups = plan.present(document)
        try:
            fields = tuple([(n, _field(document[n], of)) for n, of in wanted])
            children = tuple([self._group(n, shape, document[n]) for n, shape in groups])
        except KeyError:
            plan.present(document)
            raise
        return _made_node(Node, (plan.name, fields, children))

    def _group(self, name: str, shape: Shape, content: Json) -> Group:
        try:
            match shape:
                case "nodes" | "set":
                    return _made_group(Group, (name, shape, (), self.values(content)))
                case "named":
                    return _made_group(Group, (name, shape, *self._named(content)))
                case "pairs" | "dict":
                    keys, values = _unzipped(content)
                    return _made_group(Group, (name, shape, self.values(keys), self.values(values)))
                case "node":
                    return _made_group(Group, (name, shape, (), self.values([content])))
        except MalformedError as error:
            raise error.within(name) from None

    def _named(self, content: Json) -> tuple[tuple[str, ...], tuple[Value, ...]]:
        names, values = _unzipped(content)
        if len(set(map(type, names)) - {str}):
            raise MalformedError("", "no text")
        keys = cast("list[str]", names)
        if len(set(keys)) != len(keys):
            raise MalformedError("", "a name stands twice")
        if self._has_escapes:
            for key in keys:
                _check_text(key)
        return tuple(keys), self.values(values)


def _single(plan: _Plan, document: dict[str, Json]) -> Node:
    ((name, wanted),) = plan.fields
    if name not in document:
        plan.present(document)
    return _made_node(Node, (plan.name, ((name, _field(document[name], wanted)),), ()))


def _unzipped(content: Json) -> tuple[list[Json], list[Json]]:
    """Return the keys and the values of a list of pairs."""
    if type(content) is not list:
        raise MalformedError("", "no list")
    keys: list[Json] = []
    values: list[Json] = []
    for pair in content:
        if type(pair) is not list or len(pair) != 2:
            raise MalformedError("", "no pair")
        keys.append(pair[0])
        values.append(pair[1])
    return keys, values


def _field(content: Json, wanted: type) -> Field:
    if wanted is tuple:
        return sizes(content)
    if type(content) is not wanted:
        raise MalformedError("", f"no {wanted.__name__}")
    return cast("Field", content)


def _truth(content: Json) -> bool:
    if type(content) is not bool:
        raise MalformedError("", "neither true nor false")
    return content


def _check_text(text: str) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:  # honest records send such texts as `str` nodes
            raise MalformedError("", "half a character") from error
