"""Calls of a repository's functions, recorded while its tests ran in the sandbox.

The records are untrusted text. A value is an expression that writes a class or function of the
repository as `REPOSITORY(path, qualname)`, since its name in a script is only known there.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, cast

REPOSITORY = "slice_func_repository"
"""Function name that stands for a class or function of the repository, called with path and
qualified name."""
UNKNOWN = "slice_func_unknown"
"""Name that stands for a value that cannot be written."""
STATE = "slice_func_state"
"""Keyword with an instance's attributes and the place of its constructor."""
PLACE = "slice_func_place"
"""Function name that stands for a path, called with it and the files there; folders end with a
slash."""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One call of a function, with the values at that time as expressions."""

    path: str
    """Path of the function's file."""
    qualname: str
    arguments: tuple[tuple[str, str], ...] = ()
    """Pairs of parameter and value, without defaults; an empty value could not be written."""
    receiver: str = ""
    """The instance that a method is called on; empty if none, or if it could not be written."""
    states: tuple[tuple[str, str], ...] = ()
    """Attributes of the receiver that differ from a new instance's, with their values."""
    contents: tuple[tuple[str, str], ...] = ()
    """The entries put into the receiver: keys, or `.append` and the like, each with a value."""
    files: tuple[tuple[str, str], ...] = ()
    """Files at the paths that are passed, with their text; folders end with a slash. Raw records
    have them inside the expressions."""
    test: str = ""
    """The test that made the call."""
    is_cut: bool = False
    """Whether only the beginning of a long text was recorded."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Return all expressions that could be written."""
        expressions = (
            self.receiver,
            *(t for _, t in (*self.arguments, *self.states)),
            *(t for pair in self.contents for t in pair if not t.startswith(".")),
        )
        return tuple(filter(None, expressions))

    @property
    def unwritten(self) -> tuple[str, ...]:
        """Return parameters whose value could not be written."""
        return tuple(name for name, text in self.arguments if not text)

    @property
    def is_complete(self) -> bool:
        """Whether every value could be written."""
        return not self.is_cut and all(text and UNKNOWN not in text for _, text in self.arguments)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The calls of one function, and the tests that they come from."""

    calls: tuple[RecordedCall, ...] = ()
    scope: Literal["target", "repository"] = "target"
    """Whether only the likeliest tests for the function ran, or all tests."""


def recorded_calls(records: Iterable[str]) -> tuple[RecordedCall, ...]:
    """Return the calls among the records of a run; malformed ones are left out."""
    return tuple(dict.fromkeys(call for text in records if (call := _call(text)) is not None))


def _call(text: str) -> RecordedCall | None:
    try:
        record: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match record:
        case {"kind": "call", "call": {"receiver": str(), "states": list(), "arguments": list()}}:
            known = cast("dict[str, dict[str, object]]", record)["call"]
        case _:
            return None
    named = cast("dict[str, object]", record)
    contents = (_content(*pair) for pair in _pairs(known.get("contents")))
    return RecordedCall(
        _text(named.get("path")),
        _text(named.get("qualname")),
        tuple(_pairs(known["arguments"])),
        _text(known["receiver"]),
        tuple(
            (name, text) for name, text in _pairs(known["states"]) if name.isidentifier() and text
        ),
        tuple(each for each in contents if each is not None),
        test=_text(named.get("test")),
        is_cut=named.get("cut") is True,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _pairs(items: object) -> Iterator[tuple[str, str]]:
    for item in cast("list[object]", items) if isinstance(items, list) else ():
        match item:
            case [str() as name, str() as text]:
                yield name, text
            case _:
                pass


def _content(key: str, text: str) -> tuple[str, str] | None:
    """Return an entry of the receiver as Python unparses it; `None` if it is no code."""
    try:
        value = ast.unparse(ast.parse(text, mode="eval"))
        is_method = key in (".append", ".add")
        return (key if is_method else ast.unparse(ast.parse(key, mode="eval"))), value
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def named_definitions(
    texts: Iterable[str],
) -> tuple[tuple[tuple[str, str], tuple[str, str]], ...]:
    """Return definitions that expressions use, as path and qualified name.

    Each comes with what its use needs: itself, or for an instance also its constructor's
    definition.
    """
    found: dict[tuple[tuple[str, str], tuple[str, str]], None] = {}
    for text in texts:
        try:
            tree = ast.parse(text, mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if (named := referred(node)) is not None:
                found[named, named] = None
            elif isinstance(node, ast.Call) and (named := referred(node.func)) is not None:
                found[named, constructor_of(node) or named] = None
    return tuple(found)


def referred(node: ast.AST) -> tuple[str, str] | None:
    """Return path and qualified name if the node stands for a definition of the repository."""
    match node:
        case ast.Call(
            func=ast.Name(id=name),
            args=[ast.Constant(value=str() as path), ast.Constant(value=str() as qualname)],
        ) if name == REPOSITORY:
            return path, qualname
        case _:
            return None


def constructor_of(node: ast.Call) -> tuple[str, str] | None:
    """Return where an instance's constructor is defined; `None` if outside the repository."""
    match next((k.value for k in node.keywords if k.arg == STATE), None):
        case ast.Dict(
            values=[ast.Tuple([ast.Constant(str() as path), ast.Constant(str() as name)]), *_]
        ) if path:
            return path, name
        case _:
            return None
