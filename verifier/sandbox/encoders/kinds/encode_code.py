"""Encode code: classes and functions by qualified name, iterators by the items they yield."""

from __future__ import annotations

import array
import builtins
import collections
import contextlib
import functools
import itertools
import re
import struct
import sys
import types
import typing

from ... import raw
from ..nodes import Group, Node, field, leaf
from ..sent_generators import MOST_SENT, end_of_athrown, end_of_thrown, stepping, takes_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from ...raw import Class, Raw
    from ..nodes import Child
    from ..value_encoder import ValueEncoder

    Ended: TypeAlias = tuple[list[Raw], str, Raw]

__builtins__ = dict(vars(builtins))

MAX_ITEMS = 1_000
"""Most items taken from an iterator."""

_settrace = sys.settrace
_function_name = types.FunctionType.__dict__["__qualname__"].__get__
_function_module = types.FunctionType.__dict__["__module__"].__get__
_module_dict: Callable[[Raw], dict[str, Raw]] = vars(types.ModuleType)["__dict__"].__get__


def _named(encoder: ValueEncoder, of: str, module: Raw, qualname: Raw, value: Raw) -> Child:
    """Return a leaf if the name leads back to the object; else an opaque node."""
    module, qualname = raw.exact_text(module) or "?", raw.exact_text(qualname) or "?"
    name = encoder.name(module, qualname)
    if not raw.leads_to(module, qualname, value):
        return encoder.opaque(type(value), "its name does not lead to it", name)
    return leaf("named", field("of", of), field("name", name))


def named_class(encoder: ValueEncoder, value: Raw) -> Child:
    """Encode a class by its name."""
    if raw.is_python_class(value):
        return _named(encoder, "class", *raw.class_names(value), value)
    return leaf("named", field("of", "class"), field("name", encoder.label(value)))


def function(encoder: ValueEncoder, value: Raw) -> Child:
    """Encode a function by its name."""
    return _named(encoder, "function", _function_module(value), _function_name(value), value)


def _cached_function(encoder: ValueEncoder, value: Raw) -> Child:
    items = dict(encoder.layout(type(value)).namespace_items(value))
    return _named(encoder, "function", items.get("__module__"), items.get("__qualname__"), value)


def _module(encoder: ValueEncoder, value: Raw) -> Child:
    name = raw.exact_text(raw.dict_item(_module_dict(value), "__name__")) or "?"
    if raw.module_dict(name) is not _module_dict(value):
        return encoder.opaque(type(value), "its name does not lead to it", name)
    shown = encoder.name(name, "")[:-1] if name != "builtins" else name
    return leaf("named", field("of", "module"), field("name", shown))


def _method(encoder: ValueEncoder, value: Raw) -> Node:
    return encoder.value(types.MethodType, self=value.__self__, function=value.__func__)


def _builtin_function(encoder: ValueEncoder, value: Raw) -> Child:
    owner = value.__self__
    if owner is None or type(owner) is types.ModuleType:
        module, name = raw.exact_text(value.__module__) or "?", value.__name__
        return leaf("named", field("of", "function"), field("name", encoder.name(module, name)))
    return encoder.value(types.BuiltinFunctionType, self=owner, name=value.__name__)


def _descriptor(encoder: ValueEncoder, value: Raw) -> str:
    name = f"{encoder.label(value.__objclass__)}.{value.__name__}"
    return leaf("named", field("of", "function"), field("name", name))


def _special_form(encoder: ValueEncoder, value: Raw) -> Child:
    name = dict(encoder.layout(type(value)).state(value)).get("_name")
    return _named(encoder, "class", "typing", name, value)


NAMED = (
    (type(typing.Union), _special_form),
    (type(typing.NoReturn), _special_form),
    (types.FunctionType, function),
    (type(functools.lru_cache(len)), _cached_function),
    (types.ModuleType, _module),
    (types.MethodType, _method),
    (types.BuiltinFunctionType, _builtin_function),
    (types.MethodDescriptorType, _descriptor),
    (types.WrapperDescriptorType, _descriptor),
    (types.MemberDescriptorType, _descriptor),
    (types.GetSetDescriptorType, _descriptor),
    (types.ClassMethodDescriptorType, _descriptor),
)
"""Types of code objects, and how each is named."""


def iterator(encoder: ValueEncoder, value: Raw) -> Child:
    """Run an iterator to its end: its items, how it ended, and with what.

    For a context manager made from a generator this is the generator: entered, then left.
    """
    cls = raw.class_of(value)
    driven: Raw = value.__dict__["gen"] if id(cls) in _CONTEXTS else value
    if driven is not value and raw.class_of(driven) not in _GENERATORS:
        return encoder.opaque(cls, "no generator")  # it was replaced by something else
    after_first, encoder.after_first = encoder.after_first, None
    if encoder.trace is None:
        items, end, last = _ended(driven, after_first)
    else:
        items, end, last = _traced(driven, encoder.trace, after_first)
    shape = "set" if cls is _SET_ITERATOR else "nodes"
    label = encoder.label(cls)
    if driven is value and cls in _GENERATORS:
        label += sending(value)
    return yielded(label, items, end, last, shape)


