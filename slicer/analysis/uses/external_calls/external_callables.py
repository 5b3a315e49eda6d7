"""Operations that external callables perform on their arguments."""

from __future__ import annotations

from functools import lru_cache

from ....syntax.builtin_models import (
    BINARY,
    BUILTIN_CALLS,
    COPYING,
    EQUALITY,
    ITERATION,
    ORDER,
    QUIET_MODULES,
    QUIET_PACKAGES,
    TEXT,
    TRUTH,
)
from ...external.standard_code import attribute_names_in

_LIST_METHODS = frozenset({"append", "insert", "pop", "clear", "copy", "reverse"})
_CONTAINER_METHODS = frozenset(
    {"builtins.list", "builtins.dict", "builtins.set", "builtins.tuple", "builtins.frozenset",
     "collections.deque", "collections.OrderedDict", "collections.defaultdict",
     "collections.Counter", "builtins.iterator"}
)  # fmt: skip

_IN_PLACE = frozenset(f"i{stem}" for stem in BINARY.values())
_OF_COMPILED = {"sqlite3": ("step", "finalize", "value", "inverse")}
"""Module → attributes that its compiled code accesses."""
_TEXT_BY = {"__repr__": ("__repr__",), "__str__": ("__repr__",), "__format__": TEXT}
"""Text methods of builtin classes that call further methods of the object."""


def external_protocol(name: str) -> tuple[str, ...] | None:  # noqa: C901 - a line for each group of callables
    """Return the members that an external callable calls on its arguments; `None` for any."""
    module, _, short = name.rpartition(".")
    if module == "builtins":
        if short in BUILTIN_CALLS:
            return BUILTIN_CALLS[short]
        return TEXT if short.endswith(("Error", "Exception", "Warning", "Exit")) else None
    if module == "operator":
        return _operator_protocol(short)
    if name == "copy.replace":
        return ("__replace__", "_replace")
    if module in ("copy", "pickle", "copyreg", "dill", "cloudpickle"):
        return (*COPYING, *EQUALITY)
    if module.startswith("builtins.") and short in _TEXT_BY:  # `KeyError.__str__(self)`
        return _TEXT_BY[short]
    if module.removesuffix("()") in _CONTAINER_METHODS:
        if short in ("extend", "update", "union", "difference", "intersection"):
            return (*ITERATION, *EQUALITY, "__len__", "keys", "__getitem__")
        if module == "builtins.list" and short in _LIST_METHODS:
            return ()
        return ("__lt__", "__gt__") if short == "sort" else EQUALITY
    if module == "os.environ":
        return (*TEXT, *ITERATION, "keys", "__getitem__")
    if short in ("__init__", "__new__", "__init_subclass__", "__class_getitem__", "__exit__"):
        return ()
    if module in ("builtins.str()", "builtins.str", "builtins.bytes()", "builtins.bytes"):
        return (*TEXT, *ITERATION, "__index__", "keys", "__getitem__")
    if name == "builtins.int.from_bytes":
        return BUILTIN_CALLS["bytes"]
    if module.startswith("builtins."):
        return (*ITERATION, *EQUALITY, "__len__", "keys", "__getitem__")
    if name.split(".", maxsplit=1)[0] in QUIET_PACKAGES:
        return ()
    if (
        module == "gettext"
        or not QUIET_MODULES.isdisjoint((module.removesuffix("()"), _module_of_result(module)))
        or module.startswith("logging.")
    ):
        return (*TEXT, "__fspath__", "__index__", "__int__", "__float__", *ITERATION)
    return None


def _operator_protocol(name: str) -> tuple[str, ...]:
    """Return the members that a function of the module `operator` calls on its operands."""
    stem = name.strip("_")
    match stem:
        case "attrgetter" | "itemgetter" | "methodcaller" | "is" | "is_not":
            return ()
        case "not" | "truth":
            return TRUTH
        case "contains" | "countOf" | "indexOf":
            return ("__contains__", *ITERATION, *EQUALITY)
        case "length_hint":
            return ("__length_hint__", "__len__")
        case "eq" | "ne":
            return EQUALITY
        case "lt" | "le" | "gt" | "ge":
            return ORDER
        case _:
            plain = stem.removeprefix("i") if stem in _IN_PLACE else stem
            return (f"__{stem}__", f"__{plain}__", f"__r{plain}__")


@lru_cache(maxsize=4096)
def names_in_callee_module(callee: str) -> frozenset[str]:
    """Return the names that the standard module of a callee accesses; empty if they may be any."""
    parts = callee.replace("()", "").split(".")
    for length in range(len(parts) - 1, 0, -1):
        names = attribute_names_in(".".join(parts[:length]))
        if names is not None:
            return names.union(_OF_COMPILED.get(parts[0], ()))
    return frozenset()


def _module_of_result(module: str) -> str:
    """Return the module behind the result of one of its functions: `re` for `re.compile()`."""
    called, is_result, _ = module.partition("()")
    return called.rpartition(".")[0] if is_result else module
