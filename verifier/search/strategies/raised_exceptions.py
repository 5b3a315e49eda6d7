"""Drafts in which something called or awaited raises the exception that its handler catches.

Stand-ins answer every call, so without these drafts a handler waits in vain.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Literal

from ...inputs.argument_pools import Inputs
from ...inputs.arguments.iterables import awaited
from ...inputs.proposals.caught_exceptions import CaughtException
from ...inputs.statements import Statement, on_receiver, without
from ...mutation.mutated_block import Block
from ..drafts.drafts import Draft
from ..drafts.raising_expressions import throwing, throwing_later
from ..drafts.recording_stand_ins import class_name

_MOST_CAUGHT = 2
"""Exception classes tried for one handler."""
_MOST_NAMES = 6
_MESSAGE = "'failed'"
_ANY = {"Exception": "RuntimeError", "BaseException": "RuntimeError", "StandardError": "OSError"}
"""Exceptions raised for handlers that catch nearly everything."""
_TAKES = {
    "UnicodeDecodeError": f"'utf-8', b'a', 0, 1, {_MESSAGE}",
    "UnicodeEncodeError": f"'ascii', 'é', 0, 1, {_MESSAGE}",
    "CalledProcessError": f"1, {_MESSAGE}",
    "TimeoutExpired": f"{_MESSAGE}, 1",
    "JSONDecodeError": f"{_MESSAGE}, '', 0",
}
"""Constructor arguments of exceptions that need more than a text."""
_URL_ERROR = f"'http://localhost', 404, {_MESSAGE}, {{}}, None"
"""Arguments of urllib's `HTTPError`. Those of other libraries take a text."""


@dataclass(frozen=True, slots=True)
class _Use:
    """Something that may raise."""

    name: str
    """Name of the method or function that is called or awaited."""
    owner: str = ""
    """Object of the method, where that is plain."""
    raises: Literal["called", "awaited", "itself"] = "called"
    """When it raises: when called, when its result is awaited, or when it is awaited itself."""


@dataclass(frozen=True, slots=True)
class _Watched:
    """A handler, and the calls in its `try` block."""

    first: int
    """First line of the `try` block."""
    handler: ast.ExceptHandler
    uses: tuple[_Use, ...]


