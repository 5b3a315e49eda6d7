"""Drafts in which something that is called, or awaited, raises what the handler around it catches.

Stand-ins answer whatever they are asked, so a handler waits for a failure that never comes.
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
from ...inputs.candidates.caught_exceptions import CaughtException
from ...mutation.mutated_block import Block
from ..drafts.drafts import Draft
from ..drafts.raising_expressions import throwing, throwing_later
from ..drafts.recording_stand_ins import class_name
from .handler_exceptions import asked_errors, asks

_MOST_CAUGHT = 2
"""Classes of one handler."""
_MOST_NAMES = 6
_SAID = "'failed'"
_ANY = {"Exception": "RuntimeError", "BaseException": "RuntimeError", "StandardError": "OSError"}
"""What is raised of those that catch nearly everything."""
_TAKES = {
    "UnicodeDecodeError": f"'utf-8', b'a', 0, 1, {_SAID}",
    "UnicodeEncodeError": f"'ascii', 'é', 0, 1, {_SAID}",
    "CalledProcessError": f"1, {_SAID}",
    "TimeoutExpired": f"{_SAID}, 1",
    "JSONDecodeError": f"{_SAID}, '', 0",
}
"""Arguments of classes that a text alone does not do for."""
_URL_ERROR = f"'http://localhost', 404, {_SAID}, {{}}, None"
"""Arguments of urllib's `HTTPError`; those of other libraries take a text."""


@dataclass(frozen=True, slots=True)
class _Use:
    """Something that may raise."""

    name: str
    """Of a method, or of what is called, or awaited, by its name."""
    owner: str = ""
    """What the method is of, as far as that is plain."""
    raises: Literal["called", "awaited", "itself"] = "called"
    """When: as soon as it is called, or when what it gives is awaited, or it is awaited itself."""


@dataclass(frozen=True, slots=True)
class _Watched:
    """A handler, and what is called where it watches."""

    first: int
    """The line with which what it watches begins."""
    handler: ast.ExceptHandler
    uses: tuple[_Use, ...]


def open_handlers(
    block: Block, missing: frozenset[int], ways: frozenset[int] = frozenset()
) -> Iterator[tuple[int, int]]:
    """For handlers that nothing came to the line where they begin, and that where `try` does.

    Those that ask what the exception says are open until all of their ways on were taken.

    Args:
        block: the target's text.
        missing: lines that never ran.
        ways: lines from which a way on was never taken.
    """
    for each in _watched(block):
        line, end = each.handler.body[0].lineno, each.handler.end_lineno or 0
        is_left = asks(each.handler) and not ways.isdisjoint(range(line, end + 1))
        if line in missing or is_left:
            yield line, each.first


def failing(inputs: Inputs, block: Block, draft: Draft, line: int) -> Iterator[Draft]:
    """The draft with one thing that is called raising what a handler catches.

    Args:
        inputs: what can be given to the target.
        block: the target's text.
        draft: one that comes to where the handler watches.
        line: the first of the handler's body.
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
    """Names, and what the function puts there at last."""
    found: dict[str, ast.expr] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=value):
                found[name] = value
            case _:
                pass
    return found


def _uses(body: list[ast.stmt], made: Mapping[str, ast.expr]) -> tuple[_Use, ...]:
    """What is called and awaited there, each name once."""
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
    """A name that is awaited: what has been called for it before, or a parameter."""
    match node:
        case ast.Name(name) if name in made:
            calls = (n for n in ast.walk(made[name]) if isinstance(n, ast.Call))
            yield from (use for call in calls for use in _called(call, is_awaited=True))
        case ast.Name(name):
            yield _Use(name, raises="itself")
        case _:
            pass


def _owner(value: ast.expr) -> str:
    """A parameter, the target's own instance, or an attribute of that; empty for anything else."""
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
    """Expressions for what it catches."""
    match handler.type:
        case None:
            named: list[ast.expr] = [ast.Name("Exception")]
        case ast.Tuple(elts=items):
            named = items
        case only:
            named = [only]
    for cls in islice((cls for each in named for cls in _caught(each, known)), _MOST_CAUGHT):
        made = tuple(_made(cls))
        yield from made
        name = _ANY.get(cls.cls, cls.cls)
        yield from (each for text in made for each in asked_errors(handler, name, text))


def _caught(
    named: ast.expr, known: Mapping[str, tuple[CaughtException, ...]]
) -> tuple[CaughtException, ...]:
    """The classes that stand behind what a handler names."""
    text = ast.unparse(named)
    plain = (CaughtException(text),) if isinstance(named, ast.Name | ast.Attribute) else ()
    return known.get(text, plain)


def _made(caught: CaughtException) -> Iterator[str]:
    """Instances of a class."""
    if caught.made:
        yield caught.made
    name = caught.cls.rpartition(".")[2]
    text = _ANY.get(caught.cls, caught.cls)
    yield f"{text}({_TAKES.get(name, _SAID)})"
    if name == "HTTPError":
        yield f"{text}({_URL_ERROR})"
    elif not hasattr(builtins, text) and name not in _TAKES:
        yield f"{text}()"


# --------------------------------------------------------------------------- who raises


def _with_failure(inputs: Inputs, draft: Draft, use: _Use, made: str) -> Iterator[Draft]:
    """The draft with that of its stand-ins raising which bears a name; else what is put there."""
    given = dict(draft.arguments)
    name, owner = use.name, use.owner
    raised = throwing(made) if use.raises == "called" else throwing_later(made)
    if use.raises == "itself":
        if name in given:
            yield draft.given([(name, f"{_object(name, 'run', raised)}.run()")])
        return
    function = _object(name, "__call__", raised)
    if name in given:
        yield draft.given([(name, function)])
        return
    texts = tuple(_replaced(text, name, raised) for text in draft.texts)
    if texts != draft.texts:
        yield draft.with_texts(texts)
    elif owner in given:
        yield draft.given([(owner, _object(owner, name, raised))])
    elif inputs.kind in ("method", "property"):
        if owner == "self" and name != inputs.qualname.rpartition(".")[2]:
            yield _in_state(draft, name, function)
        elif owner.startswith("self."):
            attribute = owner.removeprefix("self.")
            yield _in_state(draft, attribute, _object(attribute, name, raised))


def _object(name: str, method: str, raised: str) -> str:
    """What is given under a name, with a method that raises."""
    members = f"{method!r}: lambda self, *args, **named: {raised}"
    if method in ("__enter__", "__aenter__"):  # nothing is entered that could not be left
        members += f", {method.replace('enter', 'exit')!r}: lambda self, *error: None"
    return f"type({class_name(name)!r}, (), {{{members}}})()"


def _in_state(draft: Draft, attribute: str, text: str) -> Draft:
    head = f"{{it}}.{attribute} = "
    kept = (each for each in draft.before if not each.startswith(head))
    return replace(draft, before=(*kept, f"{head}{text}"))


def _replaced(text: str, name: str, raised: str) -> str:
    """An expression, or a statement, with the method of its stand-ins raising."""
    if name not in text or "lambda" not in text:
        return text
    head, sign, value = ("", "", text)
    if text.startswith("{it}."):
        head, sign, value = text.partition(" = ")
    try:
        tree = ast.parse(value, mode="eval")
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
        for member, held in members:
            if member == name and isinstance(held, ast.Lambda):
                held.body = ast.parse(raised, mode="eval").body
                is_changed = True
    return f"{head}{sign}{ast.unparse(tree)}" if is_changed else text
