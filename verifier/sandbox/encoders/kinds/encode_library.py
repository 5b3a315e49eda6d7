"""Encode value types of the standard library, enum members, and exceptions.

Each writer reads through the C type's own descriptors, or through library code of that exact class.
It serves subclasses if the type is implemented in C.
"""

from __future__ import annotations

import array
import builtins
import collections
import datetime as dt
import decimal
import functools
import hashlib
import io
import logging
import pathlib
import re
import threading
import types
import uuid
import weakref
from enum import Enum

from ... import raw
from ..nodes import Group, Node, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ...raw import Class, Raw
    from ..value_encoder import ValueEncoder

__builtins__ = dict(vars(builtins))

ENUM = Enum

_HASHES = tuple({type(hashlib.new(name)): None for name in ("sha256", "blake2b", "blake2s")})
_ADDRESS = re.compile(r"(?<=\bat )0x[0-9a-fA-F]{6,}\b")
_substitute = _ADDRESS.sub
_args = BaseException.__dict__["args"].__get__
_cause = BaseException.__dict__["__cause__"].__get__
_context = BaseException.__dict__["__context__"].__get__
_denies_context = BaseException.__dict__["__suppress_context__"].__get__


def without_addresses(text: str) -> str:
    """Return the text without addresses of objects, which differ between runs.

    Other hexadecimal numbers are results of the target.
    """
    return _substitute("0x…", text)


def exception(encoder: ValueEncoder, value: Raw) -> Node:
    """Encode class, arguments, cause, and attributes of an exception; never its text.

    If it was raised while another one was handled, without naming it as cause, also that one's
    class.
    """
    cls = raw.class_of(value)
    args = [without_addresses(a) if type(a) is str else a for a in _args(value)]
    layout = encoder.layout(cls)
    state = layout.namespace_items(value)
    state.extend(_member_items(value, cls))
    state.sort(key=lambda pair: pair[0])
    groups = [Group("args", "nodes", args), Group("state", "named", state)]
    cause = _cause(value)
    fields = [field("type", encoder.label(cls))]
    if cause is not None:
        groups.append(Group("cause", "node", [cause]))
    elif (context := _context(value)) is not None and not _denies_context(value):
        fields.append(field("context", encoder.label(raw.class_of(context))))
    return Node("exception", fields, groups)


_MEMBERS = (
    (OSError, ("filename", "filename2")),
    (ImportError, ("name", "path")),
    (AttributeError, ("name",)),
    (NameError, ("name",)),
)
"""C members of exceptions with more information than their arguments."""


def _member_items(value: Raw, cls: Class) -> list[tuple[str, Raw]]:
    """Return slots of Python classes, and C members with more information than `args`."""
    found: list[tuple[str, Raw]] = []
    for owner in raw.mro(cls):
        for name, item in raw.class_items(owner):
            if type(item) is not types.MemberDescriptorType or item.__objclass__ is not owner:
                continue
            if raw.is_python_class(owner) or _is_in_table(owner, name):
                try:
                    found.append((name, item.__get__(value)))
                except AttributeError:
                    continue
    return found


def _is_in_table(owner: Class, name: str) -> bool:
    return any(owner is cls and name in names for cls, names in _MEMBERS)


def enum_member(encoder: ValueEncoder, value: Raw) -> Node:
    """Encode an enum member by its class, name and value."""
    items = dict(encoder.layout(type(value)).namespace_items(value))
    return encoder.value(type(value), name=items.get("_name_"), value=items.get("_value_"))


def _getter(cls: Class, name: str) -> Callable[[Raw], Raw]:
    return cls.__dict__[name].__get__


_YMD = [_getter(dt.date, name) for name in ("year", "month", "day")]
_DATETIME = [_getter(dt.datetime, n) for n in ("hour", "minute", "second", "microsecond", "fold")]
_TIME = [_getter(dt.time, n) for n in ("hour", "minute", "second", "microsecond", "fold")]
_datetime_zone = _getter(dt.datetime, "tzinfo")
_time_zone = _getter(dt.time, "tzinfo")


_spans = _getter(re.Match, "regs")
_array_items: Callable[[Raw], list[Raw]] = vars(array.array)["tolist"]
_of_local: Callable[[Raw, str], Raw] = vars(threading.local)["__getattribute__"]
_referent: Callable[[Raw], Raw] = vars(weakref.ref)["__call__"]


def _date(encoder: ValueEncoder, value: Raw) -> Node:
    return encoder.value(dt.date, text=_day(value))


def _datetime(encoder: ValueEncoder, value: Raw) -> Node:
    clock, fold = _clock(value, _DATETIME)
    text = f"{_day(value)}T{clock}"
    return encoder.value(dt.datetime, text=text, fold=fold, tzinfo=_datetime_zone(value))


def _time(encoder: ValueEncoder, value: Raw) -> Node:
    clock, fold = _clock(value, _TIME)
    return encoder.value(dt.time, text=clock, fold=fold, tzinfo=_time_zone(value))


def _day(value: Raw) -> str:
    year, month, day = [get(value) for get in _YMD]
    return f"{year:04}-{month:02}-{day:02}"


def _clock(value: Raw, getters: Raw) -> tuple[str, int]:
    hour, minute, second, micro, fold = [get(value) for get in getters]
    return f"{hour:02}:{minute:02}:{second:02}.{micro:06}", fold


def _timezone(encoder: ValueEncoder, value: Raw) -> Node:
    name = dt.timezone.tzname(value, None)
    return encoder.value(dt.timezone, offset=dt.timezone.utcoffset(value, None), name=name)


