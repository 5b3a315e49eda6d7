"""What nobody compares: logging, the words of an exception, and text beside a returned value.

An environment compares printed text only where a case shows nothing else. So what a target only
prints is not counted where it returns something, although a case in which it returns nothing could
see it; and standard error is compared nowhere.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .block import Block, Function, own_nodes

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
_TRANSLATORS = frozenset("_ gettext ngettext pgettext npgettext gettext_lazy".split())
_HARMLESS = frozenset(
    "abs bool bytes dict enumerate float format getattr hasattr hex id int isinstance len list max "
    "min repr reversed round set sorted str sum tuple type zip range "
    "capitalize center count endswith find get items join keys ljust lower lstrip replace rjust "
    "rstrip split startswith strip strftime isoformat title upper values".split()
)
"""Calls that change nothing: a statement with others in it does more than print."""


def unseen_nodes(block: Block) -> Iterator[ast.AST]:
    """Nodes of the block whose changes no comparison sees."""
    own = _own_functions(block)
    for function in block.functions:
        returns = returns_something(function)
        looks = _Looks(own.answering, own.printing, to_either=returns)
        yield from _words_to_raise(function)
        yield from _only_read_by_unseen(function, looks)
        for node in ast.walk(function):
            match node:
                case ast.stmt() if looks.is_unseen(node):
                    yield node
                case ast.Call(func=ast.Name("input"), args=[prompt]) if returns:
                    yield prompt
                case ast.Raise(exc=ast.Call(args=args, keywords=keywords)):
                    yield from (each for each in args if _is_words(each))
                    yield from (k.value for k in keywords if _is_words(k.value))
                case ast.Assert(msg=message) if message is not None:
                    yield message
                case _:
                    pass


@dataclass(frozen=True, slots=True)
class _Looks:
    """What is known of calls when a statement is looked at."""

    answering: frozenset[str] = frozenset()
    """Functions of the file that only answer."""
    printing: frozenset[str] = frozenset()
    """Functions of the file that only print."""
    to_either: bool = True
    """Whether standard output is not looked at, no more than standard error."""

    def is_unseen(self, node: ast.stmt) -> bool:
        """Whether a statement logs or prints, or does that under a condition, and nothing else."""
        match node:
            case ast.Expr(value=ast.Call() as call):
                return _is_logging(call.func) or self._only_prints(call)
            case ast.If(test=test, body=body, orelse=orelse):
                inner = [each for each in (*body, *orelse) if not isinstance(each, ast.Pass)]
                return bool(inner) and all(map(self.is_unseen, inner)) and self.is_harmless(test)
            case _:
                return False

    def is_harmless(self, expression: ast.expr) -> bool:
        """Whether it is only computed."""
        return not any(self._does_more(node) for node in ast.walk(expression))

    def _only_prints(self, call: ast.Call) -> bool:
        """Whether a call prints where nobody looks, and does nothing else."""
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


def _own_functions(block: Block) -> _Looks:
    """The file's functions that only answer, and those that only print, with what they call."""
    try:
        body = ast.parse(block.text).body
    except (SyntaxError, ValueError, RecursionError):
        return _Looks()
    bound = [name for node in body for name in _bound(node)]
    functions = [
        node
        for node in body
        if isinstance(node, ast.FunctionDef)
        and not node.decorator_list
        and bound.count(node.name) == 1
    ]
    found = _Looks()
    for _ in functions:
        answering = frozenset(f.name for f in functions if _only(f.body, found, prints=False))
        printing = frozenset(f.name for f in functions if _only(f.body, found, prints=True))
        if (answering, printing) == (found.answering, found.printing):
            break
        found = _Looks(answering, printing)
    return found


def _bound(node: ast.stmt) -> list[str]:
    """Names that a statement of a module defines or stores."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return [each.id for each in names if isinstance(each.ctx, ast.Store)]


def _only(body: list[ast.stmt], looks: _Looks, *, prints: bool) -> bool:
    """Whether statements only compute and answer; or compute, print, and answer nothing."""
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


def _only_read_by_unseen(function: Function, looks: _Looks) -> Iterator[ast.stmt]:
    """Statements that store in a name what is read by nothing but unseen ones."""
    nodes = list(ast.walk(function))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    shared = {
        n for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for n in node.names
    }
    unseen = [node for node in nodes if isinstance(node, ast.stmt) and looks.is_unseen(node)]
    if not unseen:
        return
    while True:
        inside = {id(inner) for node in unseen for inner in ast.walk(node)}
        read = {n.id for n in names if isinstance(n.ctx, ast.Load) and id(n) not in inside}
        stores = [node for node in nodes if isinstance(node, ast.Assign | ast.AugAssign)]
        found = [
            node
            for node in stores
            if id(node) not in inside
            and (name := _stored(node))
            and name not in read | shared
            and looks.is_harmless(node.value)
            and not any(map(_may_fail, ast.walk(node)))
        ]
        if not found:
            return
        yield from found
        unseen += found


def _may_fail(node: ast.AST) -> bool:
    """Whether it is of a kind that raises for some values, which would be seen."""
    match node:
        case ast.Subscript() | ast.Attribute() | ast.Div() | ast.FloorDiv() | ast.Mod() | ast.Pow():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name not in ("len", "str", "repr", "bool", "type", "format")
        case _:
            return False


def _stored(node: ast.Assign | ast.AugAssign) -> str:
    """The one name that a statement stores in; empty where it stores elsewhere, too."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            return name
        case _:
            return ""


def returns_something(function: Function) -> bool:
    """Whether it returns or yields a value somewhere that is not the constant `None`."""
    if isinstance(function, ast.Lambda):
        return True
    for node in own_nodes(function):
        match node:
            case ast.Return(value=ast.expr() as value):
                if not (isinstance(value, ast.Constant) and value.value is None):
                    return True
            case ast.Yield() | ast.YieldFrom():
                return True
            case _:
                pass
    return False


def _words_to_raise(function: Function) -> Iterator[ast.expr]:
    """Texts that are bound to a name which is read by nothing but what is raised."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    raised = {
        id(inner)
        for node in ast.walk(function)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
        for given in (*node.exc.args, *(k.value for k in node.exc.keywords))
        if isinstance(given, ast.Name) or _is_words(given)
        for inner in ast.walk(given)
    }
    loads = [each for each in names if isinstance(each.ctx, ast.Load)]
    elsewhere = {each.id for each in loads if id(each) not in raised}
    for node in ast.walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal):
            elsewhere.update(node.names)
    only_raised = {each.id for each in loads} - elsewhere
    for node in ast.walk(function):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AugAssign(target=ast.Name(id=name), value=value)
            ) if name in only_raised and _is_words(value):
                yield value
            case _:
                pass


def _is_words(node: ast.expr) -> bool:
    match node:
        case ast.JoinedStr() | ast.Constant(value=str()):
            return True
        case ast.BinOp(left=left, right=right):
            return _is_words(left) or _is_words(right)
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            return _is_words(value)
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _TRANSLATORS:
            return _is_words(first)
        case _:
            return False


def _is_logging(func: ast.expr) -> bool:
    """A method of a logger that says something, or a function of such a name.

    `self.log.append` is none.
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
    """Where a call prints to; empty for one that does not, or to a file."""
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
