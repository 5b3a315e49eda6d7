"""Models of standard-library functions and methods on texts: `pathlib`, `os.path`, `str`."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence

from ...analysis.values.texts import NOTHING_KNOWN, Text, Texts, below, filled, mapped, summed

NAME_PARTS: dict[str, Callable[[str], str]] = {
    "name": posixpath.basename,
    "stem": lambda text: posixpath.splitext(posixpath.basename(text))[0],
    "suffix": lambda text: posixpath.splitext(text)[1],
}
"""Attributes of a path that give a part of its name."""
_SPLITTERS: dict[str, Callable[[str], tuple[str, str]]] = {
    "os.path.split": posixpath.split,
    "os.path.splitext": posixpath.splitext,
}
_CHANGES: dict[str, Callable[[str], str]] = {
    "os.path.dirname": posixpath.dirname,
    "os.path.basename": posixpath.basename,
    "os.path.normpath": posixpath.normpath,
}
METHODS = frozenset(
    "joinpath with_name with_suffix format replace removesuffix rstrip resolve absolute expanduser "
    "as_posix __str__ strip".split()
)
"""Methods that `call_method` models."""
_JOINERS = frozenset(
    "pathlib.Path pathlib.PurePath pathlib.PosixPath pathlib.PurePosixPath os.path.join "
    "anyio.Path upath.UPath".split()
)
_SAME = frozenset(
    "builtins.str os.fspath os.fsdecode os.path.abspath os.path.realpath os.path.expanduser "
    "os.path.expandvars os.path.normcase importlib.resources.as_file "
    "importlib_resources.as_file".split()
)
CONSTANTS: dict[str, Texts] = {
    f"{module}.{name}": (Text(text),)
    for module in ("os", "os.path")
    for name, text in (("sep", "/"), ("pardir", ".."), ("curdir", "."), ("extsep", "."))
}
"""Constants with known texts, by their dotted names."""
FUNCTIONS = _JOINERS | _SAME | _CHANGES.keys()
"""Functions that `call_function` models."""


def call_function(name: str, arguments: Sequence[Texts]) -> Texts:
    """Return the result of a modelled function for positional arguments."""
    if not arguments:
        return NOTHING_KNOWN
    first, *others = arguments
    if name in _JOINERS:
        return below(arguments)
    if name in _SAME:
        return first
    if name in _CHANGES and not others:
        return mapped(first, _CHANGES[name])
    return NOTHING_KNOWN


def call_method(name: str, texts: Texts, arguments: Sequence[Texts]) -> Texts:
    """Return the result of a modelled method of strings or paths for positional arguments."""
    match name, arguments:
        case "joinpath", parts:
            return below([texts, *parts])
        case "with_name", [part]:
            return below([mapped(texts, posixpath.dirname), part])
        case "with_suffix", [part]:
            stems = mapped(texts, lambda text: posixpath.splitext(text)[0])
            return summed([stems, part])
        case "format", values:
            return filled(texts, "{", values)
        case "replace", [(Text(is_open=False) as old,), (Text(is_open=False) as new,)]:
            return mapped(texts, lambda text: text.replace(old.text, new.text), closed=True)
        case "removesuffix", [(Text(is_open=False) as end,)]:
            return mapped(texts, lambda text: text.removesuffix(end.text), closed=True)
        case "rstrip", [(Text(is_open=False) as end,)]:
            return mapped(texts, lambda text: text.rstrip(end.text), closed=True)
        case (("resolve" | "absolute" | "expanduser" | "as_posix" | "__str__" | "strip"), _):
            return texts
        case _:
            return NOTHING_KNOWN


def ancestor(texts: Texts, number: int) -> Texts:
    """Return `path.parents[number]`."""
    for _ in range(number + 1):
        texts = mapped(texts, posixpath.dirname)
    return texts


def split_part(method: str, texts: Texts, separator: str, most: int | None, index: int) -> Texts:
    """Return one part of a string's `split`, `rsplit`, `partition` or `rpartition`."""
    limit = () if most is None else (most,)

    def taken(known: str) -> str:
        parts = getattr(known, method)(separator, *limit)
        return parts[index] if -len(parts) <= index < len(parts) else known

    return mapped(texts, taken, closed=True)


def path_splitter(functions: Sequence[str]) -> Callable[[str], tuple[str, str]] | None:
    """Return the first of these functions that splits a path in two."""
    return next((_SPLITTERS[name] for name in functions if name in _SPLITTERS), None)
