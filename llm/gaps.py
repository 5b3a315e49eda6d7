"""The gap that inputs leave: lines of a function that no call has reached, and calls for them.

A model gives expressions and nothing else. What they may hold is checked here, before anything of
them is run: they build values and lay out files, but change neither the target nor what it needs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from .model import Request
from .prompts import messages
from .settings import Settings

MOST_CALLS = 6
"""Of one answer that are tried."""
_MOST_CHARACTERS = 2_000
"""Of one call."""
_MOST_CONTEXT = 24_000
"""Characters of the script that are shown; the rest is left out, and that is said."""
_REFUSED_NAMES = frozenset(
    """__builtins__ __import__ breakpoint builtins compile ctypes delattr eval exec exit gc globals
    help importlib input inspect locals mock multiprocessing print quit random runpy secrets setattr
    signal slice_func_mocks socket subprocess sys threading time unittest vars""".split()
)
"""What reaches into other code, out of the process, or shows something else each time."""
_OS = frozenset("environ fspath linesep makedirs mkdir path sep".split())
_MAKES_FILES = frozenset(
    "mkdir makedirs touch write write_bytes write_text writelines writerow writerows".split()
)


class Argument(BaseModel):
    """What one parameter is given."""

    name: str
    value: str


class Call(BaseModel):
    """One call of the target, in expressions."""

    receiver: str = ""
    arguments: list[Argument] = []
    before: list[str] = []


class Calls(BaseModel):
    """What a model answers."""

    calls: list[Call]


@dataclass(frozen=True, slots=True)
class InputGap:
    """What a model is told of a function that is not reached in full."""

    function: str
    """Its lines, with their numbers."""
    context: str
    """The script that it stands in."""
    calls: str
    """How it is called."""
    missing: str
    """What was not reached."""
    tried: str
    """What calls that came close have done."""
    purpose: str


def inputs_request(gap: InputGap, settings: Settings) -> Request[Calls]:
    """The question for calls that reach what is missing.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    context = gap.context
    if len(context) > _MOST_CONTEXT:
        context = (
            f"{context[:_MOST_CONTEXT]}\n# … and {len(context) - _MOST_CONTEXT} characters more"
        )
    parts = {
        "function": gap.function,
        "context": context,
        "calls": gap.calls,
        "missing": gap.missing,
        "tried": gap.tried or "Nothing has come close.",
        "most": str(MOST_CALLS),
    }
    return Request(messages("inputs", parts, settings.prompts), Calls, gap.purpose)


def faults(call: Call, parameters: Sequence[str], *, takes_receiver: bool) -> Iterator[str]:
    """What is wrong with a call, before it is run.

    Args:
        call: as the model gives it.
        parameters: names that can be given.
        takes_receiver: whether the target is called on an object.
    """
    if sum(map(len, (call.receiver, *call.before, *(a.value for a in call.arguments)))) > (
        _MOST_CHARACTERS
    ):
        yield f"it has more than {_MOST_CHARACTERS} characters"
        return
    if takes_receiver != bool(call.receiver):
        yield "it needs a receiver" if takes_receiver else "a function has no receiver"
    names = [argument.name for argument in call.arguments]
    for name in sorted({*names} - {*parameters}):
        yield f"there is no parameter {name}"
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"{name} is given twice"
    for text in (call.receiver, *(argument.value for argument in call.arguments)):
        if text:
            yield from _faults_of_expression(text)
    for text in call.before:
        yield from _faults_of_statement(text)


def _faults_of_expression(text: str) -> Iterator[str]:
    tree = _parsed(text, "eval")
    yield from [f"`{text}` is no expression"] if tree is None else _reaching_out(tree)


def _faults_of_statement(text: str) -> Iterator[str]:
    """Statements lay out files, set variables of the environment, or bring the object somewhere."""
    tree = _parsed(text.replace("{it}", "_it"), "exec")
    if not isinstance(tree, ast.Module):
        yield f"`{text}` is no statement"
        return
    for node in tree.body:
        if not _is_preparation(node):
            yield f"`{ast.unparse(node).replace('_it', '{it}')}` is no preparation of a call"
    yield from _reaching_out(tree)


def _parsed(text: str, mode: str) -> ast.AST | None:
    try:
        return ast.parse(text, mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_preparation(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(ast.Call(ast.Attribute(owner, name))):
            return name in _MAKES_FILES or _root(owner) == "_it"
        case ast.Assign([ast.Subscript(ast.Attribute(ast.Name("os"), "environ"))]):
            return True
        case ast.Assign([ast.Attribute(owner) | ast.Subscript(owner)]):
            return _root(owner) == "_it"
        case ast.With(items=[ast.withitem(ast.Call(ast.Name("open")), ast.Name())], body=body):
            return all(_is_preparation(each) for each in body)
        case _:
            return False


def _root(node: ast.AST) -> str:
    """The name that a chain of attributes, items and calls begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _reaching_out(tree: ast.AST) -> Iterator[str]:
    """Uses of what a call has no business with."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(name) if name in _REFUSED_NAMES:
                yield f"{name} is not to be used"
            case ast.Attribute(ast.Name("object"), "__new__"):
                pass
            case ast.Attribute(ast.Name("os"), name) if name not in _OS:
                yield f"os.{name} is not to be used"
            case ast.Attribute(_, name) if name.startswith("__") or name in _REFUSED_NAMES:
                yield f"{name} is not to be used"
            case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
                yield f"`{ast.unparse(node)}` is no value"
            case _:
                pass
