"""Tables of the library: functions, classes and decorators that the analysis models."""

from __future__ import annotations

CONVERSIONS: dict[str, tuple[str, ...]] = {
    "abs": ("__abs__",), "ascii": ("__repr__",), "bool": ("__bool__", "__len__"),
    "bytes": ("__bytes__",), "complex": ("__complex__", "__float__"), "dir": ("__dir__",),
    "divmod": ("__divmod__",), "float": ("__float__", "__index__"), "format": ("__format__",),
    "hash": ("__hash__",), "int": ("__int__", "__index__", "__trunc__"), "len": ("__len__",),
    "next": ("__next__",), "oct": ("__index__",), "pow": ("__pow__",),
    "print": ("__str__", "__repr__"),
    "repr": ("__repr__",), "reversed": ("__reversed__",), "round": ("__round__",),
    "str": ("__str__", "__repr__"), "hex": ("__index__",), "bin": ("__index__",),
    "anext": ("__anext__",), "aiter": ("__aiter__",),
}  # fmt: skip
"""Builtin → special methods of its argument; it calls the first that is defined."""

UNLISTED = frozenset({"property", "staticmethod", "classmethod"})
"""Builtins whose use as a decorator adds no call edge."""

PASS_THROUGH = frozenset(
    """
    functools.wraps functools.lru_cache functools.cache functools.total_ordering
    functools.singledispatch functools.singledispatchmethod functools.update_wrapper
    contextlib.contextmanager contextlib.asynccontextmanager abc.abstractmethod typing.overload
    typing.final typing.override typing.no_type_check typing.runtime_checkable typing.cast
    dataclasses.dataclass enum.unique atexit.register copy.copy copy.deepcopy types.coroutine
    asyncio.coroutine typing_extensions.final typing_extensions.override weakref.proxy
    attr.s attr.attrs attr.define attr.dataclass attrs.define attrs.frozen attr.frozen
    asyncio.create_task asyncio.ensure_future asyncio.wait_for asyncio.shield operator.itemgetter
    """.split()
)
"""Library functions whose result stands for their argument, and decorators of that kind."""

TRANSPARENT = frozenset(
    """
    copy.copy copy.deepcopy weakref.proxy functools.update_wrapper atexit.register
    asyncio.create_task asyncio.ensure_future asyncio.wait_for asyncio.shield
    """.split()
)
"""The subset of these that always returns the first argument."""

PROPERTIES = frozenset(
    {"functools.cached_property", "abc.abstractproperty", "django.utils.functional.cached_property",
     "werkzeug.utils.cached_property", "cached_property.cached_property"}
)  # fmt: skip
"""Library decorators that turn a method into a property."""

FIELD_CLASSES = frozenset(
    {"dataclasses.dataclass", "attr.s", "attr.attrs", "attr.define", "attr.dataclass",
     "attrs.define", "attrs.frozen", "attr.frozen", "attrs.mutable",
     "pydantic.dataclasses.dataclass"}
)  # fmt: skip
"""Class decorators that generate an `__init__` from the annotated names."""

FIELD_BASES = frozenset({"typing.NamedTuple", "pydantic.BaseModel", "msgspec.Struct"})
"""Base classes that generate an `__init__` in the same way."""

ENUM_BASES = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})

CALLED_ARGUMENTS: dict[str, tuple[int | str, ...]] = {
    "functools.reduce": (0,),
    "threading.Thread": ("target",),
    "threading.Timer": (1, "function"),
    "multiprocessing.Process": ("target",),
    "asyncio.run": (0,),
    "asyncio.to_thread": (0,),
    "itertools.starmap": (0,),
    "itertools.filterfalse": (0,),
    "itertools.takewhile": (0,),
    "itertools.dropwhile": (0,),
    "itertools.groupby": (1, "key"),
    "heapq.nlargest": (2, "key"),
    "heapq.nsmallest": (2, "key"),
    "re.sub": (1,),
    "atexit.register": (0,),
    "signal.signal": (1,),
    "collections.defaultdict": (0,),
}
"""Library function → the arguments that it calls."""