def open_handlers(block: Block, missing: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Yield, for each uncovered handler, its first line and that of its `try` block.

    Args:
        block: the target's text.
        missing: lines that never ran.
    """
    for each in _watched(block):
        line = each.handler.body[0].lineno
        if line in missing:
            yield line, each.first


def failing(inputs: Inputs, block: Block, draft: Draft, line: int) -> Iterator[Draft]:
    """Yield the draft with one call raising what a handler catches.

    Args:
        inputs: what can be given to the target.
        block: the target's text.
        draft: a draft that reaches the `try` block.
        line: first line of the handler's body.
    """
    known = {draft}
    for each in _watched(block):
        if each.handler.body[0].lineno != line:
            continue
        for use in each.uses:
            for raised in _raised(each.handler, dict(inputs.caught)):
                for made in _with_failure(inputs, draft, use, raised):
                    if made not in known:
                        known.add(made)
                        yield made


# --------------------------------------------------------------------------- what is watched


def _watched(block: Block) -> Iterator[_Watched]:
    for function in block.functions:
        made = _assigned(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Try | ast.TryStar):
                uses = _uses(node.body, made)
                yield from (_Watched(node.body[0].lineno, each, uses) for each in node.handlers)


def _assigned(function: ast.AST) -> dict[str, ast.expr]:
    """Map names to what the function binds to them last."""
    found: dict[str, ast.expr] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=value):
                found[name] = value
            case _:
                pass
    return found


def _uses(body: list[ast.stmt], made: Mapping[str, ast.expr]) -> tuple[_Use, ...]:
    """Return what is called or awaited in a block, each name once."""
    nodes = [n for statement in body for n in ast.walk(statement)]
    waited = [each for node in nodes for each in awaited(node)]
    found: dict[str, _Use] = {}
    for use in chain(
        (use for node in nodes for use in _called(node, is_awaited=node in waited)),
        (use for each in waited for use in _waited(each, made)),
    ):
        found.setdefault(use.name, use)
    return tuple(islice(found.values(), _MOST_NAMES))


def _called(node: ast.AST, *, is_awaited: bool) -> Iterator[_Use]:
    match node:
        case ast.Call(func=ast.Attribute(value, name)):
            yield _Use(name, _owner(value), "awaited" if is_awaited else "called")
        case ast.Call(func=ast.Name(name)):
            yield _Use(name, raises="awaited" if is_awaited else "called")
        case ast.Subscript(value=value, ctx=ast.Load()):
            yield _Use("__getitem__", _owner(value))
        case ast.For(iter=value) | ast.comprehension(iter=value, is_async=0):
            yield _Use("__iter__", _owner(value))
        case ast.AsyncFor(iter=value) | ast.comprehension(iter=value):
            yield _Use("__aiter__", _owner(value))
        case ast.With(items=[item, *_]):
            yield _Use("__enter__", _owner(item.context_expr))
        case ast.AsyncWith(items=[item, *_]):
            yield _Use("__aenter__", _owner(item.context_expr))
        case _:
            pass


def _waited(node: ast.expr, made: Mapping[str, ast.expr]) -> Iterator[_Use]:
    """Yield what an awaited name stands for: an earlier call, or a parameter."""
    match node:
        case ast.Name(name) if name in made:
            calls = (n for n in ast.walk(made[name]) if isinstance(n, ast.Call))
            yield from (use for call in calls for use in _called(call, is_awaited=True))
        case ast.Name(name):
            yield _Use(name, raises="itself")
        case _:
            pass


def _owner(value: ast.expr) -> str:
    """Return a parameter, the target's own instance or its attribute; empty for anything else."""
    match value:
        case ast.Name(name):
            return name
        case ast.Attribute(ast.Name("self"), name):
            return f"self.{name}"
        case _:
            return ""


# --------------------------------------------------------------------------- what is raised


def _raised(
    handler: ast.ExceptHandler, known: Mapping[str, tuple[CaughtException, ...]]
) -> Iterator[str]:
    """Yield expressions for the exceptions that a handler catches."""
    match handler.type:
        case None:
            named: list[ast.expr] = [ast.Name("Exception")]
        case ast.Tuple(elts=items):
            named = items
        case only:
            named = [only]
    for cls in islice((cls for each in named for cls in _caught(each, known)), _MOST_CAUGHT):
        yield from _made(cls)


def _caught(
    named: ast.expr, known: Mapping[str, tuple[CaughtException, ...]]
) -> tuple[CaughtException, ...]:
    """Return the classes behind the expression in an `except` clause."""
    text = ast.unparse(named)
    plain = (CaughtException(text),) if isinstance(named, ast.Name | ast.Attribute) else ()
    return known.get(text, plain)


def _made(caught: CaughtException) -> Iterator[str]:
    """Yield expressions for instances of an exception class."""
    if caught.made:
        yield caught.made
    name = caught.cls.rpartition(".")[2]
    text = _ANY.get(caught.cls, caught.cls)
    yield f"{text}({_TAKES.get(name, _MESSAGE)})"
    if name == "HTTPError":
        yield f"{text}({_URL_ERROR})"
    elif not hasattr(builtins, text) and name not in _TAKES:
        yield f"{text}()"


# --------------------------------------------------------------------------- who raises


def _with_failure(inputs: Inputs, draft: Draft, use: _Use, made: str) -> Iterator[Draft]:
    """Yield the draft with the stand-in of that name raising, or with a new object for it."""
    given = dict(draft.arguments)
    name, owner = use.name, use.owner
    raised = throwing(made) if use.raises == "called" else throwing_later(made)
    if use.raises == "itself":
        if name in given:
            yield draft.with_arguments([(name, f"{_object(name, 'run', raised)}.run()")])
        return
    function = _object(name, "__call__", raised)
    if name in given:
        yield draft.with_arguments([(name, function)])
        return
    texts = tuple(_replaced(text, name, raised) for text in draft.texts)
    if texts != draft.texts:
        yield draft.with_texts(texts)
    elif owner in given:
        yield draft.with_arguments([(owner, _object(owner, name, raised))])
    elif inputs.kind in ("method", "property"):
        if owner == "self" and name != inputs.qualname.rpartition(".")[2]:
            yield _in_state(draft, name, function)
        elif owner.startswith("self."):
            attribute = owner.removeprefix("self.")
            yield _in_state(draft, attribute, _object(attribute, name, raised))


def _object(name: str, method: str, raised: str) -> str:
    """Return an object for a name, with a method that raises."""
    members = f"{method!r}: lambda self, *args, **named: {raised}"
    if method in ("__enter__", "__aenter__"):  # `with` needs an exit, too
        members += f", {method.replace('enter', 'exit')!r}: lambda self, *error: None"
    return f"type({class_name(name)!r}, (), {{{members}}})()"


def _in_state(draft: Draft, attribute: str, text: str) -> Draft:
    place = on_receiver(f".{attribute}")
    kept = without(draft.before, place)
    return replace(draft, before=(*kept, Statement.setting(place, text)))


def _replaced(text: str, name: str, raised: str) -> str:
    """Return an expression or statement whose stand-ins raise in the named method."""
    if name not in text or "lambda" not in text:
        return text
    statement = Statement(text)
    try:
        tree = ast.parse(statement.value if statement.is_on_receiver else text, mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return text
    is_changed = False
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="type"), args=[_, _, ast.Dict(keys, values)]):
                known = [key.value if isinstance(key, ast.Constant) else None for key in keys]
                members = zip(known, values, strict=True)
            case ast.Call(func=ast.Attribute(attr="SimpleNamespace"), keywords=keywords):
                members = ((each.arg, each.value) for each in keywords)
            case _:
                continue
        for member, function in members:
            if member == name and isinstance(function, ast.Lambda):
                function.body = ast.parse(raised, mode="eval").body
                is_changed = True
    if not is_changed:
        return text
    made = ast.unparse(tree)
    return Statement.setting(statement.place, made).text if statement.is_on_receiver else made
