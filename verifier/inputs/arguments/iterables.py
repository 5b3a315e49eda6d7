"""What can be gone through once, or awaited: around the values that it gives.

Iterators, asynchronous ones and awaitables are known by the annotation, else by what the function
does with the parameter.
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
    """What an expression awaits at once, or hands to asyncio for that."""
    match node:
        case ast.Await(value=value):
            return (value,)
        case ast.Call(func=ast.Attribute() as func, args=args):
            name = ast.unparse(func)
            given = args if name == _ALL_AWAITED else args[:1] if name in AWAITING else ()
            return tuple(each.value if isinstance(each, ast.Starred) else each for each in given)
        case _:
            return ()


def gone_through(node: FunctionNode, arg: ast.arg, texts: Iterable[str]) -> tuple[str, ...]:
    """The expressions for a parameter, each around what it gives where it has to be.

    Args:
        node: the function.
        arg: its parameter; of one that takes the rest, expressions are lists of what it takes.
        texts: expressions for the values.
    """
    plain = tuple(texts)
    said = _said(arg.annotation)
    kind = said or _used(node, arg.arg)
    if kind is None:
        return plain
    is_rest = arg is node.args.vararg
    made = tuple(_of_each(kind, text) if is_rest else _around(kind, text) for text in plain)
    # what is only used so may be something else in another branch
    return made if said else tuple(dict.fromkeys((*made, *plain)))


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


def _said(annotation: ast.expr | None) -> Kind | None:
    """What an annotation says; of a text, what stands in it."""
    match annotation:
        case ast.Constant(value=str() as text):
            try:
                return _said(ast.parse(text, mode="eval").body)
            except SyntaxError:
                return None
        case ast.Subscript(value=value):
            return _said(value)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _KINDS.get(name)
        case _:
            return None


def _used(node: FunctionNode, name: str) -> Kind | None:
    """What the body does with the parameter, that nothing else stands."""
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
