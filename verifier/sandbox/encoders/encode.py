"""Encode values as canonical JSON: exact types, no addresses, no pickles, without running their
code.

An `Encoder` turns any number of values into one graph of nodes. The trusted half lists the kinds of
node with their fields (`observation/node_kinds.py`) and refuses everything else. Unreadable values
are *opaque*, values over a limit are *cut*; both make the evidence partial.
"""

from __future__ import annotations

import builtins
import types

from .. import raw
from . import closures
from .classes import Classes
from .kinds import (
    encode_arrays,
    encode_builtins,
    encode_code,
    encode_library,
    encode_library_state,
    encode_reduced,
    encode_tensors,
)
from .nodes import Group, Node, Writer, copied, field, leaf, put_in_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from ..raw import Class, Raw
    from .nodes import Child, Remembered
    from .value_encoder import Entry, ValueEncoder, Write

__builtins__ = dict(vars(builtins))

MAX_NODES = 100_000
MAX_DEPTH = 2_000
MAX_TEXT = 8 << 20
"""Most characters of all texts and numbers of one observation."""

_EACH = 8
"""Overhead counted for every text and number, since it takes room on the other side."""

_FUNCTION = types.FunctionType
_PLAIN: tuple[Class, ...] = (list, dict, set, tuple, frozenset, object)
"""Builtin classes whose instances are known by their contents."""
_CONTENTS = ("list", "tuple", "set", "frozenset", "dict", "iterator", "closure")
"""Kinds whose children are values in their own right, so that iterators among them are driven."""


class Encoder:
    """Collects values, then writes them; one encoder for each observation.

    `own_names` are the possible names of the script's module, or knowledge about classes. With
    `drives`, iterators among the values are run to their end, the only case in which foreign code
    runs; it runs under `trace`, if given. An object in `remembered`, by id, is written as described
    there.
    """

    def __init__(
        self,
        own_names: Collection[str] | Classes = (),
        drives: bool = False,
        max_nodes: int = MAX_NODES,
        trace: Raw = None,
        remembered: Mapping[int, Remembered] | None = None,
    ) -> None:
        self.nodes: list[Node] = []
        self.trace = trace
        self.after_first: Callable[[], None] | None = None
        """Called once the first driven iterator has given its first item."""
        self._classes = own_names if isinstance(own_names, Classes) else Classes(own_names)
        self._drives = drives
        self._known: dict[int, Node] = {}
        self._kept: list[Raw] = []
        self._max_nodes = max_nodes
        self._remembered = remembered
        self._text_left = MAX_TEXT
        self.closures = 0
        """Number of functions called."""

    def add(self, value: Raw) -> Child:
        """Add a value. Return the child for it; its text is available once all are added."""
        first = len(self.nodes)
        child = self._child(value, 0, self._drives)
        position = first
        while position < len(self.nodes):
            self._resolve(self.nodes[position])
            position += 1
        return child

    def described(self, value: Raw) -> Child:
        """Encode an object by itself, with the objects that it holds as parts."""
        return self._described(value, raw.class_of(value), drives=False)

    def writer(self) -> Writer:
        """Return a writer for the added values; nothing can be added afterwards."""
        put_in_order(self.nodes)
        return Writer()

    def _resolve(self, node: Node) -> None:
        drives = node.drives and node.kind in _CONTENTS
        depth = node.depth + 1
        for group in node.groups:
            if group.shape == "named":
                group.entries = [(n, self._child(v, depth, drives)) for n, v in group.entries]
            elif group.shape in ("pairs", "dict"):
                group.entries = [
                    (self._child(k, depth, drives), self._child(v, depth, drives))
                    for k, v in group.entries
                ]
            else:
                group.entries = [self._child(v, depth, drives) for v in group.entries]

    def _child(self, value: Raw, depth: int, drives: bool) -> Child:
        cls = raw.class_of(value)
        write = encode_builtins.LEAVES.get(id(cls))
        if write is not None:
            return self._counted(write(value))
        if cls is Node:
            return self._taken(value, depth, drives)
        address = id(value)
        known = self._known.get(address)
        if known is not None:
            known.uses += 1
            return known
        if len(self.nodes) >= self._max_nodes or depth > MAX_DEPTH:
            return leaf("cut", field("why", "size" if depth <= MAX_DEPTH else "depth"))
        self._kept.append(value)  # otherwise its address could be reused
        before = self._remembered.get(address) if self._remembered is not None else None
        node = self._described(value, cls, drives) if before is None else copied(before.child)
        if isinstance(node, str):
            return self._counted(node)
        self._known[address] = node
        return self._taken(node, depth, drives)

    def _taken(self, node: Node, depth: int, drives: bool) -> Node:
        node.uses += 1
        node.depth = depth
        node.drives = drives
        for _, text in node.scalars:
            self._counted(text)
        self.nodes.append(node)
        return node

    def _counted(self, text: str) -> str:
        self._text_left -= len(text) + _EACH
        return text if self._text_left >= 0 else leaf("cut", field("why", "size"))

    def _described(self, value: Raw, cls: Class, drives: bool) -> Child:
        try:
            return self._describe(value, cls, drives)
        except Exception as error:  # noqa: BLE001 - a broken object is no reason to lose the rest
            return self.opaque(cls, f"unreadable: {raw.class_names(type(error))[1]}")

    def _describe(self, value: Raw, cls: Class, drives: bool) -> Child:
        if drives and cls is _FUNCTION:
            return closures.closure(self, value)
        if id(cls) in encode_code.ITERATORS:
            return encode_code.iterator(self, value) if drives else self.opaque(cls, "not driven")
        return self._classes.writer(cls, _writer)(self, value)

    def layout(self, cls: Class) -> raw.Layout:
        """Return how instances of the class keep their state."""
        return self._classes.layout(cls)

    def label(self, cls: Class) -> str:
        """Return the name of a class, followed by `(local)` if the name does not lead to it."""
        return self._classes.label(cls)

    def name(self, module: str, qualname: str) -> str:
        """Return a dotted name with a fixed label for the script's module."""
        return self._classes.name(module, qualname)

    def opaque(self, cls: Class, reason: str, name: str = "") -> Node:
        """Return a node for an unreadable value; the reason is for people."""
        fields = [field("type", self.label(cls)), field("why", reason)]
        if name:
            fields.append(field("name", name))
        return Node("opaque", fields)

    def value(self, cls: Class, /, **parts: Raw) -> Node:
        """Return a node for a value that is known by named parts."""
        groups = (Group("parts", "named", list(parts.items())),)
        return Node("value", (field("type", self.label(cls)),), groups)


