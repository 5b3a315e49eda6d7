"""Models of builtins and of the standard library.

Tables only: which results are plain values, which calls pass on their arguments' members, and which
special methods a builtin calls on its arguments.
"""

from __future__ import annotations

import builtins

BUILTIN_NAMES = frozenset(dir(builtins)) | {
    "__file__", "__name__", "__doc__", "__package__", "__spec__", "__loader__", "__path__",
    "__builtins__", "__annotations__", "__debug__", "__build_class__", "__cached__",
    "WindowsError", "__class__", "__module__", "__qualname__", "__dict__", "reveal_type"
}  # fmt: skip

PLAIN_BASES = frozenset(
    {
        "builtins.object", "typing.Generic", "typing.Protocol", "abc.ABC", "builtins.Exception",
        "builtins.BaseException", "builtins.ValueError", "builtins.TypeError",
        "builtins.RuntimeError", "builtins.KeyError", "builtins.LookupError",
        "builtins.AttributeError", "builtins.ImportError", "builtins.OSError",
        "builtins.IndexError", "builtins.NotImplementedError", "builtins.Warning",
        "builtins.UserWarning", "builtins.DeprecationWarning", "builtins.ArithmeticError",
        "builtins.StopIteration", "typing_extensions.Protocol", "typing_extensions.Generic",
        "builtins.UnicodeError", "builtins.SyntaxError", "builtins.AssertionError",
        "builtins.ZeroDivisionError", "builtins.OverflowError", "builtins.TimeoutError",
        "builtins.ConnectionError", "builtins.IOError", "builtins.FutureWarning",
        "builtins.RuntimeWarning", "builtins.str", "builtins.int", "builtins.float",
        "builtins.list", "builtins.dict", "builtins.set", "builtins.tuple", "builtins.bytes",
        "builtins.frozenset", "builtins.type", "threading.local", "builtins.SystemExit",
        "builtins.KeyboardInterrupt", "builtins.PendingDeprecationWarning",
    }
)  # fmt: skip
"""External base classes that call no method of a subclass except special methods."""

MODULE_LISTS = frozenset({"pkgutil.iter_modules", "pkgutil.walk_packages"})
"""Functions that list the modules of a package."""

PLAIN_DECORATORS = frozenset(
    {
        "builtins.property", "builtins.staticmethod", "builtins.classmethod",
        "abc.abstractmethod", "abc.abstractproperty", "functools.wraps", "functools.lru_cache",
        "functools.cache", "functools.cached_property", "functools.total_ordering",
        "functools.singledispatch", "functools.singledispatchmethod", "functools.partial",
        "contextlib.contextmanager", "contextlib.asynccontextmanager", "typing.overload",
        "typing.final", "typing.no_type_check", "typing.runtime_checkable", "dataclasses.dataclass",
        "typing_extensions.overload", "typing_extensions.final", "typing_extensions.deprecated",
        "typing_extensions.override", "typing.override", "enum.unique", "warnings.deprecated",
        "asyncio.coroutine", "types.coroutine", "typing.dataclass_transform",
    }
)  # fmt: skip
"""Decorators that register nothing anywhere."""

STR_METHODS = {
    "str": frozenset(
        "capitalize casefold center expandtabs format format_map join ljust lower lstrip replace "
        "rjust rstrip strip swapcase title translate upper zfill removeprefix removesuffix".split()
    ),
    "list": frozenset("split rsplit splitlines".split()),
    "bool": frozenset(
        "endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric "
        "isprintable isspace istitle isupper startswith".split()
    ),
    "int": frozenset("count find index rfind rindex".split()),
}

