"""What external callables ask their arguments for."""

from __future__ import annotations

from ..hooks import names_in_module
from ..known import BUILTIN_CALLS, EQUALITY, ITERATION, QUIET_MODULES, QUIET_PACKAGES, TEXT

_COPYING = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__",
            "__setstate__", "__getnewargs__", "__getnewargs_ex__", "__new__",
            *EQUALITY)  # fmt: skip
_LIST_METHODS = frozenset({"append", "insert", "pop", "clear", "copy", "reverse"})
_CONTAINER_METHODS = frozenset(
    {"builtins.list", "builtins.dict", "builtins.set", "builtins.tuple", "builtins.frozenset",
     "collections.deque", "collections.OrderedDict", "collections.defaultdict",
     "collections.Counter", "builtins.iterator"}
)  # fmt: skip

_TEXT_BY = {"__str__": ("__repr__",), "__format__": TEXT}
"""Text methods of builtin classes that go on to others of the object."""


def external_protocol(name: str) -> tuple[str, ...] | None:
    """What an external callable asks its arguments for; `None` for anything."""
    module, _, short = name.rpartition(".")
    if module == "builtins":
        if short in BUILTIN_CALLS:
            return BUILTIN_CALLS[short]
        return TEXT if short.endswith(("Error", "Exception", "Warning", "Exit")) else None
    if module in ("copy", "pickle", "copyreg", "dill", "cloudpickle"):
        return _COPYING
    if module.startswith("builtins.") and short in _TEXT_BY:  # `KeyError.__str__(self)`
        return _TEXT_BY[short]
    if module.removesuffix("()") in _CONTAINER_METHODS:
        if short in ("extend", "update", "union", "difference", "intersection"):
            return (*ITERATION, *EQUALITY, "__len__", "keys", "__getitem__")
        if module == "builtins.list" and short in _LIST_METHODS:
            return ()
        return ("__lt__", "__gt__") if short == "sort" else EQUALITY
    if short in ("__init__", "__new__", "__init_subclass__", "__class_getitem__", "__exit__"):
        return ()
    if module in ("builtins.str()", "builtins.str", "builtins.bytes()", "builtins.bytes"):
        return (*TEXT, *ITERATION, "__index__", "keys", "__getitem__")
    if module.startswith("builtins."):
        return (*ITERATION, *EQUALITY, "__len__", "keys", "__getitem__")
    if name.split(".", maxsplit=1)[0] in QUIET_PACKAGES:
        return ()
    if (
        module == "gettext"
        or not QUIET_MODULES.isdisjoint((module.removesuffix("()"), _home(module)))
        or module.startswith("logging.")
    ):
        return (*TEXT, "__fspath__", "__index__", "__float__", *ITERATION)
    return None


def names_around(callee: str) -> list[str]:
    """Names that the standard module of a callee mentions; none where it may be any name."""
    parts = callee.replace("()", "").split(".")
    for length in range(len(parts) - 1, 0, -1):
        names = names_in_module(".".join(parts[:length]))
        if names is not None:
            return sorted(name for name in names if not name.startswith("_"))
    return []


def _home(module: str) -> str:
    """The module behind the result of one of its functions: `re` for `re.compile()`."""
    called, is_result, _ = module.partition("()")
    return called.rpartition(".")[0] if is_result else module