def encode(
    value: Raw,
    own_names: Collection[str] | Classes = (),
    drives: bool = False,
    max_nodes: int = MAX_NODES,
) -> str:
    """Return one value and its shared nodes as a JSON text."""
    encoder = Encoder(own_names, drives, max_nodes)
    child = encoder.add(value)
    writer = encoder.writer()
    text = writer.text(child)
    return f'{{"value":{text},"shared":{writer.shared()}}}'


def _writer(cls: Class, classes: Classes) -> Write:
    """Return the writer for instances of a class."""
    exact = _TABLE.get(id(cls))
    if exact is not None:
        return exact
    if raw.derives(cls, type):
        return encode_code.named_class
    if raw.derives(cls, BaseException):
        return encode_library.exception
    if raw.derives(cls, encode_library.ENUM):
        return encode_library.enum_member
    third_party = _third_party(cls, classes)
    if third_party is not None:
        return third_party
    bases = ((base, _base_encoder(base, classes)) for base in raw.mro(cls))
    base, write = next((pair for pair in bases if pair[1] is not None), (None, None))
    unsaid = encode_library_state.unsaid_of(cls)

    def instance(encoder: ValueEncoder, value: Raw) -> Child:
        return _instance(encoder, value, base, write, unsaid)

    return instance


def plain_base(cls: Class, classes: Classes) -> Class | None:
    """Return the builtin class whose contents, with a namespace, are all that an instance holds.

    `None` if there may be more: slots, C code, or a special encoding.
    """
    if any(cls is base for base in _PLAIN[:-1]):
        return cls
    if not raw.is_python_class(cls) or not classes.is_unchanged(cls):
        return None
    own_way = (type, BaseException, encode_library.ENUM)
    fixed = [each for each in raw.mro(cls) if not raw.is_python_class(each)]
    if (
        classes.layout(cls).members
        or any(raw.derives(cls, each) for each in own_way)
        or not all(any(each is base for base in _PLAIN) for each in fixed)
        or any(_third_party(each, classes) is not None for each in raw.mro(cls))
    ):
        return None
    return fixed[0]


def _instance(
    encoder: ValueEncoder,
    value: Raw,
    base: Class | None,
    write: Entry | None,
    unsaid: frozenset[str],
) -> Child:
    """Encode an object by its state, and by a base's contents that have a special encoding."""
    cls = raw.class_of(value)
    layout = encoder.layout(cls)
    state = layout.state(value)
    if unsaid:
        state = [pair for pair in state if pair[0] not in unsaid]
    groups = [Group("state", "named", state)]
    if write is not None:
        written = write(encoder, value)
        groups[0].entries = [
            pair for pair in groups[0].entries if not encode_arrays.is_internal(base, pair[0])
        ]
        if type(written) is Node and written.kind == "opaque" and not groups[0].entries:
            return written
        groups.insert(0, Group("base", "node", [written]))
    elif layout.hides(None) and not encode_library.is_visible(cls):
        return encoder.opaque(cls, "keeps state out of sight")
    if base is not None and layout.hides(base):
        return encoder.opaque(cls, "keeps state out of sight")
    return Node("object", (field("type", encoder.label(cls)),), groups)


def _base_encoder(cls: Class, classes: Classes) -> Entry | None:
    exact = encode_builtins.EXACT.get(id(cls))
    if exact is not None:
        return lambda _, value: exact(value)
    if cls is object:
        return None
    return _TABLE.get(id(cls)) or _third_party(cls, classes)


def _third_party(cls: Class, classes: Classes) -> Write | None:
    kinds = (encode_arrays, encode_tensors, encode_library_state)
    found = next((found for kind in kinds if (found := kind.encoder_of(cls)) is not None), None)
    if found is None and classes.layout(cls).hides(None) and not encode_library.is_visible(cls):
        return encode_reduced.encoder_of(cls)
    return found


_TABLE: dict[int, Write] = {
    id(cls): write
    for table in (encode_builtins.CONTAINERS, encode_library.VALUES, encode_code.NAMED)
    for cls, write in table
}