CONTAINERS = frozenset(
    {
        "builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset", "builtins.dict",
        "collections.deque", "collections.OrderedDict", "collections.defaultdict",
        "collections.Counter", "collections.ChainMap", "weakref.WeakKeyDictionary",
        "weakref.WeakValueDictionary", "weakref.WeakSet", "queue.Queue", "asyncio.Queue",
        "builtins.iterator", "builtins.object", "types.SimpleNamespace", "threading.local",
        "contextvars.ContextVar", "weakref.ref", "weakref.proxy", "functools.partial",
        "concurrent.futures.ThreadPoolExecutor", "concurrent.futures.ProcessPoolExecutor",
        "concurrent.futures.Future", "multiprocessing.Pool", "asyncio.Task", "asyncio.Future",
        "itertools.chain", "builtins.map", "builtins.filter", "builtins.zip", "builtins.reversed",
        "builtins.enumerate", "argparse.Namespace", "inspect.Signature", "heapq",
        "contextlib.ExitStack", "contextlib.AsyncExitStack", "queue.PriorityQueue",
        "queue.LifoQueue", "types.MappingProxyType", "types.ModuleType", "copy", "operator",
    }
)  # fmt: skip
"""External classes and modules whose results may be objects that were put in."""

OPEN_MODULES = frozenset(
    """copy functools itertools operator contextlib collections queue asyncio concurrent weakref
    typing contextvars heapq random types inspect importlib pickle multiprocessing unittest
    dataclasses enum abc builtins sys gc bisect shelve marshal threading sched selectors
    graphlib ast code codeop pkgutil runpy atexit numbers reprlib""".split()
)
"""Standard-library modules whose functions and objects return what was put in, or build on it."""

QUIET_MODULES = frozenset(
    """re os os.path posixpath time math logging typing warnings subprocess hashlib base64 struct
    shutil tempfile string textwrap uuid io glob fnmatch locale calendar binascii codecs unicodedata
    html sys types inspect abc functools contextlib threading enum keyword dataclasses signal errno
    pathlib urllib.parse traceback collections.abc weakref gc atexit datetime zlib gzip bz2 lzma
    socket ssl netrc mimetypes stat hmac secrets ipaddress email.utils getpass webbrowser
    sysconfig textwrap cmath posix nt""".split()
)
"""Standard-library modules whose functions use their arguments only as text or as a path."""

QUIET_PACKAGES = frozenset({"blinker", "click", "tqdm", "colorama", "termcolor", "loguru"})
"""Packages that pass their arguments to callbacks, or print them, and access no members of them."""

ITERATION = ("__iter__", "__next__")
SIZED_ITERATION = (*ITERATION, "__len__", "__length_hint__")
ORDER = ("__lt__", "__gt__", "__le__", "__ge__")
TRUTH = ("__bool__",)
TEXT = ("__str__", "__repr__", "__format__")
NUMBER = ("__int__", "__index__", "__float__")
EQUALITY = ("__eq__", "__ne__", "__hash__")
COPYING = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__",
           "__setstate__", "__getnewargs__", "__getnewargs_ex__", "__new__")  # fmt: skip
FALLBACKS = {"__iter__": "__getitem__", "__contains__": "__iter__", "__bool__": "__len__",
             "__reversed__": "__getitem__"}  # fmt: skip
"""Special method → the method that Python calls if a class lacks it."""

