"""What the code of an external base class calls on its subclasses, and which names it defines.

A class of a repository that derives from a class outside of it may override methods which only the
base's own code calls. They are kept as soon as that code may run.
"""

from __future__ import annotations

import builtins
import re
import sys
from abc import ABCMeta
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from .nodes import walk
from .repository import STDLIB

_PREFIX = re.compile(r"([A-Za-z]\w*_)(?:%s|\{\w*\})?")
"""A text that begins the name of a method, as code has it that computes names."""
_NO_METHODS = frozenset({"typing.Generic", "typing.Protocol", "typing_extensions.Generic",
                         "typing_extensions.Protocol", "typing.NamedTuple"})  # fmt: skip
_HOOKS: dict[str, frozenset[str]] = {
    "threading.Thread": frozenset({"run"}),
    "multiprocessing.Process": frozenset({"run"}),
    "ast.NodeVisitor": frozenset({"visit*", "generic_visit"}),
    "ast.NodeTransformer": frozenset({"visit*", "generic_visit"}),
    "html.parser.HTMLParser": frozenset({"handle_*", "unknown_decl", "error"}),
    "json.JSONEncoder": frozenset({"default", "iterencode", "encode"}),
    "json.JSONDecoder": frozenset({"decode", "raw_decode", "object_hook"}),
    "logging.Handler": frozenset({"emit", "handle", "format", "flush", "close", "filter", "acquire",
                                  "release", "createLock", "handleError"}),
    "logging.Formatter": frozenset({"format*", "usesTime"}),
    "logging.Filter": frozenset({"filter"}),
    "io.BytesIO": frozenset({"close", "flush"}),
    "io.StringIO": frozenset({"close", "flush"}),
    "io.TextIOWrapper": frozenset({"close", "flush"}),
    **dict.fromkeys(
        ("io.RawIOBase", "io.BufferedIOBase", "io.IOBase", "io.TextIOBase", "io.BufferedReader",
         "io.BufferedWriter"),
        frozenset({"close", "closed", "flush", "read", "readable", "readall", "readinto",
                   "readline", "seek", "seekable", "tell", "truncate", "writable", "write",
                   "isatty", "fileno"}),
    ),
    "textwrap.TextWrapper": frozenset({"_*"}),
    "typing.IO": frozenset(),
    "typing.TextIO": frozenset(),
    "typing.BinaryIO": frozenset(),
    "configparser.ConfigParser": frozenset({"optionxform", "_*"}),
    "argparse.ArgumentParser": frozenset({"error", "exit", "print_help", "format_*", "_*"}),
    "argparse.Action": frozenset({"__call__", "format_usage"}),
    "argparse.HelpFormatter": frozenset({"_*", "format_help", "add_*", "start_section"}),
    "queue.Queue": frozenset({"_*"}),
    "unittest.TestCase": frozenset({"setUp*", "tearDown*", "runTest", "id", "shortDescription"}),
    "enum.Enum": frozenset({"_missing_", "_generate_next_value_"}),
    "enum.IntEnum": frozenset({"_missing_", "_generate_next_value_"}),
    "enum.StrEnum": frozenset({"_missing_", "_generate_next_value_"}),
    "enum.Flag": frozenset({"_missing_", "_generate_next_value_"}),
    "enum.IntFlag": frozenset({"_missing_", "_generate_next_value_"}),
    "typing.NamedTuple": frozenset(),
    "typing.TypedDict": frozenset(),
    "collections.OrderedDict": frozenset({"__setitem__", "__delitem__", "keys"}),
    "abc.ABCMeta": frozenset({"mro"}),
    "types.ModuleType": frozenset(),
    "string.Formatter": frozenset({"get_*", "check_unused_args", "format_field", "convert_field",
                                   "parse", "vformat", "format"}),
    "torch.nn.Module": frozenset({"forward", "extra_repr", "reset_parameters", "train"}),
    "pydantic.BaseModel": frozenset({"model_*", "dict", "json"}),
}  # fmt: skip
"""External base → members that its own code calls on subclasses (`*` ends a prefix)."""
_TOLD_WHOLE = frozenset(
    {"abc", "collections", "enum", "io", "pydantic", "torch", "types", "typing"}
)
"""Whose classes call no more than the table says; of others their code counts as well."""


def external_hooks(base: str, entry: str | None) -> frozenset[str] | None:
    """Names that the code of an external base may call on its subclasses.

    Args:
        base: dotted name of the base class.
        entry: the base's member that is called; `None` where all of them may be.

    Returns:
        The names, `*` ending a prefix; `None` where they are not known.
    """
    known = _HOOKS.get(base)
    module, _, name = base.rpartition(".")
    if known is not None and module.partition(".")[0] in _TOLD_WHOLE:
        return known
    if module == "builtins":
        return frozenset()
    found = _standard_hooks(module, name, entry)
    return found if known is None else known | (found or frozenset())


def abstract_methods(base: str) -> frozenset[str]:
    """Methods without which no instance of a subclass can be made."""
    module, _, name = base.rpartition(".")
    found = _standard_class(module, name)
    return getattr(found, "__abstractmethods__", frozenset())


