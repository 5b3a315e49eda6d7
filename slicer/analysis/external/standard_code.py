"""The names that methods of standard-library classes use, read from their source.

Only standard-library modules are ever imported for this.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from ...repo.repository import STDLIB
from ...syntax.nodes import walk

_ABSTRACT = ("collections.abc.", "typing.")
"""Prefixes of classes that any object may implement."""
_PREFIX = re.compile(r"([A-Za-z]\w*_)(?:%s|\{\w*\})?")
"""A text that is the prefix of a method name, as in code that computes names."""
_ATTRIBUTE = re.compile(r"\.([A-Za-z]\w*)")
_ATTRIBUTE_BY_TEXT = re.compile(r"\b(?:get|has)attr\(\s*[\w.]+\s*,\s*[\"']([A-Za-z]\w*)")
_PRINTED = re.compile(r"\bprint\(.*\bfile=")


@lru_cache(maxsize=64)
def names_in_module(module: str) -> frozenset[str] | None:
    """Return every name in the functions of a standard module; `None` if it is no Python module."""
    loaded = _standard_module(module)
    if loaded is None:
        return None
    members = list(vars(loaded).values())
    members += [m for c in members if isinstance(c, type) for m in vars(c).values()]
    functions = [f for m in members for f in implementing_functions(m) if f.__module__ == module]
    return frozenset(name for f in functions for name in _names(f.__code__)) or None


@lru_cache(maxsize=64)
def attribute_names_in(module: str) -> frozenset[str] | None:
    """Return every public attribute name that a standard module, or a package's modules, access.

    The names are read from the source text: where functions have compiled replacements, it shows
    what those do as well. Return `None` if there is no source.
    """
    loaded = _standard_module(module)
    origin = getattr(loaded, "__file__", None)
    if origin is None or not origin.endswith(".py"):
        return None
    path = Path(origin)
    paths = sorted(path.parent.glob("*.py")) if path.name == "__init__.py" else [path]
    found: set[str] = set()
    for text in (each.read_text(encoding="utf-8", errors="replace") for each in paths):
        found.update(_ATTRIBUTE.findall(text), _ATTRIBUTE_BY_TEXT.findall(text))
        if _PRINTED.search(text):
            found.update(("write", "flush"))
    return frozenset(found)


def is_nobodys(kind: str, name: str) -> bool:
    """Whether no object of the standard module behind `kind` has an attribute of that name.

    Then the object must have been put in: in `random.Random().choice(shapes).area()`, the module
    `random` knows no `area`. Return false if the module is unknown.

    Args:
        kind: dotted name of a class or function, or of its result: `re.compile().match`.
        name: the attribute.
    """
    if name.startswith("_") or kind.startswith(_ABSTRACT):
        return False
    known = _attributes_around(kind.partition("()")[0])
    return known is not None and name not in known


@lru_cache(maxsize=4096)
def _attributes_around(path: str) -> frozenset[str] | None:
    """Return the attributes of builtins and of the standard module that contains the path."""
    parts = path.split(".")
    if parts[0] == "builtins":
        return None
    for length in range(len(parts) - 1, 0, -1):
        found = _attributes_in(".".join(parts[:length]))
        if found is not None:
            return found
    return None


@lru_cache(maxsize=256)
def _attributes_in(module: str) -> frozenset[str] | None:
    loaded = _standard_module(module)
    if loaded is None:
        return None
    found = set(names_in_module(module) or ())
    for each in (builtins, loaded):
        for member in list(vars(each).values()):
            if isinstance(member, type):
                found.update(dir(member))
    return frozenset(found)


def reachable_names(cls: type, entry: str) -> tuple[frozenset[str], bool] | None:
    """Return the names in the code behind a member, followed through the class and its module.

    Also return whether that code does more with its receiver than read attributes: then operators
    and builtins may call any special method.
    """
    found: set[str] = set()
    is_bare = False
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        owner = owner_of(cls, name)
        functions = list(implementing_functions(vars(owner)[name])) if owner is not None else []
        if owner is not None and not functions and callable(vars(owner)[name]):
            return None  # compiled code: its calls are unknown
        uses = [_receiver_uses(function) for function in functions]
        if any(is_passed for _, is_passed in uses):
            return None  # the called function may call anything
        is_bare = is_bare or any(is_mentioned for is_mentioned, _ in uses)
        while functions:
            function = functions.pop()
            for prefix in name_prefixes(function):
                if prefix not in found:
                    found.add(prefix)
                    begun = prefix.removesuffix("*")
                    waiting += [member for member in dir(cls) if member.startswith(begun)]
            for mentioned in _names(function.__code__):
                if mentioned in found:
                    continue
                found.add(mentioned)
                waiting.append(mentioned)
                helper = function.__globals__.get(mentioned)
                if isinstance(helper, FunctionType) and helper.__module__ == function.__module__:
                    functions.append(helper)
    return frozenset(found), is_bare


@lru_cache(maxsize=4096)
def _receiver_uses(function: FunctionType) -> tuple[bool, bool]:
    """Return how the code uses its first parameter, other than to read attributes.

    The first item says whether the code mentions it at all. The second says whether it passes it to
    another function; a builtin would then call a special method.
    """
    import ast
    import inspect
    import textwrap

    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return True, False
    receiver = function.__code__.co_varnames[:1]
    holders = {id(n.value) for n in walk(tree) if isinstance(n, ast.Attribute)}
    passed = {
        id(argument)
        for node in walk(tree)
        if isinstance(node, ast.Call)
        and not (isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id))
        for argument in (*node.args, *(keyword.value for keyword in node.keywords))
    }
    bare = {
        id(n)
        for n in walk(tree)
        if isinstance(n, ast.Name) and (n.id,) == receiver and id(n) not in holders
    }
    return bool(bare), not bare.isdisjoint(passed)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def name_prefixes(function: FunctionType) -> Iterator[str]:
    """Yield prefixes of computed names: `do_*` for `getattr(self, "do_" + word)`."""
    code = function.__code__
    if "getattr" in code.co_names:
        for constant in code.co_consts:
            begun = _PREFIX.fullmatch(constant) if isinstance(constant, str) else None
            if begun is not None:
                yield f"{begun[1]}*"


def implementing_functions(member: object) -> Iterator[FunctionType]:
    """Yield the Python functions behind a class attribute."""
    whole = member
    parts: list[object] = [member]
    if isinstance(member, (staticmethod, classmethod)):
        parts = [getattr(whole, "__func__", None)]
    elif isinstance(member, property):
        parts = [member.fget, member.fset, member.fdel]
    yield from (part for part in parts if isinstance(part, FunctionType))


def owner_of(cls: type, name: str) -> type | None:
    """Return the first class in the resolution order, except `object`, that defines a name."""
    return next((o for o in cls.__mro__ if o is not object and name in vars(o)), None)


@lru_cache(maxsize=256)
def standard_class(module: str, name: str) -> type | None:
    """Return a class of the standard library, or `None`."""
    found = getattr(_standard_module(module), name, None)
    found = getattr(found, "__origin__", found)
    return found if isinstance(found, type) else None


def _standard_module(name: str) -> ModuleType | None:
    """Return a module of the standard library, or `None`; no other module is ever imported."""
    import importlib

    top = name.split(".", maxsplit=1)[0]
    if top not in STDLIB or name == "__main__" or not _is_from_standard_library(top):
        return None
    try:
        return importlib.import_module(name)
    except Exception:  # noqa: BLE001 - a platform's missing module, or an optional part of it
        return None


def _is_from_standard_library(top: str) -> bool:
    """Whether importing the name runs Python's own file, and not one of a repository."""
    import sysconfig
    from importlib import util

    if top in ("antigravity", "idlelib", "test", "this", "turtledemo"):
        return False
    if top in sys.builtin_module_names:
        return True
    spec = util.find_spec(top)
    if spec is None or spec.origin is None:
        return False
    library = Path(sysconfig.get_path("stdlib"))
    return spec.origin == "frozen" or Path(spec.origin).is_relative_to(library)