BUILTIN_CALLS: dict[str, tuple[str, ...]] = {
    "len": ("__len__",),
    "iter": ITERATION,
    "list": SIZED_ITERATION,
    "tuple": SIZED_ITERATION,
    "set": (*SIZED_ITERATION, *EQUALITY),
    "frozenset": (*SIZED_ITERATION, *EQUALITY),
    "dict": (*SIZED_ITERATION, *EQUALITY, "keys", "__getitem__"),
    "enumerate": ITERATION,
    "zip": ITERATION,
    "map": ITERATION,
    "filter": (*ITERATION, *TRUTH),
    "any": (*ITERATION, *TRUTH),
    "all": (*ITERATION, *TRUTH),
    "sum": (*ITERATION, "__add__", "__radd__"),
    "sorted": (*SIZED_ITERATION, *ORDER),
    "min": (*ITERATION, *ORDER),
    "max": (*ITERATION, *ORDER),
    "reversed": ("__reversed__", "__len__"),
    "next": ("__next__",),
    "aiter": ("__aiter__",),
    "anext": ("__anext__",),
    "str": TEXT,
    "repr": TEXT,
    "ascii": TEXT,
    "format": TEXT,
    "print": TEXT,
    "input": TEXT,
    "int": ("__int__", "__index__", "__trunc__"),
    "float": ("__float__", "__index__"),
    "complex": ("__complex__", "__float__", "__index__"),
    "bool": TRUTH,
    "bytes": ("__bytes__", "__iter__", "__index__", "__buffer__"),
    "bytearray": ("__bytes__", "__iter__", "__index__", "__buffer__"),
    "memoryview": ("__buffer__",),
    "abs": ("__abs__",),
    "round": ("__round__",),
    "divmod": ("__divmod__", "__rdivmod__"),
    "pow": ("__pow__", "__rpow__"),
    "hash": ("__hash__", "__eq__"),  # a class with `__eq__` alone cannot be hashed
    "callable": (),
    "dir": ("__dir__",),
    "isinstance": ("__instancecheck__",),
    "issubclass": ("__subclasscheck__",),
    "open": ("__fspath__", "__index__"),
    "range": ("__index__",),
    "hex": ("__index__",),
    "bin": ("__index__",),
    "oct": ("__index__",),
    "chr": ("__index__",),
    "ord": (),
    "id": (),
    "type": (),
    "super": (),
    "object": (),
    "getattr": (),
    "setattr": (),
    "hasattr": (),
    "delattr": (),
    "vars": (),
    "globals": (),
    "locals": (),
    "property": (),
    "staticmethod": (),
    "classmethod": (),
    "slice": ("__index__",),
    "exec": (),
    "eval": (),
    "__import__": (),
    "compile": (),
    "breakpoint": (),
}
"""Builtin → special methods that it calls on its arguments; missing ones may call all."""

ALWAYS_KEPT = frozenset(
    {
        "__init__", "__new__", "__post_init__", "__del__", "__getattr__", "__getattribute__",
        "__setattr__", "__delattr__", "__get__", "__set__", "__delete__", "__set_name__",
        "__slots__", "__match_args__", "__class_getitem__", "__attrs_post_init__",
        "__attrs_pre_init__", "__attrs_init__", "__prepare__", "__mro_entries__",
        "__instancecheck__", "__subclasscheck__", "__subclasshook__", "__dict__", "__weakref__",
        "__missing__",
    }
)  # fmt: skip
"""Members that Python calls by itself as soon as an instance exists."""

CONSTRUCTION = frozenset({"__init__", "__new__", "__post_init__", "__attrs_post_init__",
                          "__attrs_pre_init__", "__attrs_init__"})  # fmt: skip
"""Members that run only when the slice creates an instance, not when one is passed in."""

CLASS_CREATION = frozenset({"__init_subclass__", "__set_name__", "__mro_entries__", "__slots__",
                            "__class_getitem__", "__prepare__", "__orig_bases__"})  # fmt: skip
"""Members that Python calls, or reads, when the class or a subclass is created."""

OPERATIONS = (
    frozenset(
        name
        for kind in (object, int, float, complex, str, bytes, list, dict, set, range)
        for name in sorted(vars(kind))
        if name.startswith("__") and callable(vars(kind)[name])
    )
    - ALWAYS_KEPT
    - CONSTRUCTION
    - CLASS_CREATION
)
"""Special methods that only an operator, a statement or a builtin calls."""

CALLED_BY_PYTHON = OPERATIONS | ALWAYS_KEPT | CONSTRUCTION | CLASS_CREATION | frozenset(
    f"__{name}__" for name in (
        "call enter exit aenter aexit await aiter anext next copy deepcopy fspath length_hint "
        "matmul rmatmul imatmul itruediv ifloordiv imod ipow ilshift irshift setstate "
        "getnewargs_ex buffer release_buffer replace"
    ).split()
)  # fmt: skip
"""Every special method of the language; other names of that form belong to some library."""