def sending(generator: Raw) -> str:
    """Return the suffix for generators to which values are sent, since that changes the items."""
    return ".send" if takes_values(generator) else ""


def _traced(value: Raw, trace: Raw, after_first: Raw) -> Ended:
    """Run an iterator with arcs collected; nothing else of the sandbox is traced."""
    _settrace(trace)
    try:
        return _ended(value, after_first)
    finally:
        _settrace(None)


def _ended(value: Raw, after_first: Raw = None) -> Ended:
    cls = raw.class_of(value)
    if cls is types.CoroutineType:
        return _run(_awaited(value))
    if cls is types.AsyncGeneratorType:
        return _run(collected(value))
    return _drained(value, after_first)


def yielded(label: str, items: list[Raw], end: str, last: Raw, shape: str = "nodes") -> Node:
    """Return the node of an iterator that was run."""
    fields = (field("type", label), field("end", end))
    return Node("iterator", fields, (Group("items", shape, items), Group("last", "node", [last])))


def _drained(value: Raw, after_first: Raw) -> Ended:
    items: list[Raw] = []
    cls = raw.class_of(value)
    is_grouped = cls is itertools.groupby
    is_given = cls is types.GeneratorType and takes_values(value)
    step = stepping(value) if is_given else functools.partial(next, value)
    while len(items) < (MOST_SENT if is_given else MAX_ITEMS):
        try:
            item: Raw = step()
            if is_grouped:  # a group is invalid once the next one begins
                item = (item[0], _first_items(item[1]))
            items.append(item)
            if after_first is not None and len(items) == 1:
                after_first()
        except StopIteration as stop:
            return items, "returned", stop.value
        except BaseException as error:  # noqa: BLE001 - whatever it raises is its end
            return items, "raised", error
    if is_given:
        more, end, last = end_of_thrown(value)
        return [*items, *more], end, last
    return items, "cut", None


def _first_items(values: Iterable[Raw]) -> list[Raw]:
    return list(itertools.islice(values, MAX_ITEMS))


async def _awaited(coroutine: Raw) -> Ended:
    try:
        return [], "returned", await coroutine
    except BaseException as error:  # noqa: BLE001 - whatever it raises is its end
        return [], "raised", error


async def collected(generator: Raw) -> Ended:
    """Return an asynchronous generator's items, how it ends, and with what."""
    items: list[Raw] = []
    is_given = takes_values(generator)
    step = stepping(generator) if is_given else generator.__anext__
    while len(items) < (MOST_SENT if is_given else MAX_ITEMS):
        try:
            items.append(await step())
        except StopAsyncIteration:
            return items, "returned", None
        except BaseException as error:  # noqa: BLE001 - whatever it raises is its end
            return items, "raised", error
    if is_given:
        more, end, last = await end_of_athrown(generator)
        return [*items, *more], end, last
    return items, "cut", None


def _run(coroutine: Raw) -> Ended:
    import asyncio

    return asyncio.run(coroutine)


_SET_ITERATOR = raw.class_of(iter(set[int]()))

_MAPPING: dict[int, int] = {}
_SEQUENCES: tuple[Raw, ...] = ([0], (0,), "", b"", bytearray(), range(1), range(1 << 70), "é", {0})
_VIEWS: tuple[Raw, ...] = (_MAPPING, _MAPPING.values(), _MAPPING.items())
_ORDERED: collections.OrderedDict[int, int] = collections.OrderedDict()
_DEQUE: collections.deque[int] = collections.deque()
_KINDS: tuple[Class, ...] = (
    types.GeneratorType,
    types.CoroutineType,
    types.AsyncGeneratorType,
    *(raw.class_of(iter(value)) for value in (*_SEQUENCES, *_VIEWS)),
    *(raw.class_of(reversed(value)) for value in (*_SEQUENCES[:2], *_VIEWS)),
    *(raw.class_of(iter(value)) for value in (_ORDERED, _DEQUE, array.array("b"), memoryview(b""))),
    *(raw.class_of(reversed(value)) for value in (_ORDERED, _DEQUE)),
    raw.class_of(struct.iter_unpack("b", b"")),
    raw.class_of(re.finditer("", "")),
    raw.class_of(iter(int, 1)),
    map,
    filter,
    zip,
    enumerate,
    reversed,
    *(item for item in vars(itertools).values() if isinstance(item, type)),
)

_CONTEXTS = frozenset(
    id(vars(contextlib)[f"_{kind}GeneratorContextManager"]) for kind in ("", "Async")
)
"""Types that functions under `contextlib.contextmanager` and `asynccontextmanager` return."""
PLAIN_ITERATORS = frozenset(_KINDS) - {types.CoroutineType, types.AsyncGeneratorType}
"""Exact types of iterators that are only iterated over."""
_GENERATORS = (types.GeneratorType, types.AsyncGeneratorType)
"""Types of generators that such objects hold, unless replaced."""
ITERATORS = frozenset(id(cls) for cls in _KINDS) | _CONTEXTS
"""Exact types of the interpreter's own iterators, by address; an instance of a class with
`__next__` is an ordinary object."""
