"""Encode numbers, texts, bytes, and builtin containers.

Leaves are written at once; containers become nodes. Each writer reads through the builtin type's
own methods, so it serves subclasses as well.
"""

from __future__ import annotations

import builtins
from collections import OrderedDict, deque
from hashlib import sha256
from types import MappingProxyType

from ... import raw
from ..nodes import Group, Node, field, leaf, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from ...raw import Class, Raw
    from ..nodes import Child
    from ..value_encoder import ValueEncoder, Write

    Iterates: TypeAlias = Callable[[Raw], Iterable[Raw]]

__builtins__ = dict(vars(builtins))

MAX_LEAF = 256 << 10
"""Longest text or byte string that is sent; a longer one is known by length, start and checksum."""

_START = 200
_SMALL = 1 << 63
_MAX_BITS = 1 << 20


def _none(value: Raw) -> str:
    return "null"


def _bool(value: Raw) -> str:
    return "true" if value else "false"


def _int(value: Raw) -> str:
    if -_SMALL <= value < _SMALL:
        return int.__repr__(value)
    bits = value.bit_length()
    if bits > _MAX_BITS:
        content = value.to_bytes(bits // 8 + 1, "little", signed=True)
        return _long("int", bits, content, "")
    return leaf("int", field("hex", hex(value)))


def _float(value: Raw) -> str:
    return leaf("float", field("value", float.__repr__(value)))


def _complex(value: Raw) -> str:
    real, imag = float.__repr__(value.real), float.__repr__(value.imag)
    return leaf("complex", field("real", real), field("imag", imag))


def _str(value: Raw) -> str:
    if len(value) > MAX_LEAF:
        content = value.encode("utf-8", "surrogatepass")
        return _long("str", len(value), content, value[:_START])
    if value.isascii():
        return quoted(value)
    try:
        value.encode()
    except UnicodeEncodeError:
        # adjacent lone surrogates would be decoded as one character
        return leaf("str", field("hex", value.encode("utf-8", "surrogatepass").hex()))
    return quoted(value)


def _bytes(value: Raw) -> str:
    if len(value) > MAX_LEAF:
        return _long("bytes", len(value), value, value[:_START].hex())
    return leaf("bytes", field("hex", value.hex()))


def _long(of: str, length: int, content: bytes, start: str) -> str:
    start = start.encode("ascii", "backslashreplace").decode()
    return leaf(
        "long",
        field("of", of),
        field("length", length),
        field("sha256", sha256(content).hexdigest()),
        field("start", start),
    )


def _constant(name: str) -> Callable[[Raw], str]:
    text = leaf("constant", field("name", name))
    return lambda _: text


LEAVES: dict[int, Callable[[Raw], str]] = {
    id(type(None)): _none,
    id(bool): _bool,
    id(int): _int,
    id(float): _float,
    id(complex): _complex,
    id(str): _str,
    id(bytes): _bytes,
    id(type(Ellipsis)): _constant("Ellipsis"),
    id(type(NotImplemented)): _constant("NotImplemented"),
}
"""Writers for values of exactly this type, by address, since types may be hostile, too."""

_real: Callable[[Raw], float] = vars(complex)["real"].__get__
_imaginary: Callable[[Raw], float] = vars(complex)["imag"].__get__

EXACT: dict[int, Callable[[Raw], Raw]] = {
    id(int): int.__index__,
    id(float): float.__float__,
    id(complex): lambda value: complex(_real(value), _imaginary(value)),
    id(str): str.__str__,
    id(bytes): lambda value: bytes.__getitem__(value, slice(None)),
}
"""Functions that return the builtin value inside an instance of a subclass."""


_list_iter: Iterates = vars(list)["__iter__"]
_tuple_iter: Iterates = vars(tuple)["__iter__"]
_set_iter: Iterates = vars(set)["__iter__"]
_frozenset_iter: Iterates = vars(frozenset)["__iter__"]
_deque_iter: Iterates = vars(deque)["__iter__"]
_ordered_iter: Iterates = vars(OrderedDict)["__iter__"]


def _list(encoder: ValueEncoder, value: Raw) -> Node:
    return Node("list", (), (Group("items", "nodes", list(_list_iter(value))),))


def _tuple(encoder: ValueEncoder, value: Raw) -> Node:
    return Node("tuple", (), (Group("items", "nodes", list(_tuple_iter(value))),))


def _set(encoder: ValueEncoder, value: Raw) -> Node:
    return Node("set", (), (Group("items", "set", list(_set_iter(value))),))


def _frozenset(encoder: ValueEncoder, value: Raw) -> Node:
    return Node("frozenset", (), (Group("items", "set", list(_frozenset_iter(value))),))


def _dict(encoder: ValueEncoder, value: Raw) -> Node:
    return Node("dict", (), (Group("items", "dict", list(raw.dict_items(value))),))


def _ordered_dict(encoder: ValueEncoder, value: Raw) -> Node:
    pairs = list(raw.dict_items(value))
    if all(id(raw.class_of(key)) in LEAVES for key, _ in pairs):
        # its own order may differ from the dictionary's; walking it hashes the keys
        found = dict(pairs)
        pairs = [(key, found[key]) for key in _ordered_iter(value)]
    node = Node("ordered_dict", (), (Group("items", "pairs", pairs),))
    return Node("object", (field("type", "collections.OrderedDict"),), _wrapped(node))


def _wrapped(node: Node) -> tuple[Group, Group]:
    return (Group("base", "node", [node]), Group("state", "named", []))


def _bytearray(encoder: ValueEncoder, value: Raw) -> Node:
    return encoder.value(bytearray, bytes=bytes(bytearray.__getitem__(value, slice(None))))


def _memoryview(encoder: ValueEncoder, value: Raw) -> Node:
    return encoder.value(
        memoryview,
        bytes=value.tobytes(),
        format=value.format,
        shape=value.shape,
        readonly=value.readonly,
    )


def _range(encoder: ValueEncoder, value: Raw) -> Node:
    return encoder.value(range, start=value.start, stop=value.stop, step=value.step)


def _slice(encoder: ValueEncoder, value: Raw) -> Node:
    return encoder.value(slice, start=value.start, stop=value.stop, step=value.step)


def _deque(encoder: ValueEncoder, value: Raw) -> Node:
    items = list(_deque_iter(value))
    return encoder.value(deque, items=items, maxlen=deque.maxlen.__get__(value))


def _proxy(encoder: ValueEncoder, value: Raw) -> Node:
    from gc import get_referents

    (inner,) = get_referents(value)
    return encoder.value(MappingProxyType, mapping=inner)


def _view(kind: str, shape: str) -> Write:
    def write(encoder: ValueEncoder, value: Raw) -> Node:
        node = Node(kind, (), (Group("items", shape, list(value)),))
        return encoder.value(type(value), items=node)

    return write


def _plain_object(encoder: ValueEncoder, value: Raw) -> Node:
    return Node("object", (field("type", "object"),), (Group("state", "named", []),))


def _generic() -> dict[Class, Write]:
    """Return the writers of generic types, typed by class, since parameters do not matter."""
    return {
        list: _list,
        tuple: _tuple,
        set: _set,
        frozenset: _frozenset,
        dict: _dict,
        OrderedDict: _ordered_dict,
        deque: _deque,
        MappingProxyType: _proxy,
    }


CONTAINERS: tuple[tuple[Class, Callable[[ValueEncoder, Raw], Child]], ...] = (
    *_generic().items(),
    (bytearray, _bytearray),
    (memoryview, _memoryview),
    (range, _range),
    (slice, _slice),
    (raw.class_of({}.keys()), _view("set", "set")),
    (raw.class_of({}.items()), _view("set", "set")),
    (raw.class_of({}.values()), _view("list", "nodes")),
    (object, _plain_object),
)
"""Writers for exact types that become nodes; all but `object` serve subclasses, too."""
