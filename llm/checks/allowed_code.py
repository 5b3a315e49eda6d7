"""Code that a model's call may contain: building values, laying out files, preparing a call.

Everything else is refused before anything runs: a model may edit neither the target nor its
dependencies.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

_MOST_CHARACTERS = 2_000
"""Maximum number of characters of one call."""
_BUILTINS = frozenset(
    """ArithmeticError AssertionError AttributeError BaseException ConnectionError Ellipsis
    Exception FileNotFoundError IndexError IsADirectoryError KeyError KeyboardInterrupt LookupError
    NotImplemented NotImplementedError OSError OverflowError PermissionError RuntimeError
    StopIteration SystemExit TimeoutError TypeError UnicodeError ValueError ZeroDivisionError bool
    bytearray bytes complex dict enumerate filter float frozenset int iter len list map max
    memoryview min next object range reversed round set slice sorted str sum tuple zip""".split()
)
"""Builtins that make plain values; other builtins can do more."""
_MODULES = frozenset(
    """Decimal Fraction OrderedDict Path SimpleNamespace array base64 collections datetime decimal
    fractions io ipaddress json math np numpy os pathlib pd pandas re string types uuid""".split()
)
"""Modules and classes that a call may use, besides classes and functions of the script."""
_OF_OS = frozenset("fspath linesep path sep".split())
_CHANCE = frozenset(
    """cwd environ getenv home now random today utcnow uuid1 uuid4 FunctionType CodeType MethodType
    ModuleType new_class prepare_class resolve_bases coroutine""".split()
)
"""Attributes whose value differs between runs, or that create code."""
_CHANGES = frozenset(
    """add append cache_clear clear discard extend insert pop popitem register remove setdefault
    setitem sort update""".split()
)
"""Methods that change their receiver; only the receiver statement may call them."""
_INNER = re.compile(r"_|(?:ag|co|cr|f|func|gi|tb)_")
"""Prefixes of attribute names that lead into code objects."""
_MAKES_FILES = frozenset(
    "mkdir makedirs touch write write_bytes write_text writelines writerow writerows".split()
)
_RECEIVER = "{it}"
"""How a model writes the receiver in statements before the call, as its prompt asks."""
_ALONE = re.compile(rf"(?<![\w.{{]){re.escape(_RECEIVER)}(?![\w}}])")
_VALUES = (
    ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Call, ast.keyword,
    ast.Starred, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp, ast.BoolOp,
    ast.Compare, ast.IfExp, ast.Lambda, ast.arguments, ast.arg, ast.JoinedStr, ast.FormattedValue,
    ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.Load,
)  # fmt: skip


class Argument(BaseModel):
    """What one parameter is given."""

    name: str
    value: str


class Call(BaseModel):
    """One call of the target, in expressions."""

    receiver: str = ""
    arguments: list[Argument] = []
    before: list[str] = []


@dataclass(frozen=True, slots=True)
class Signature:
    """Arguments that a target can take, and names that a call must not touch."""

    parameters: tuple[str, ...]
    takes_receiver: bool
    defined: frozenset[str] = frozenset()
    """Names of functions and classes in the script."""


def checked(call: Call, known: Signature) -> tuple[Call, tuple[str, ...]]:
    """Return the call as it may be tried, with each text normalised, and the faults found in it."""
    faults = list(_faults_of_form(call, known))
    reading = _Reading(known, faults)
    receiver = reading.expression(call.receiver) if call.receiver and not faults else ""
    arguments = [
        Argument(name=each.name, value=reading.expression(each.value))
        for each in (call.arguments if not faults else ())
    ]
    before = [reading.statement(each) for each in (call.before if not faults else ())]
    made = Call(receiver=receiver, arguments=arguments, before=before)
    return made, tuple(dict.fromkeys(faults))


def _faults_of_form(call: Call, known: Signature) -> Iterator[str]:
    texts = (call.receiver, *call.before, *(argument.value for argument in call.arguments))
    if sum(map(len, texts)) > _MOST_CHARACTERS:
        yield f"it has more than {_MOST_CHARACTERS} characters"
    if known.takes_receiver != bool(call.receiver):
        yield "it needs a receiver" if known.takes_receiver else "a function has no receiver"
    names = [argument.name for argument in call.arguments]
    for name in sorted({*names} - {*known.parameters}):
        yield f"there is no parameter {name}"
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"{name} is given twice"


class _Reading:
    """Parses the texts of one call, and collects their faults."""

    def __init__(self, known: Signature, faults: list[str]) -> None:
        self._known = known
        self._faults = faults
        self._it = "the_receiver_of_this_call"
        while self._it in known.defined:
            self._it += "_"

    def expression(self, text: str) -> str:
        """Return the expression on one line, without comments."""
        tree = _parsed(text, "eval")
        if not isinstance(tree, ast.Expression):
            self._faults.append(f"`{text}` is no expression")
            return ""
        self._read(tree.body)
        return ast.unparse(tree)

    def statement(self, text: str) -> str:
        """Return statements that lay out files, set variables, or prepare the object."""
        tree = _parsed(_ALONE.sub(self._it, text), "exec")
        is_glued = _RECEIVER in _ALONE.sub(self._it, text) or self._it in text
        if not isinstance(tree, ast.Module) or is_glued:
            self._faults.append(f"`{text}` is no statement")
            return ""
        for node in tree.body:
            self._prepares(node, frozenset())
        return ast.unparse(tree).replace(self._it, _RECEIVER)

    def _prepares(self, node: ast.stmt, files: frozenset[str]) -> None:
        match node:
            case ast.Expr(ast.Call(ast.Attribute(owner, name), args, keywords)) if (
                name in _MAKES_FILES and self._is_file(owner, files)
            ):
                self._read_all([*args, *(keyword.value for keyword in keywords)], files)
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(it), name), args, keywords)) if (
                it == self._it and not _INNER.match(name)
            ):
                self._read_all([*args, *(keyword.value for keyword in keywords)])
            case ast.Assign(
                [ast.Subscript(ast.Attribute(ast.Name("os"), "environ"), key)],
                ast.Constant(value=str()),
            ):
                self._read(key)
            case ast.Assign([ast.Attribute(ast.Name(it), name)], value) if (
                it == self._it and not _INNER.match(name) and name not in self._known.defined
            ):
                self._read(value)
                if _holds_code(value):
                    self._note(node, "gives the object other code")
            case ast.With(
                items=[ast.withitem(ast.Call(ast.Name("open"), args), ast.Name(name))], body=body
            ):
                self._read_all(args)
                for each in body:
                    self._prepares(each, files | {name})
            case _:
                self._note(node, "is no preparation of a call")

    def _is_file(self, owner: ast.expr, files: frozenset[str]) -> bool:
        """Whether the expression is a path, a file of `with` or `open`, or the module `os`."""
        match owner:
            case ast.Name(name):
                return name in files or name == "os"
            case ast.Call(ast.Name("open" | "Path"), args) | ast.Call(
                ast.Attribute(ast.Name("pathlib"), "Path"), args
            ):
                self._read_all(args)
                return True
            case ast.BinOp(left, ast.Div(), right):
                self._read(right)
                return self._is_file(left, files)
            case ast.Attribute(inner, "parent"):
                return self._is_file(inner, files)
            case _:
                return False

    def _read_all(self, nodes: Sequence[ast.expr], files: frozenset[str] = frozenset()) -> None:
        for node in nodes:
            if not (isinstance(node, ast.Name) and node.id in files):
                self._read(node)

    def _read(self, tree: ast.expr) -> None:
        """Record the parts of an expression that are not allowed."""
        own = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        for node in ast.walk(tree):
            match node:
                case _ if not isinstance(node, _VALUES):
                    self._note(node, "is no value")
                case ast.Attribute(ast.Name("object"), "__new__"):
                    pass
                case ast.Attribute(ast.Name("os"), name) if name not in _OF_OS:
                    self._note(node, "is not to be used")
                case ast.Attribute(_, name) if (
                    _INNER.match(name) or name in _CHANCE or name in {"os", "modules"}
                ):
                    self._note(node, "is not to be used")
                case ast.Name(name) if name == self._it or (
                    hasattr(builtins, name) and name not in _BUILTINS and name not in own
                ):
                    self._note(node, "is not to be used")
                case ast.Call(function):
                    self._called(function, own)
                case _:
                    pass

    def _called(self, function: ast.expr, own: set[str]) -> None:
        """Check a callee: classes, script functions, methods and known plain functions are
        allowed.
        """
        match function:
            case ast.Name(name):
                if not (name in _BUILTINS or name in self._known.defined or name in _MODULES):
                    is_class = name[:1].isupper()
                    if not is_class:
                        self._note(function, "is not to be called")
            case ast.Attribute(ast.Name("object"), "__new__"):
                pass
            case ast.Attribute(owner, name):
                root = _root(owner)
                is_plain = root is None or root in _MODULES or root in own or root[:1].isupper()
                if not is_plain or (name in _CHANGES and root is not None):
                    self._note(function, "is not to be called")
            case _:
                self._note(function, "is not to be called")

    def _note(self, node: ast.AST, reason: str) -> None:
        text = ast.unparse(node).replace(self._it, _RECEIVER)
        self._faults.append(f"`{text}` {reason}")


def _parsed(text: str, mode: str) -> ast.AST | None:
    try:
        return ast.parse(text, mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _root(node: ast.expr) -> str | None:
    """Return the name at the base of a chain of attributes, items and calls; `None` for a value."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def _holds_code(value: ast.expr) -> bool:
    """Whether the expression may be a function: anything except data and constructor calls."""
    called = {
        id(inner)
        for node in ast.walk(value)
        if isinstance(node, ast.Call)
        for inner in ast.walk(node.func)
    }
    return any(
        isinstance(node, ast.Lambda | ast.Name | ast.Attribute) and id(node) not in called
        for node in ast.walk(value)
    )
