"""Which methods an external base class calls on its subclasses, and which names it defines.

A repository class that derives from an external class may override methods that only the base's own
code calls. Such overrides are kept as soon as that code may run.
"""

from __future__ import annotations

from abc import ABCMeta
from functools import lru_cache
from types import ClassMethodDescriptorType

from .standard_code import (
    implementing_functions,
    name_prefixes,
    owner_of,
    reachable_names,
    standard_class,
)

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
    "contextlib.ContextDecorator": frozenset({"__enter__", "__exit__", "_recreate_cm"}),
    "contextlib.AsyncContextDecorator": frozenset({"__aenter__", "__aexit__", "_recreate_cm"}),
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
    "unittest.IsolatedAsyncioTestCase": frozenset({"asyncSetUp", "asyncTearDown"}),
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
    "pickle.Pickler": frozenset({"reducer_override", "persistent_id"}),
    "pickle.Unpickler": frozenset({"persistent_load", "find_class"}),
    "torch.nn.Module": frozenset({"forward", "extra_repr", "reset_parameters", "train"}),
    "pydantic.BaseModel": frozenset({"model_*", "dict", "json"}),
}  # fmt: skip
"""External base → members that its own code calls on subclasses (`*` ends a prefix)."""
_INHERITED: dict[tuple[str, str], frozenset[str]] = {
    ("builtins", "BaseExceptionGroup"): frozenset({"derive"}),
    ("collections.abc", "Set"): frozenset({"_from_iterable", "_hash"}),
    ("urllib.request", "BaseHandler"): frozenset({"*"}),
}
"""(module, class) → members that external code calls on instances of any class derived from it."""
_STARTED: dict[str, frozenset[str]] = dict.fromkeys(
    ("unittest.TestCase", "unittest.IsolatedAsyncioTestCase"), frozenset({"test*"})
)
"""External base → members that its code also calls when a runner starts an instance."""
STARTS = ("run", "debug", "__call__")
"""Members of a base that start an instance."""
_COMPLETE_MODULES = frozenset(
    {"abc", "collections", "enum", "io", "pydantic", "torch", "types", "typing"}
)
"""Modules for whose classes the table is complete; for other modules their code is read as well."""


def is_started_by_runners(base: str, name: str) -> bool:
    """Whether the member starts an instance of the base; only its runners call it."""
    return name in STARTS and base in _STARTED


def external_hooks(base: str, entry: str | None) -> frozenset[str] | None:
    """Return the names that the code of an external base may call on its subclasses.

    Args:
        base: dotted name of the base class.
        entry: the member of the base that is called; `None` if any may be.

    Returns:
        The names, `*` ending a prefix; `None` if they are unknown.
    """
    module, _, name = base.rpartition(".")
    inherited = _inherited_hooks(module, name)
    own = _own_hooks(base, entry)
    return None if own is None else own | inherited


def _own_hooks(base: str, entry: str | None) -> frozenset[str] | None:
    known = _HOOKS.get(base)
    if known is not None and entry in STARTS:
        known |= _STARTED.get(base, frozenset())
    module, _, name = base.rpartition(".")
    if known is not None and module.partition(".")[0] in _COMPLETE_MODULES:
        return known
    if module == "builtins":
        return frozenset()
    found = _standard_hooks(module, name, entry)
    return found if known is None else known | (found or frozenset())


@lru_cache(maxsize=2048)
def _inherited_hooks(module: str, name: str) -> frozenset[str]:
    found = standard_class(module, name)
    owners = found.__mro__ if found else ()
    kinds = [(owner.__module__, owner.__qualname__) for owner in owners]
    return frozenset(hook for kind in kinds for hook in _INHERITED.get(kind, ()))


def abstract_methods(base: str) -> frozenset[str]:
    """Return the methods that a subclass must define before it can be instantiated."""
    module, _, name = base.rpartition(".")
    found = standard_class(module, name)
    return getattr(found, "__abstractmethods__", frozenset())


@lru_cache(maxsize=2048)
def deciding_members(kind: str) -> tuple[str, ...]:
    """Return the members by which a standard class (`Sized`) recognises virtual subclasses."""
    module, _, name = kind.rpartition(".")
    found = standard_class(module, name)
    if found is None or "__subclasshook__" not in vars(found) or found is object:
        return ()
    names: set[str] = set(getattr(found, "__abstractmethods__", ()))
    for function in implementing_functions(vars(found)["__subclasshook__"]):
        texts = (text for text in function.__code__.co_consts if isinstance(text, str))
        names |= {text for text in texts if text.startswith("__") and text.endswith("__")}
    if "__hash__" in names:
        names.add("__eq__")  # which removes the hash
    return tuple(sorted(names))


def shapes_subclasses(base: str) -> bool:
    """Whether the base may read the body of a subclass when the subclass is created."""
    if base in _NO_METHODS:
        return base == "typing.NamedTuple"
    module, _, name = base.rpartition(".")
    found = standard_class(module, name)
    if found is None:
        return True
    return type(found) not in (type, ABCMeta) or owner_of(found, "__init_subclass__") is not None


def hook_matches(hook: str, name: str) -> bool:
    """Whether a hook of the table matches the name."""
    return name.startswith(hook[:-1]) if hook.endswith("*") else name == hook


def base_defines(base: str, name: str) -> bool:
    """Whether an external base may define the name; true if the base is unknown."""
    module, _, short = base.rpartition(".")
    if base in _NO_METHODS:
        return False
    found = standard_class(module, short)
    if found is None:
        return True
    return owner_of(found, name) is not None


@lru_cache(maxsize=2048)
def is_alternative_constructor(base: str, name: str) -> bool:
    """Whether a member of a standard class is an alternative constructor: `date.fromisoformat`."""
    module, _, short = base.rpartition(".")
    found = None if name.startswith("_") else standard_class(module, short)
    if found is None:
        return False
    owner = owner_of(found, name)
    if owner is not None:
        return isinstance(vars(owner)[name], (classmethod, ClassMethodDescriptorType))
    maker = owner_of(type(found), name)
    return maker is not None and maker not in (type, ABCMeta)


@lru_cache(maxsize=2048)
def derives_from(base: str, kind: str) -> bool:
    """Whether an external class is, or derives from, another one; true if unknown."""
    module, _, name = base.rpartition(".")
    other, _, other_name = kind.rpartition(".")
    found, wanted = standard_class(module, name), standard_class(other, other_name)
    if found is None or wanted is None:
        return base == kind or (found is None and wanted is not None and _is_exception(wanted))
    try:
        return issubclass(found, wanted)
    except TypeError:  # a protocol for type checkers only: test for its members
        return all(hasattr(found, name) for name in vars(wanted) if not name.startswith("_"))


def _is_exception(cls: type) -> bool:
    return issubclass(cls, BaseException)


@lru_cache(maxsize=2048)
def _standard_hooks(module: str, name: str, entry: str | None) -> frozenset[str] | None:
    """Return names that a member of a standard class reaches; without one, abstract or all
    names.
    """
    found = standard_class(module, name)
    if found is None:
        return None
    abstract: frozenset[str] = getattr(found, "__abstractmethods__", frozenset())
    everything = abstract or frozenset(
        name for owner in found.__mro__ if owner is not object for name in vars(owner)
    )
    if entry is None:
        members = (m for c in found.__mro__ for m in vars(c).values())
        return everything | {
            p for m in members for f in implementing_functions(m) for p in name_prefixes(f)
        }
    behind = reachable_names(found, entry)
    if behind is None:
        return everything
    names, is_bare = behind
    return names | {n for n in everything if is_bare and n.startswith("__") and n.endswith("__")}
