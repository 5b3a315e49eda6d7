"""The kind of a value, as far as an expression or annotation shows it.

A user would not pass a value of another kind than all that is known of a parameter.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

Kinds = frozenset[str]
"""Names of kinds; an empty set if nothing is known."""

UNKNOWN: Kinds = frozenset()
_NUMBERS = frozenset({"int", "float"})
_ANNOTATIONS: dict[str, Kinds] = {
    "int": frozenset({"int"}), "float": _NUMBERS, "complex": frozenset({"complex", *_NUMBERS}),
    "bool": frozenset({"bool"}), "str": frozenset({"str"}), "Text": frozenset({"str"}),
    "LiteralString": frozenset({"str"}), "bytes": frozenset({"bytes"}),
    "None": frozenset({"NoneType"}), "list": frozenset({"list"}), "List": frozenset({"list"}),
    "tuple": frozenset({"tuple"}), "Tuple": frozenset({"tuple"}), "set": frozenset({"set"}),
    "Set": frozenset({"set"}), "dict": frozenset({"dict"}), "Dict": frozenset({"dict"}),
    "Optional": frozenset({"NoneType"}),
}  # fmt: skip
_WRAPPERS = frozenset(
    {"Optional", "Union", "Annotated", "Final", "ClassVar", "Required", "NotRequired"}
)


@lru_cache(maxsize=4_096)  # hundreds of drafts differ in one text each
def kind_of(text: str) -> str:
    """Return the kind of an expression's value: a type's name, its maker, or an empty text."""
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return ""
    match node:
        case ast.Constant(value=value) | ast.UnaryOp(operand=ast.Constant(value=value)):
            return type(value).__name__
        case ast.List() | ast.ListComp():
            return "list"
        case ast.Tuple():
            return "tuple"
        case ast.Set() | ast.SetComp():
            return "set"
        case ast.Dict() | ast.DictComp():
            return "dict"
        case (
            ast.JoinedStr()
            | ast.BinOp(left=ast.Constant(value=str()))
            | ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join" | "format"))
        ):
            return "str"
        case ast.Lambda():
            return "function"
        case ast.Call(func=ast.Lambda() | ast.Call(func=ast.Name(id="type"))):
            # an instance of a class made on the spot; a callable one counts as a function
            return "function" if _is_called(node) else "object"
        case ast.Call(func=ast.Name(id=name)) if name in _ANNOTATIONS:
            return name
        case _:
            return ""


def _is_called(node: ast.Call) -> bool:
    """Whether instances of the outermost class made on the spot are callable."""
    made = next((n for n in ast.walk(node) if isinstance(n, ast.Dict)), ast.Dict([], []))
    return any(isinstance(key, ast.Constant) and key.value == "__call__" for key in made.keys)


def annotated_kinds(node: ast.expr | None) -> Kinds:
    """Return the kinds that an annotation allows; nothing if it allows non-literals, too."""
    match node:
        case ast.Constant(value=None):
            return frozenset({"NoneType"})
        case ast.Constant(value=str() as text):
            try:
                return annotated_kinds(ast.parse(text.strip(), mode="eval").body)
            except SyntaxError:
                return UNKNOWN
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _ANNOTATIONS.get(name, UNKNOWN)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _all((left, right))
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner):
            if name == "Literal":
                return UNKNOWN
            if name not in _WRAPPERS:
                return _ANNOTATIONS.get(name, UNKNOWN)
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            found = _all(parts[:1] if name == "Annotated" else parts)
            return found | {"NoneType"} if found and name == "Optional" else found
        case _:
            return UNKNOWN


def of_annotated(texts: Iterable[str], annotation: ast.expr | None) -> list[str]:
    """Return the expressions whose kinds an annotation allows, or whose kinds are unknown.

    Callers of a method are found by name, and may call another method of that name.
    """
    kinds = annotated_kinds(annotation)
    kinds |= {"bool"} if "int" in kinds else UNKNOWN
    return [text for text in texts if not kinds or kind_of(text) in {"", *kinds}]


def _all(nodes: list[ast.expr] | tuple[ast.expr, ...]) -> Kinds:
    found = [annotated_kinds(each) for each in nodes]
    return UNKNOWN.union(*found) if all(found) else UNKNOWN
