"""Iterators, asynchronous iterators and awaitables, wrapped around the values that they yield.

The annotation tells which is needed, else what the function does with the parameter.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Literal

from ....mocker.flow.library.library_flow import AWAITING
from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode

Kind = Literal["iterator", "generator", "asynchronous", "awaitable"]
_KINDS: dict[str, Kind] = {
    "Iterator": "iterator", "Generator": "generator",
    "AsyncIterator": "asynchronous", "AsyncIterable": "asynchronous",
    "AsyncGenerator": "asynchronous",
    "Awaitable": "awaitable", "Coroutine": "awaitable",
}  # fmt: skip
_ALL_AWAITED = "asyncio.gather"
"""Awaits each of its arguments."""


def awaited(node: ast.AST) -> tuple[ast.expr, ...]:
    """Return the expressions that a node awaits, or passes to asyncio to await."""
    match node:
        case ast.Await(value=value):
            return (value,)
        case ast.Call(func=ast.Attribute() as func, args=args):
            name = ast.unparse(func)
            given = args if name == _ALL_AWAITED else args[:1] if name in AWAITING else ()
            return tuple(each.value if isinstance(each, ast.Starred) else each for each in given)
        case _:
            return ()


def wrap_iterables(node: FunctionNode, arg: ast.arg, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the expressions for a parameter, wrapped in an iterator or awaitable where needed.

    Args:
        node: the function.
        arg: its parameter; for `*args`, expressions are lists.
        texts: expressions for the values.
    """
    plain = tuple(texts)
    annotated = _annotated_kind(arg.annotation)
    kind = annotated or _used(node, arg.arg)
    if kind is None:
        return plain
    is_rest = arg is node.args.vararg
    made = tuple(_of_each(kind, text) if is_rest else _around(kind, text) for text in plain)
    # another branch may use it as something else
    return made if annotated else tuple(dict.fromkeys((*made, *plain)))


def _around(kind: Kind, text: str) -> str:
    match kind:
        case "iterator" if text.startswith("["):
            return f"iter({text})"
        case "generator" if text.startswith("["):
            return f"(each for each in {text})"
        case "asynchronous" if text.startswith("["):
            return f'(await __import__("asyncio").sleep(0, each) for each in {text})'
        case "awaitable" if text != "None":
            return f'__import__("asyncio").sleep(0, {text})'
        case _:
            return text


def _of_each(kind: Kind, text: str) -> str:
    match ast.parse(text, mode="eval").body:
        case ast.List(elts=elements):
            return f"[{', '.join(_around(kind, ast.unparse(each)) for each in elements)}]"
        case _:
            return text


def _annotated_kind(annotation: ast.expr | None) -> Kind | None:
    """Return the kind that an annotation names, also inside a string."""
    match annotation:
        case ast.Constant(value=str() as text):
            try:
                return _annotated_kind(ast.parse(text, mode="eval").body)
            except SyntaxError:
                return None
        case ast.Subscript(value=value):
            return _annotated_kind(value)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _KINDS.get(name)
        case _:
            return None


def _used(node: FunctionNode, name: str) -> Kind | None:
    """Return the kind that only an iterator or awaitable supports, by the function's uses."""
    return next((kind for each in ast.walk(node) for kind in _uses(each, name)), None)


def _uses(node: ast.AST, name: str) -> Iterator[Kind]:
    match node:
        case ast.AsyncFor(iter=ast.Name(id=used)) if used == name:
            yield "asynchronous"
        case ast.comprehension(iter=ast.Name(id=used), is_async=1) if used == name:
            yield "asynchronous"
        case ast.Call(func=ast.Name(id="next"), args=[ast.Name(id=used), *_]) if used == name:
            yield "iterator"
        case _:
            if any(isinstance(each, ast.Name) and each.id == name for each in awaited(node)):
                yield "awaitable"
