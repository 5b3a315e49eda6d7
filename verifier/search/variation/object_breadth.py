"""Variations of values that are no literals: exceptions, times, durations, answers of stand-ins."""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterator

_EXCEPTIONS = ("ValueError", "KeyError", "RuntimeError", "OSError", "Exception")
_ANSWERS = (
    ("of a text", "'answer-1'"),
    ("of a number", "7"),
    ("of a list", "['answer-1', 'answer-2']"),
    ("as asked", "args[0] if args else None"),
)
_ZONES = (
    ("UTC", "__import__('datetime').timezone.utc"),
    (
        "+05:45",
        "__import__('datetime').timezone(__import__('datetime').timedelta(hours=5, minutes=45))",
    ),
)
_SLICES = (
    "slice(None)", "slice(1, None)", "slice(None, 3)", "slice(1, 5, 2)", "slice(None, None, -1)",
    "slice(0, 0, 0)", "slice('a', 'b')",
)  # fmt: skip
_DURATIONS = (
    ("of days", {"days": 2, "hours": 3, "microseconds": 5}),
    ("negative", {"seconds": -90}),
    ("of seconds", {"seconds": 59, "microseconds": 999_999}),
    ("none", dict[str, int]()),
)


def other_objects(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:  # noqa: C901 - a case for each kind of object
    """Yield other values of the kind that an expression makes, each with a tag."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if _is_exception(name):
            for other in _EXCEPTIONS:
                if other != name:
                    yield f"exception: {other}", ast.Call(_name(other), node.args, node.keywords)
        case ast.Call(
            func=ast.Name(id="type"), args=[ast.Constant(value=str() as name), bases, members]
        ):
            other = [ast.Constant(f"Other{name}"), copy.deepcopy(bases), copy.deepcopy(members)]
            yield "class: of another name", ast.Call(node.func, other, [])
        case ast.Call(func=ast.Attribute(attr="datetime")) if node.args or node.keywords:
            if not any(each.arg == "tzinfo" for each in node.keywords):
                for tag, zone in _ZONES:
                    keyword = ast.keyword("tzinfo", _parsed(zone))
                    yield f"time: {tag}", ast.Call(node.func, node.args, [*node.keywords, keyword])
        case ast.Call(func=ast.Name(id="slice")):
            yield from ((f"slice: {text}", _parsed(text)) for text in _SLICES)
        case ast.Call(func=ast.Attribute(attr="timedelta")):
            for tag, given in _DURATIONS:
                keywords = [ast.keyword(key, ast.Constant(value)) for key, value in given.items()]
                yield f"duration: {tag}", ast.Call(node.func, [], keywords)
        case ast.Lambda(body=ast.Constant(value=None), args=ast.arguments(vararg=ast.arg("args"))):
            for tag, body in _ANSWERS:
                yield f"answer: {tag}", ast.Lambda(copy.deepcopy(node.args), _parsed(body))
            if not node.args.args:  # a function that is passed, no method: a type is one, too
                yield from _types()
        case ast.Lambda(body=ast.Name(id="args"), args=ast.arguments(vararg=ast.arg("args"))):
            yield from _types()
        case ast.Lambda(
            body=ast.Constant(value=str() | bytes() as literal),
            args=ast.arguments(vararg=ast.arg("args")),
        ):
            other = (
                literal.encode() if isinstance(literal, str) else literal.decode("utf-8", "replace")
            )
            yield (
                "answer: of the other text type",
                ast.Lambda(copy.deepcopy(node.args), ast.Constant(other)),
            )
        case _:
            pass


def _types() -> Iterator[tuple[str, ast.expr]]:
    """Yield types as functions."""
    yield from ((f"answer: {name}", _name(name)) for name in ("dict", "str"))


def _is_exception(name: str) -> bool:
    found: object = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, BaseException)


def _name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
