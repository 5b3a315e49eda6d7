"""Statements that only log or print, and functions of a file that do nothing else.

Standard error is never compared, and standard output only if a function shows nothing else.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

_LOGGERS = frozenset("log logger logging _log _logger LOG LOGGER _LOGGER warnings".split())
_LEVELS = frozenset(
    "debug info warning warn error exception critical fatal log trace success notice "
    "warn_explicit".split()
)
_LOGGING_FUNCTION = re.compile(
    r"_?log_?(?:verbose|debug|info|warn|warning|error|message|msg|status|exception)"
)
_WRITERS = frozenset(
    "print pprint pp secho echo print_exc print_exception print_stack print_tb".split()
)
_CONSOLES = frozenset("console _console CONSOLE rich_console".split())
_CONSOLE_WRITERS = frozenset("print log rule print_json out".split())
_HARMLESS = frozenset(
    "abs bool bytes dict enumerate float format getattr hasattr hex id int isinstance len list max "
    "min repr reversed round set sorted str sum tuple type zip range "
    "capitalize center count endswith find get items join keys ljust lower lstrip replace rjust "
    "rstrip split startswith strip strftime isoformat title upper values".split()
)
"""Calls without effects. A statement with any other call does more than print."""


@dataclass(frozen=True, slots=True)
class CallKnowledge:
    """The known facts about calls when a statement is analysed."""

    answering: frozenset[str] = frozenset()
    """Functions of the file that only compute an answer."""
    printing: frozenset[str] = frozenset()
    """Functions of the file that only print."""
    logging: frozenset[str] = frozenset()
    """The file's names for methods of its loggers."""
    showing: frozenset[tuple[str, str | int]] = frozenset()
    """Functions of the file with the parameters, by name and position, that they only print or put
    into a prompt."""
    raising: frozenset[tuple[str, str | int]] = frozenset()
    """Functions of the file with the parameters that only become arguments of an exception."""
    to_either: bool = True
    """Whether standard output is ignored as well as standard error."""

    def is_unseen(self, node: ast.stmt) -> bool:
        """Whether a statement only logs or prints, perhaps under a condition."""
        match node:
            case ast.Expr(value=ast.Call() as call):
                return self._logs(call.func) or self._only_prints(call)
            case ast.If(test=test, body=body, orelse=orelse):
                inner = [each for each in (*body, *orelse) if not isinstance(each, ast.Pass)]
                return bool(inner) and all(map(self.is_unseen, inner)) and self.is_harmless(test)
            case _:
                return False

    def is_harmless(self, expression: ast.expr) -> bool:
        """Whether an expression has no effects."""
        return not any(self._does_more(node) for node in ast.walk(expression))

    def _logs(self, func: ast.expr) -> bool:
        return _is_logging(func) or (isinstance(func, ast.Name) and func.id in self.logging)

    def _only_prints(self, call: ast.Call) -> bool:
        """Whether a call only prints to an ignored stream."""
        match call.func:
            case ast.Name(id=name) if name in self.printing:
                is_printing = self.to_either
            case _:
                stream = _stream(call)
                is_printing = bool(stream) and (self.to_either or stream != "stdout")
        return is_printing and all(map(self.is_harmless, _given(call)))

    def _does_more(self, node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in self.answering:
                return False
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                return name not in _HARMLESS
            case ast.Call() | ast.Await() | ast.Yield() | ast.YieldFrom() | ast.NamedExpr():
                return True
            case _:
                return False


@lru_cache(maxsize=8)  # each stage asks about the same script
def classified_functions(text: str) -> CallKnowledge:
    """Return a file's functions that only answer, and those that only print, with their callees."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return CallKnowledge()
    bound = [name for node in body for name in _bound(node)]
    logging = frozenset(name for name in map(_logging_name, body) if bound.count(name) == 1)
    functions = [
        node
        for node in body
        if isinstance(node, ast.FunctionDef)
        and not node.decorator_list
        and bound.count(node.name) == 1
    ]
    found = CallKnowledge(logging=logging)
    for _ in functions:
        answering = frozenset(f.name for f in functions if _only(f.body, found, prints=False))
        printing = frozenset(f.name for f in functions if _only(f.body, found, prints=True))
        if (answering, printing) == (found.answering, found.printing):
            break
        found = CallKnowledge(answering, printing, logging)
    return replace(
        found,
        showing=frozenset(each for f in functions for each in _only_given_to(f, _shows)),
        raising=frozenset(each for f in functions for each in _only_given_to(f, _raises)),
    )


def _shows(node: ast.AST) -> ast.Call | None:
    """Return the call by which a node prints or prompts."""
    return node if isinstance(node, ast.Call) and (_asks(node) or _stream(node)) else None


def _raises(node: ast.AST) -> ast.Call | None:
    """Return the call that makes the exception that a node raises."""
    return node.exc if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) else None


def _only_given_to(
    function: ast.FunctionDef, call_of: Callable[[ast.AST], ast.Call | None]
) -> Iterator[tuple[str, str | int]]:
    """Yield the function with each parameter, by name and position, only passed to such calls."""
    inside = {
        id(inner)
        for node in ast.walk(function)
        if (call := call_of(node)) is not None
        for given in _given(call)
        if CallKnowledge().is_harmless(given)
        for inner in ast.walk(given)
    }
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    used = {node.id for node in names if id(node) not in inside}
    read = {node.id for node in names} - used
    given = function.args
    for position, parameter in enumerate([*given.posonlyargs, *given.args, *given.kwonlyargs]):
        if parameter.arg in read:
            yield function.name, parameter.arg
            if parameter not in given.kwonlyargs:
                yield function.name, position


def _logging_name(node: ast.stmt) -> str:
    """Return the name that a statement gives to a logger's method; empty for others."""
    match node:
        case ast.Assign(targets=[ast.Name(name)], value=ast.Attribute() as method):
            return name if _is_logging(method) else ""
        case _:
            return ""


def _asks(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "input"


def _bound(node: ast.stmt) -> list[str]:
    """Return the names that a module-level statement defines or assigns."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return [each.id for each in names if isinstance(each.ctx, ast.Store)]


def _only(body: list[ast.stmt], looks: CallKnowledge, *, prints: bool) -> bool:
    """Whether statements only compute and return; or only compute and print."""
    for node in body:
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.Return(value=None):
                is_so = True
            case ast.Assign(targets=[ast.Name()], value=value):
                is_so = looks.is_harmless(value)
            case ast.Return(value=ast.expr() as value):
                is_so = not prints and looks.is_harmless(value)
            case ast.If(test=test, body=inner, orelse=rest):
                is_so = looks.is_harmless(test) and _only([*inner, *rest], looks, prints=prints)
            case ast.For(target=ast.Name(), iter=items, body=inner, orelse=[]):
                is_so = looks.is_harmless(items) and _only(inner, looks, prints=prints)
            case _:
                is_so = prints and looks.is_unseen(node)
        if not is_so:
            return False
    return True


def _is_logging(func: ast.expr) -> bool:
    """Whether it is a logging method of a logger, or a function with such a name.

    `self.log.append` is not.
    """
    if isinstance(func, ast.Name):
        return _LOGGING_FUNCTION.fullmatch(func.id) is not None
    if not isinstance(func, ast.Attribute) or func.attr not in _LEVELS:
        return False
    node: ast.expr = func.value
    while isinstance(node, (ast.Attribute, ast.Call)):
        if isinstance(node, ast.Attribute):
            if node.attr in _LOGGERS:
                return True
            node = node.value
        else:
            node = node.func
    return isinstance(node, ast.Name) and node.id in _LOGGERS


def _stream(call: ast.Call) -> str:
    """Return the stream that a call prints to; empty if it prints to none, or to a file."""
    match call.func:
        case ast.Attribute(value=ast.Attribute(attr="stdout" | "stderr" as stream), attr="write"):
            return stream
        case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=name) if (
            owner in _CONSOLES and name in _CONSOLE_WRITERS
        ):
            return "stdout"
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(), attr=name) if name in _WRITERS:
            files = [k.value for k in call.keywords if k.arg == "file"]
            named = [each.attr for each in files if isinstance(each, ast.Attribute)]
            if files:
                return named[0] if named and named[0] in {"stdout", "stderr"} else ""
            is_error = any(k.arg == "err" for k in call.keywords) or name.startswith("print_")
            return "stderr" if is_error else "stdout"
        case _:
            return ""


def _given(call: ast.Call) -> tuple[ast.expr, ...]:
    return (*call.args, *(k.value for k in call.keywords))
