"""The kind of a value, as far as an expression or an annotation shows it.

A value of another kind than all that is known of a parameter is no input that a user would give.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

Kinds = frozenset[str]
"""Names of kinds; an empty set where nothing is known."""

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
    """The kind of an expression's value: a type's name, what is called to make it, or nothing."""
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
            # a stand-in of a class that is made on the spot; one that is called is a function
            return "function" if _is_called(node) else "object"
        case ast.Call(func=ast.Name(id=name)) if name in _ANNOTATIONS:
            return name
        case _:
            return ""


def _is_called(node: ast.Call) -> bool:
    """Whether the outermost class that is made there has instances that can be called."""
    made = next((n for n in ast.walk(node) if isinstance(n, ast.Dict)), ast.Dict([], []))
    return any(isinstance(key, ast.Constant) and key.value == "__call__" for key in made.keys)


def annotated_kinds(node: ast.expr | None) -> Kinds:
    """The kinds that an annotation allows; nothing where it allows what has no literal, too."""
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
    """Those of some expressions whose kinds an annotation allows, or that show none.

    Who calls a method is found by its name, and may call another one of that name.
    """
    kinds = annotated_kinds(annotation)
    kinds |= {"bool"} if "int" in kinds else UNKNOWN
    return [text for text in texts if not kinds or kind_of(text) in {"", *kinds}]


def _all(nodes: list[ast.expr] | tuple[ast.expr, ...]) -> Kinds:
    found = [annotated_kinds(each) for each in nodes]
    return UNKNOWN.union(*found) if all(found) else UNKNOWN
