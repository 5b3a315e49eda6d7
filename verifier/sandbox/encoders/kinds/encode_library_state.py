"""Encode objects that accumulate usage state by their essential attributes.

A process's first query sets up mappers and dialects of SQLAlchemy, connections come from pools, and
compiled statements are counted; loops of asyncio hold pending callbacks, and pools hold threads and
connections. None of that is a function's result, and all of it is connected.
"""

from __future__ import annotations

import builtins
import types

from ... import raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...raw import Class, Raw
    from ..nodes import Node
    from ..value_encoder import ValueEncoder, Write

__builtins__ = dict(vars(builtins))

_SHOWN_ATTRIBUTES: dict[tuple[str, str], tuple[str, ...]] = {
    ("aiohttp.connector", "TCPConnector"): ("_limit", "_limit_per_host", "_force_close", "_closed"),
    ("asyncio.unix_events", "_UnixSelectorEventLoop"): (),
    ("concurrent.futures.thread", "ThreadPoolExecutor"): ("_max_workers",),  # names are counted
    ("loguru._logger", "Logger"): (),
    ("sqlalchemy.engine.base", "Engine"): ("url",),
    ("sqlalchemy.ext.asyncio.engine", "AsyncEngine"): ("sync_engine",),
    ("sqlalchemy.ext.asyncio.session", "AsyncSession"): ("sync_session",),
    ("sqlalchemy.orm.attributes", "InstrumentedAttribute"): ("class_", "key"),
    ("sqlalchemy.orm.decl_api", "registry"): (),
    ("sqlalchemy.orm.instrumentation", "ClassManager"): ("class_",),
    ("sqlalchemy.orm.mapper", "Mapper"): ("class_",),
    ("sqlalchemy.orm.scoping", "scoped_session"): ("session_factory",),
    ("sqlalchemy.orm.session", "Session"): ("bind", "info", "_new", "_deleted", "_transaction"),
    ("sqlalchemy.orm.session", "SessionTransaction"): ("_state", "nested"),
    ("sqlalchemy.orm.session", "sessionmaker"): ("kw",),
    ("sqlalchemy.orm.state", "InstanceState"): ("key",),
    ("sqlalchemy.sql.schema", "MetaData"): ("schema",),
    ("sqlalchemy.sql.schema", "Table"): ("name", "schema"),
    ("ssl", "SSLContext"): (
        "protocol", "verify_mode", "check_hostname", "options", "verify_flags", "minimum_version",
        "maximum_version", "post_handshake_auth",
    ),
}  # fmt: skip
"""Maps module and name of a class to the attributes that distinguish its instances."""
_UNSAID: dict[tuple[str, str], frozenset[str]] = {
    ("logging", "Logger"): frozenset(("manager", "parent", "root", "_cache")),  # process-wide state
    ("threading", "Thread"): frozenset(
        "_ident _native_id _tstate_lock _handle _started _is_stopped _name _stderr "
        "_invoke_excepthook _os_thread_handle".split()
    ),
}
"""Maps module and name of a class to attributes that are ignored in its instances and those of
subclasses."""
_OF_EVERY_CLASS = frozenset(("__doc__", "__firstlineno__", "__module__", "__static_attributes__"))


def encoder_of(cls: Class) -> Write | None:
    """Return the writer for instances of the class; `None` if it is none of these."""
    module, name = raw.class_names(cls)
    names = _SHOWN_ATTRIBUTES.get((module, name))
    if names is None or not _is_of(cls, module, name):  # another class of the same name
        return None

    def encode(encoder: ValueEncoder, value: Raw) -> Node:
        state = dict(encoder.layout(cls).state(value))
        parts = {name: state[name] for name in names if name in state}
        for name in names:
            if name not in parts and (found := _descriptor(cls, name)) is not None:
                parts[name] = found.__get__(value)
        return encoder.value(cls, **parts)

    return encode


def _descriptor(cls: Class, name: str) -> Raw:
    """Return the descriptor of an attribute of a C type; `None` if there is none."""
    for base in raw.mro(cls):
        found = raw.class_attribute(base, name)
        if type(found) is types.GetSetDescriptorType:
            return found
    return None


def unsaid_of(cls: Class) -> frozenset[str]:
    """Return the ignored attributes of instances of the class."""
    found: frozenset[str] = frozenset()
    for base in raw.mro(cls):
        names = raw.class_names(base)
        if names in _UNSAID and raw.leads_to(*names, base):
            found |= _UNSAID[names]
    return found


def _is_of(cls: Class, module: str, name: str) -> bool:
    """Whether it is that class, or a subclass that adds nothing, as factories make them."""
    if raw.leads_to(module, name, cls):
        return True
    if any(key not in _OF_EVERY_CLASS for key, _ in raw.class_items(cls)):
        return False
    first = raw.mro(cls)[1]
    return raw.class_names(first) == (module, name) and raw.leads_to(module, name, first)