def _decimal(encoder: ValueEncoder, value: Raw) -> Node:
    return encoder.value(decimal.Decimal, text=decimal.Decimal.__str__(value))


def _path(encoder: ValueEncoder, value: Raw) -> Node:
    return encoder.value(type(value), text=pathlib.PurePath.__str__(value))


def _uuid(encoder: ValueEncoder, value: Raw) -> Node:
    number: Raw = dict(encoder.layout(uuid.UUID).state(value)).get("int")
    return encoder.value(uuid.UUID, text=f"{int.__index__(number):032x}")


def _match(encoder: ValueEncoder, value: Raw) -> Node:
    spans, (first, last) = list(_spans(value)), (value.pos, value.endpos)
    return encoder.value(
        re.Match, pattern=value.re, string=value.string, spans=spans, pos=first, endpos=last
    )


def _string_io(encoder: ValueEncoder, value: Raw) -> Node:
    if io.StringIO.closed.__get__(value):
        return encoder.value(io.StringIO, closed=True)
    text, position = io.StringIO.getvalue(value), io.StringIO.tell(value)
    return encoder.value(io.StringIO, text=text, position=position)


def _open_file(encoder: ValueEncoder, value: Raw) -> Node:
    """Encode an open file by its name and mode."""
    cls = raw.class_of(value)
    inner = value
    try:
        if cls is io.TextIOWrapper:
            inner = _of_file(cls, "buffer", inner)
        if raw.class_of(inner) in _BUFFERED:
            inner = _of_file(raw.class_of(inner), "raw", inner)
    except ValueError:
        return encoder.opaque(cls, "it was taken apart")
    if raw.class_of(inner) is not io.FileIO:
        return encoder.opaque(cls, "what it reads from is out of sight")
    name: Raw = object.__getattribute__(inner, "name")
    parts = {each: _of_file(io.FileIO, each, inner) for each in ("mode", "closed")}
    if type(name) is str:
        parts["name"] = name.rpartition("/")[2] if name.startswith("/") else name
    if cls is io.TextIOWrapper:
        parts["encoding"] = _of_file(cls, "encoding", value)
    return encoder.value(cls, **parts)


_BUFFERED = (io.BufferedReader, io.BufferedWriter, io.BufferedRandom)


def _of_file(cls: Class, name: str, value: Raw) -> Raw:
    """Return an attribute of a file's C type."""
    descriptor = raw.class_attribute(cls, name)
    return descriptor.__get__(value)


def _bytes_io(encoder: ValueEncoder, value: Raw) -> Node:
    if io.BytesIO.closed.__get__(value):
        return encoder.value(io.BytesIO, closed=True)
    content, position = io.BytesIO.getvalue(value), io.BytesIO.tell(value)
    return encoder.value(io.BytesIO, bytes=content, position=position)


def _array(encoder: ValueEncoder, value: Raw) -> Node:
    items = _array_items(value)
    return encoder.value(array.array, typecode=array.array.typecode.__get__(value), items=items)


def _logger(encoder: ValueEncoder, value: Raw) -> Node:
    name = dict(encoder.layout(type(value)).namespace_items(value)).get("name")
    return encoder.value(logging.Logger, name=name)


def _hash(encoder: ValueEncoder, value: Raw) -> Node:
    kinds = [cls for cls in _HASHES if cls is type(value)]
    return encoder.value(kinds[0], name=kinds[0].name.__get__(value), digest=value.hexdigest())


def _weak_reference(encoder: ValueEncoder, value: Raw) -> Node:
    return encoder.value(weakref.ref, to=_referent(value))


def _thread_local(encoder: ValueEncoder, value: Raw) -> Node:
    """Encode a thread local by its contents in the current thread."""
    contents: Raw = _of_local(value, "__dict__")
    return encoder.value(threading.local, **{k: v for k, v in contents.items() if type(k) is str})


VALUES = (
    (dt.datetime, _datetime),
    (dt.date, _date),
    (dt.time, _time),
    (dt.timezone, _timezone),
    (decimal.Decimal, _decimal),
    *((cls, _path) for cls in (pathlib.PurePosixPath, pathlib.PureWindowsPath)),
    *((cls, _path) for cls in (type(pathlib.Path()),)),
    (uuid.UUID, _uuid),
    (re.Match, _match),
    (io.StringIO, _string_io),
    (io.BytesIO, _bytes_io),
    *((cls, _open_file) for cls in (io.TextIOWrapper, io.FileIO, *_BUFFERED)),
    (array.array, _array),
    *((cls, _logger) for cls in (logging.Logger, logging.RootLogger)),
    *((cls, _hash) for cls in _HASHES),
    (weakref.ref, _weak_reference),
    (threading.local, _thread_local),
)
"""Types, and how each is written."""

_VISIBLE = frozenset(
    id(cls)
    for cls in (
        re.Pattern,
        functools.partial,
        dt.timedelta,
        types.SimpleNamespace,
        types.GenericAlias,
        type(int | str) if hasattr(types, "UnionType") else types.GenericAlias,
        property,
        staticmethod,
        classmethod,
        collections.defaultdict,
    )
)
"""C types whose descriptors show all relevant state."""


def is_visible(cls: Class) -> bool:
    """Whether the descriptors of a C type show all relevant state."""
    if id(cls) in _VISIBLE:
        return True
    names = raw.class_names(cls)  # not imported just for this test
    return names == ("zoneinfo", "ZoneInfo") and raw.leads_to(*names, cls)
