"""Sketches of values: type, size and content, as far as an expression shows them unexecuted."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from functools import lru_cache

from .recorded_calls import PLACE, REPOSITORY

_COLLECTIONS = frozenset("list tuple set frozenset dict deque".split())
_ARRAYS = {"numpy": "ndarray", "torch": "Tensor"}
"""Maps a library to the type that its functions make."""
_MAKERS = frozenset("arange array asarray eye full linspace ones tensor zeros".split())
_DISPLAYS = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set"}


@dataclass(frozen=True, slots=True)
class Sketch:
    """The known properties of a value."""

    type: str
    """Name of its class, without module; `function` and `type` for functions and types."""
    value: int | float | str | bytes | bool | None = None
    """Value of a literal."""
    items: tuple[Sketch, ...] = ()
    """Items of a collection; values of a dictionary."""
    keys: tuple[Sketch, ...] = ()
    """Keys of a dictionary."""
    is_literal: bool = False

    @property
    def length(self) -> int | None:
        """Return the number of items or characters; `None` if unknown."""
        if self.type in _COLLECTIONS:
            return len(self.items)
        return len(self.value) if isinstance(self.value, (str, bytes)) else None

    @property
    def number(self) -> int | float | None:
        """Return the value if it is a number."""
        is_number = isinstance(self.value, (int, float)) and not isinstance(self.value, bool)
        return self.value if is_number else None  # pyright: ignore[reportReturnType]


UNSEEN = Sketch("")
"""The sketch of an unknown value."""


@lru_cache(maxsize=4_096)  # hundreds of drafts differ in one text each
def sketch_of(text: str) -> Sketch:
    """Return the sketch of an expression, recorded or in a script's namespace."""
    try:
        return _sketch(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return UNSEEN


def _sketch(node: ast.expr) -> Sketch:
    match node:
        case ast.Constant(value=None):
            return Sketch("NoneType", is_literal=True)
        case ast.Constant(value=bool() | int() | float() | str() | bytes() as value):
            return Sketch(type(value).__name__, value, is_literal=True)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            found = _sketch(operand)
            if found.number is None:
                return found if found.type in _ARRAYS.values() else UNSEEN
            return Sketch(type(found.number).__name__, -found.number, (), (), True)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return Sketch(_DISPLAYS[type(node)], None, tuple(map(_sketch, items)))
        case ast.Dict(keys=keys, values=items):
            names = tuple(_sketch(key) for key in keys if key is not None)
            return Sketch("dict", None, tuple(map(_sketch, items)), names)
        case ast.Lambda():
            return Sketch("function")
        case ast.Call(func=function, args=arguments):
            return _made(function, arguments)
        case ast.Attribute() | ast.Name():
            return _named(node)
        case _:
            return UNSEEN


def _made(function: ast.expr, arguments: list[ast.expr]) -> Sketch:
    """Return the sketch of a call: an instance of the called class, unless it stands for a name."""
    match function, arguments:
        case ast.Name(id=name), [ast.Constant(), ast.Constant(value=str() as qualname)] if (
            name == REPOSITORY
        ):
            return Sketch("type" if qualname.rpartition(".")[2][:1].isupper() else "function")
        case ast.Name(id=name), [ast.Constant(value=str() as path), _] if name == PLACE:
            return Sketch("str", path, is_literal=True)
        case ast.Name(id="set" | "frozenset" | "list" | "tuple" as name), [*given]:
            return Sketch(name, None, _sketch(given[0]).items if given else ())
        case ast.Name(id="float"), [ast.Constant(value=str() as text)]:
            return Sketch("float", float(text), is_literal=True)
        case ast.Call(func=ast.Name(id="type"), args=[ast.Constant(value=str() as name), *_]), _:
            return Sketch(name)
        case ast.Attribute(
            value=ast.Call(func=ast.Name(id="__import__"), args=[ast.Constant(value=str() as of)]),
            attr=name,
        ), _ if of in _ARRAYS and name in _MAKERS:
            return Sketch(_ARRAYS[of])
        case ast.Attribute(value=ast.Call(func=inner, args=given), attr="reshape"), _:
            return _made(inner, given)
        case _:
            name = _name(function)
            return Sketch(name) if name else UNSEEN


def _named(node: ast.expr) -> Sketch:
    """Return the sketch of a name: a builtin, or a class member such as an enum's."""
    match node:
        case ast.Name(id=name):
            found: object = getattr(builtins, name, None)
            if isinstance(found, type):
                return Sketch("type")
            return Sketch("function" if callable(found) else "")
        case ast.Attribute(value=owner):
            name = _name(owner)
            return Sketch(name) if name[:1].isupper() else UNSEEN
        case _:
            return UNSEEN


def _name(node: ast.expr) -> str:
    """Return the last part of a dotted name."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(
            func=ast.Name(id=called),
            args=[ast.Constant(), ast.Constant(value=str() as qualname)],
        ) if called == REPOSITORY:
            return qualname.rpartition(".")[2]
        case _:
            return ""