def shapes_subclasses(base: str) -> bool:
    """Whether the base may read the body of a subclass when that is made."""
    if base in _NO_METHODS:
        return base == "typing.NamedTuple"
    module, _, name = base.rpartition(".")
    found = _standard_class(module, name)
    if found is None:
        return True
    return type(found) not in (type, ABCMeta) or _owner(found, "__init_subclass__") is not None


@lru_cache(maxsize=64)
def names_in_module(module: str) -> frozenset[str] | None:
    """Every name in the functions of a standard module; `None` where it is no Python module."""
    loaded = _standard_module(module)
    if loaded is None:
        return None
    members = list(vars(loaded).values())
    members += [m for c in members if isinstance(c, type) for m in vars(c).values()]
    functions = [f for m in members for f in _functions(m) if f.__module__ == module]
    return frozenset(name for f in functions for name in _names(f.__code__)) or None


def hook_matches(hook: str, name: str) -> bool:
    """Whether a hook of the table means the name."""
    return name.startswith(hook[:-1]) if hook.endswith("*") else name == hook


def base_defines(base: str, name: str) -> bool:
    """Whether an external base may define the name; true where the base is not known."""
    module, _, short = base.rpartition(".")
    if base in _NO_METHODS:
        return False
    found = _standard_class(module, short)
    if found is None:
        return True
    return _owner(found, name) is not None


@lru_cache(maxsize=2048)
def _standard_hooks(module: str, name: str, entry: str | None) -> frozenset[str] | None:
    """What one member of a standard class reaches; without one, its abstract or all its names."""
    found = _standard_class(module, name)
    if found is None:
        return None
    abstract: frozenset[str] = getattr(found, "__abstractmethods__", frozenset())
    everything = abstract or frozenset(
        name for owner in found.__mro__ if owner is not object for name in vars(owner)
    )
    if entry is None:
        members = (m for c in found.__mro__ for m in vars(c).values())
        return everything | {p for m in members for f in _functions(m) for p in _prefixes(f)}
    reached = _reached(found, entry)
    if reached is None:
        return everything
    names, is_bare = reached
    return names | {n for n in everything if is_bare and n.startswith("__") and n.endswith("__")}


def _reached(cls: type, entry: str) -> tuple[frozenset[str], bool] | None:
    """Names in the code behind a member, followed through the class and its module.

    Also whether that code does more with its receiver than read attributes of it: then operators
    and builtins may call any special method.
    """
    found: set[str] = set()
    is_bare = False
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        owner = _owner(cls, name)
        functions = list(_functions(vars(owner)[name])) if owner is not None else []
        if owner is not None and not functions and callable(vars(owner)[name]):
            return None  # compiled code: nobody knows what it calls
        uses = [_receiver_uses(function) for function in functions]
        if any(is_handed for _, is_handed in uses):
            return None  # what it is handed to may call anything
        is_bare = is_bare or any(is_mentioned for is_mentioned, _ in uses)
        while functions:
            function = functions.pop()
            found.update(_prefixes(function))
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
    """What the code does with its first parameter besides reading attributes of it.

    Whether it mentions it at all, and whether it hands it to another function: of a builtin, that
    is a question to a special method again.
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
    handed = {
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
    return bool(bare), not bare.isdisjoint(handed)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _prefixes(function: FunctionType) -> Iterator[str]:
    """Beginnings of names that the code computes: `do_*` of `getattr(self, "do_" + word)`."""
    code = function.__code__
    if "getattr" in code.co_names:
        for constant in code.co_consts:
            begun = _PREFIX.fullmatch(constant) if isinstance(constant, str) else None
            if begun is not None:
                yield f"{begun[1]}*"


def _functions(member: object) -> Iterator[FunctionType]:
    """The Python functions behind a class attribute."""
    whole = member
    parts: list[object] = [member]
    if isinstance(member, (staticmethod, classmethod)):
        parts = [getattr(whole, "__func__", None)]
    elif isinstance(member, property):
        parts = [member.fget, member.fset, member.fdel]
    yield from (part for part in parts if isinstance(part, FunctionType))


def _owner(cls: type, name: str) -> type | None:
    return next((o for o in cls.__mro__ if o is not object and name in vars(o)), None)


@lru_cache(maxsize=256)
def _standard_class(module: str, name: str) -> type | None:
    """A class of the standard library, or `None`."""
    found = getattr(_standard_module(module), name, None)
    found = getattr(found, "__origin__", found)
    return found if isinstance(found, type) else None


def _standard_module(name: str) -> ModuleType | None:
    """A module of the standard library, or `None`; nothing else is ever imported."""
    import importlib

    top = name.split(".", maxsplit=1)[0]
    if top not in STDLIB or name == "__main__" or not _is_from_standard_library(top):
        return None
    try:
        return importlib.import_module(name)
    except Exception:  # noqa: BLE001 - a platform's missing module, or an optional part of it
        return None


def _is_from_standard_library(top: str) -> bool:
    """Whether importing the name runs Python's own file, not one of a repository on the path."""
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