PICKLING = frozenset(
    f"__{name}__" for name in (
        "copy deepcopy reduce reduce_ex getstate setstate getnewargs getnewargs_ex".split()
    )
)  # fmt: skip
"""Methods that copy or pickle an object; code that does so knows the object's attributes."""

BINARY = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "Mod": "mod", "Pow": "pow",
    "LShift": "lshift", "RShift": "rshift", "BitOr": "or", "BitXor": "xor", "BitAnd": "and",
    "FloorDiv": "floordiv", "MatMult": "matmul",
}  # fmt: skip
COMPARE = {
    "Eq": EQUALITY, "NotEq": EQUALITY, "Lt": ("__lt__", "__gt__"), "LtE": ("__le__", "__ge__"),
    "Gt": ("__gt__", "__lt__"), "GtE": ("__ge__", "__le__"),
    "In": ("__contains__", *EQUALITY),
    "NotIn": ("__contains__", *EQUALITY), "Is": (), "IsNot": (),
}  # fmt: skip
UNARY = {"USub": ("__neg__",), "UAdd": ("__pos__",), "Invert": ("__invert__",), "Not": TRUTH}

TABLES = frozenset({"builtins.dict", "collections.OrderedDict", "collections.defaultdict"})
"""Containers that hold values under keys."""
HOLDERS = TABLES | {
    "builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset", "collections.deque"
}  # fmt: skip
"""Containers that show and compare themselves by their items."""
OF_ITEMS = dict.fromkeys(TEXT, "__repr__") | {
    name: name for name in (*EQUALITY, *ORDER, *COPYING[1:], "__fspath__")
}
"""Special method of a container → the one that it calls on its items; never `__copy__`."""

_TAKES_MANY = frozenset("extend update join union difference intersection writelines".split())
DATA_METHODS = {
    name: (*SIZED_ITERATION, *EQUALITY, "keys", "__getitem__") if name in _TAKES_MANY else EQUALITY
    for kind in (list, dict, set, tuple, str, bytes)
    for name in sorted(vars(kind))
    if not name.startswith("_")
} | dict.fromkeys(("appendleft", "extendleft", "put", "put_nowait"), EQUALITY)
"""Method of builtin containers and text → methods that it calls on its arguments."""

ABSTRACT_METHODS = {
    "Sequence": "__getitem__", "Iterable": "__iter__", "Iterator": "__next__",
    "AbstractSet": "__contains__", "MutableSequence": "__setitem__",
    "Collection": "__contains__", "Generator": "send", "AsyncIterator": "__anext__",
    "AsyncIterable": "__aiter__", "AsyncGenerator": "asend", "MutableSet": "add",
    "Reversible": "__reversed__", "Mapping": "__getitem__", "MutableMapping": "__setitem__",
}  # fmt: skip
"""Abstract class of `collections.abc` → a method that every implementation has."""

MUTATORS = frozenset(
    """append extend insert remove pop clear sort reverse add discard update setdefault popitem
    difference_update intersection_update symmetric_difference_update appendleft extendleft popleft
    rotate register subscribe connect on route bind attach install mount include_router
    __setitem__ __setattr__ __delitem__""".split()
)
"""Methods that change their receiver."""

READERS = frozenset(
    """get keys values items copy index count join split strip format lower upper startswith
    endswith encode decode replace find run run_forever run_polling serve serve_forever mainloop
    polling infinity_polling start_polling run_until_complete exec exec_ show wait main launch
    start join info debug warning error exception critical log print write read readline
    readlines astype numpy item tolist mean std var argmax argmin argsort flatten ravel squeeze
    unsqueeze detach cpu pin_memory view permute head tail describe groupby nunique value_counts
    to_dict to_numpy to_list isin isna notna iterrows itertuples close union intersection
    difference issubset issuperset isdisjoint quit
    destroy""".split()
)
"""Methods that read, or run the program, and register nothing for later."""
