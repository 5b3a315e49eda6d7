"""What the carried form of arguments is made of; shared by the encoder and the decoder.

A graph of objects is a list of *nodes*, tuples whose first item names the kind. A value inside
a node is either an atom, as itself, or a list that holds the number of another node. Everything is
of the types that `marshal` writes, so no code runs when a recording is read.
"""

from __future__ import annotations

import base64
import dis
import inspect
import io
import marshal
import re
import sys
import threading
import types
import zlib
from collections import OrderedDict, defaultdict, deque
from collections.abc import Sequence
from enum import IntFlag

ATOMS = frozenset({type(None), bool, int, float, complex, str, bytes, type(...)})

PAYLOADS: tuple[type, ...] = (
    OrderedDict,
    defaultdict,
    deque,
    dict,
    list,
    tuple,
    set,
    frozenset,
    str,
    bytes,
    bytearray,
    bool,
    int,
    float,
    complex,
    io.BytesIO,
    io.StringIO,
    BaseException,
    types.ModuleType,
    property,
)
"""Built-in bases whose content lies outside of `__dict__` and slots; more derived ones first."""

LOCKS: dict[type, str] = {type(threading.Lock()): "Lock", type(threading.RLock()): "RLock"}


class UncarriedTouchedError(BaseException):
    """The call used a part of its arguments that could not be carried.

    Not an `Exception`, so that the code under test does not catch it and go on.
    """


TOUCHED: list[str] = []
"""Which holes the current call used; read by the worker after the call."""


def touch(hole: object, *_args: object, **_kwargs: object) -> object:
    """Note why a hole or a placeholder cannot be used, and stop the call."""
    reason = object.__getattribute__(hole, "reason")
    TOUCHED.append(reason)
    raise UncarriedTouchedError(reason)


class Hole:
    """Stands where a value could not be carried; whoever uses it, stops the call."""

    __slots__ = ("__weakref__", "reason")

    def __init__(self, reason: str) -> None:
        object.__setattr__(self, "reason", reason)

    __getattribute__ = __setattr__ = __delattr__ = touch
    __call__ = __iter__ = __next__ = __len__ = __contains__ = __getitem__ = __setitem__ = touch
    __bool__ = __str__ = __repr__ = __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = touch
    __enter__ = __exit__ = __aenter__ = __aexit__ = __await__ = __aiter__ = __anext__ = touch
    __add__ = __radd__ = __or__ = __ror__ = __and__ = __mul__ = __mod__ = __index__ = touch
    __instancecheck__ = __subclasscheck__ = __fspath__ = __int__ = __float__ = __hash__ = touch
    __mro_entries__ = __format__ = __bytes__ = __reversed__ = __sub__ = __truediv__ = touch


def base_of(cls: type) -> type:
    """The built-in base that holds the content of instances of `cls`, or `object`."""
    mro = type.__dict__["__mro__"].__get__(cls)
    return next((base for base in PAYLOADS if base in mro), object)


def dict_of(value: object) -> dict[str, object] | None:
    """The true `__dict__` of an instance, whatever its class says about that name."""
    for cls in type.__dict__["__mro__"].__get__(type(value)):
        found = type.__dict__["__dict__"].__get__(cls).get("__dict__")
        if isinstance(found, types.GetSetDescriptorType):
            return found.__get__(value)
    return None


def slots_of(value: object) -> dict[str, object]:
    """What the slots of an instance hold, by attribute name (mangled where it is private)."""
    found: dict[str, object] = {}
    for cls in type.__dict__["__mro__"].__get__(type(value)):
        space = type.__dict__["__dict__"].__get__(cls)
        for name, member in space.items() if "__slots__" in space else ():
            if isinstance(member, types.MemberDescriptorType) and name not in found:
                try:
                    found[name] = member.__get__(value)
                except AttributeError:
                    continue
    return found


def defining_module(kind: type) -> str:
    """The module whose text has the class statement, where a package gave the class its own name.

    Some packages set `__module__` of what they export; then that name is the package's.
    """
    package = type.__dict__["__module__"].__get__(kind)
    top = type.__dict__["__qualname__"].__get__(kind).partition(".")[0]
    key = (package, top)
    if key not in _DEFINING:
        statement = re.compile(rf"^[ \t]*class {re.escape(top)}\b", re.MULTILINE)
        inside = [m for m in sorted(sys.modules) if m == package or m.startswith(f"{package}.")]
        holding = [m for m in inside if top in vars(sys.modules[m])]
        found = [m for m in holding if statement.search(_source(m))]
        _DEFINING[key] = found[0] if found else package
    return _DEFINING[key]


_DEFINING: dict[tuple[str, str], str] = {}


def _source(module: str) -> str:
    try:
        return inspect.getsource(sys.modules[module])
    except (OSError, TypeError):
        return ""


def packed(graph: object) -> str:
    """A graph as text for one line of JSON."""
    return base64.b64encode(zlib.compress(marshal.dumps(graph), 6)).decode()


def unpacked(text: str) -> object:
    """The graph of such a text."""
    return marshal.loads(zlib.decompress(base64.b64decode(text)))


_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*[.:]\w+(?:\.\w+)*")
_NAMING = frozenset({"ref", "global", "module", "moduleview", "globals"})
"""Nodes whose texts are names already."""
_OF_INSTANCES = frozenset({"raw", "enum", "classattr", "text"})
"""Nodes whose first part is the class of the instance that they stand for."""


class Need(IntFlag):
    """What a name of the package is needed for."""

    INSTANCE = 1
    """A class that an instance belongs to: it need not be called."""
    REBUILD = 2
    """The arguments cannot be made without it: what unpickles, a base of a class of the tests."""
    MENTION = 4
    """Something refers to it."""
    HOLD = 8
    """A class that has an instance somewhere inside of an argument: no call may ever touch it."""


def direct_of(graph: object) -> frozenset[int]:
    """The nodes that are arguments themselves, not parts of arguments."""
    _, positional, named = graph  # pyright: ignore
    values = [*positional, *(value for _, value in named)]  # pyright: ignore
    return frozenset(value[0] for value in values if type(value) is list)  # pyright: ignore


def plain_class(
    nodes: Sequence[tuple[object, ...]], node: tuple[object, ...], own: frozenset[str]
) -> tuple[str, str] | None:
    """The class of the package that a node is an instance of, if all that is in it are attributes.

    What C code reads without asking (items of a list, the text of a string) makes it more.
    """
    if node[0] != "raw" or node[2] != "object":
        return None
    kind = nodes[node[1][0]]  # pyright: ignore
    is_own = kind[0] == "ref" and str(kind[1]).partition(".")[0] in own
    return (str(kind[1]), str(kind[2])) if is_own else None


def eager_names(graph: object, own: frozenset[str]) -> dict[tuple[str, str], Need]:
    """The package's names that rebuilding needs, as module and qualified name.

    What only the globals of a carried function mention is left out: it is needed when that function
    runs, if ever.
    """
    found: dict[tuple[str, str], Need] = {}

    def note(carried: object, need: Need) -> None:
        node = nodes[carried[0]] if type(carried) is list else ("",)  # pyright: ignore
        if node[0] in ("ref", "global") and str(node[1]).partition(".")[0] in own:
            name = (str(node[1]), str(node[2]))
            found[name] = found.get(name, need) | need

    nodes, *stack = graph  # pyright: ignore
    direct = direct_of(graph)
    seen: set[int] = set()
    while stack:
        value = stack.pop()
        if type(value) is tuple:
            stack.extend(value)
        if type(value) is not list:
            continue
        node: tuple[object, ...] = nodes[value[0]]  # pyright: ignore
        note(value, Need.MENTION)
        if value[0] in seen or node[0] in ("globals", "moduleview"):
            continue
        seen.add(value[0])
        if node[0] in _OF_INSTANCES:
            _, kind, *rest = node
            stack.extend(rest)
            inside = value[0] not in direct and plain_class(nodes, node, own)
            note(kind, Need.HOLD if inside else Need.INSTANCE)
            if nodes[kind[0]][0] != "ref":  # pyright: ignore
                stack.append(kind)
        else:
            for part in _needed_parts(node):
                note(part, Need.REBUILD)
            stack.extend(node)
    return found


def spelled_names(graph: object, own: frozenset[str]) -> set[tuple[str, str]]:
    """Names of the package that texts in a graph spell, as `"package.module.name"` does.

    Where the module ends cannot be seen in the text: each way to read it is among them.
    """
    found: set[tuple[str, str]] = set()
    nodes, *stack = graph  # pyright: ignore
    stack.extend(node[1:] for node in nodes if node[0] not in _NAMING)
    while stack:
        value = stack.pop()
        if type(value) is tuple:
            stack.extend(value)
        elif type(value) is str and _DOTTED.fullmatch(value):
            parts = value.replace(":", ".").split(".")
            ways = range(1, len(parts)) if parts[0] in own else ()
            found.update((".".join(parts[:n]), ".".join(parts[n:])) for n in ways)
    return found


def _needed_parts(node: tuple[object, ...]) -> tuple[object, ...]:
    """The parts of a node that must be there for it to be made."""
    match node[0]:
        case "reduce":
            return (node[1], node[6])
        case "class":
            return (node[1], *node[5])  # pyright: ignore
        case "newenum" | "member" | "suspended":
            return (node[1],)
        case _:
            return ()


def mentioned(graph: object, own: frozenset[str]) -> set[tuple[str, str]]:
    """All names of the package in a graph, those included that globals of functions mention."""
    nodes: list[tuple[object, ...]] = graph[0]  # pyright: ignore
    refs = (node for node in nodes if node[0] in ("ref", "global"))
    return {(str(r[1]), str(r[2])) for r in refs if str(r[1]).partition(".")[0] in own}


def arguments_of(
    code: types.CodeType, held: dict[str, object]
) -> tuple[list[object], dict[str, object]]:
    """The arguments of a frame that has just begun, positional and by keyword."""
    names = code.co_varnames
    first, last = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    positional = [held[name] for name in names[:first]]
    named = {name: held[name] for name in names[first:last]}
    if code.co_flags & 0x4:
        positional += held[names[last]]  # pyright: ignore
        last += 1
    if code.co_flags & 0x8:
        named |= held[names[last]]  # pyright: ignore
    return positional, named


def body_starts(code: types.CodeType) -> int:
    """Where a generator stands before its body: at RESUME, after RETURN_GENERATOR, POP_TOP."""
    known = _STARTS.get(code)
    if known is None:
        known = 0
        for instruction in dis.get_instructions(code):
            if instruction.opname == "RETURN_GENERATOR":
                known = instruction.offset + 4
                break
        _STARTS[code] = known
    return known


_STARTS: dict[types.CodeType, int] = {}
