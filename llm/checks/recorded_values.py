"""Validate calls recorded while a model's code ran: they may hold plain values, and nothing that
the code forged.

Calls are recorded inside the sandbox (`verifier/sandbox/recording/reprs` says how values are
written), next to that code, which can forge records. So each text is parsed again here. Text that
is not in the form of a written value is emptied, and counts as a value that could not be written.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from .allowed_code import Argument, Call, Signature, checked

_REPOSITORY = "slice_func_repository"
"""Name of the function that returns a repository object, given file and name."""
_UNKNOWN = "slice_func_unknown"
"""Name that stands for an argument that cannot be written."""
_STATE = "slice_func_state"
"""Keyword of the argument with the state of an instance."""
_LONGEST = 12_000
"""Maximum number of characters of an expression."""
_FUNCTIONS = frozenset(
    """abs all any ascii bin callable chr divmod format hash hex isinstance issubclass iter len max
    min next oct ord pow print repr round sorted sum""".split()
)
"""Builtin functions that may be passed as arguments."""
_MAKE_CODE = frozenset("classmethod property staticmethod super type".split())
_FAR = frozenset(
    """_ctypes _io _operator _pickle _posixsubprocess _socket _thread code codeop concurrent ctypes
    faulthandler functools gc importlib inspect io marshal mmap multiprocessing nt operator os
    pickle posix pty runpy shutil signal slice_func_mocks socket socketserver subprocess sys
    threading timeit types unittest""".split()
)
"""Modules whose functions do more than make values."""
_CLASSES = frozenset(
    """_io.BytesIO _io.StringIO builtins.bytearray collections.defaultdict collections.deque
    datetime.date datetime.datetime datetime.time datetime.timedelta functools.partial io.BytesIO
    io.StringIO re.compile types.SimpleNamespace""".split()
)
"""Callables that make a value, though their names do not look like class names."""


def values_only(call: object, defined: frozenset[str]) -> dict[str, object] | None:
    """Return a recorded call with non-values emptied; `None` if it is not a call.

    Args:
        call: the record from the sandbox.
        defined: names of functions and classes in the script, which no instance may override.
    """
    match call:
        case {"receiver": str() as receiver, "states": list(), "arguments": list()}:
            record = cast("dict[str, list[object]]", call)
        case _:
            return None
    reading = _Reading(defined)
    return {
        "receiver": reading.text(receiver),
        "states": list(reading.states(record["states"])),
        "arguments": list(reading.arguments(record["arguments"])),
    }


@dataclass(frozen=True, slots=True)
class _Reading:
    """Parses the texts of one call."""

    defined: frozenset[str]

    def text(self, text: str) -> str:
        """Return the normalised expression; empty if it is not a value."""
        try:
            tree = ast.parse(text, mode="eval").body if len(text) <= _LONGEST else None
            if tree is None or not self.is_value(tree):
                return ""
            return ast.unparse(_Stateful(self).visit(tree))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ""

    def states(self, items: list[object]) -> Iterator[list[str]]:
        """Yield the attributes of an instance with their values, without code in them."""
        for name, made in self.arguments(items):
            if made and self.is_allowed_attribute(name, ast.parse(made)):
                yield [name, made]

    def arguments(self, items: list[object]) -> Iterator[list[str]]:
        """Yield names and texts of the arguments."""
        for item in items:
            match item:
                case [str() as name, str() as text]:
                    yield [name, self.text(text)]
                case _:
                    pass

    def is_allowed_attribute(self, attribute: str, value: ast.AST) -> bool:
        """Whether an instance may receive the attribute: it must not replace a method."""
        is_plain = attribute.isidentifier() and not attribute.startswith("__")
        return is_plain and attribute not in self.defined and not _holds_code(value)

    def is_value(self, node: ast.expr) -> bool:
        """Whether the expression is in the form of a written value."""
        match node:
            case ast.Constant() | ast.UnaryOp(ast.USub() | ast.UAdd(), ast.Constant()):
                return True
            case ast.BinOp(left, ast.Add() | ast.Sub(), ast.Constant(value=complex())):
                return isinstance(left, ast.Constant | ast.UnaryOp) and self.is_value(left)
            case ast.List(items) | ast.Tuple(items) | ast.Set(items):
                return all(map(self.is_value, items))
            case ast.Dict(keys, values):
                return all(k is not None and self.is_value(k) for k in keys) and all(
                    map(self.is_value, values)
                )
            case ast.Lambda():
                argument = Argument(name="it", value=ast.unparse(node))
                _, faults = checked(Call(arguments=[argument]), Signature(("it",), False))
                return not faults
            case ast.Name(name):
                return _is_builtin(name) or name == _UNKNOWN
            case ast.Call(function, args, keywords) if _makes_values(function):
                return all(map(self.is_value, args)) and all(
                    each.arg is not None and self.is_value(each.value) for each in keywords
                )
            case _:
                return _reference(node) is not None


@dataclass(slots=True)
class _Stateful(ast.NodeTransformer):
    """Removes code from the recorded state of instances."""

    reading: _Reading

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        match node:
            case ast.keyword(arg=name, value=ast.Dict(keys, values)) if name == _STATE:
                pairs = [(k, v) for k, v in zip(keys, values, strict=True) if self._is_kept(k, v)]
                node.value = ast.Dict([k for k, _ in pairs], [v for _, v in pairs])
            case _:
                pass
        return self.generic_visit(node)

    def _is_kept(self, key: ast.expr | None, value: ast.expr) -> bool:
        match key:
            case ast.Constant(value="__init__"):  # which names the constructor
                return isinstance(value, ast.Tuple)
            case ast.Constant(value=str(name)):
                return self.reading.is_allowed_attribute(name, value)
            case _:
                return False


def _is_builtin(name: str) -> bool:
    return name in _FUNCTIONS or isinstance(getattr(builtins, name, None), type)


def _is_class(name: str) -> bool:
    """Whether the name is a builtin class that makes values."""
    return name not in _MAKE_CODE and isinstance(getattr(builtins, name, None), type)


def _makes_values(function: ast.expr) -> bool:
    """Whether a call of the function makes a value: it is a class, as far as its name tells."""
    match function:
        case ast.Name(name):
            return _is_class(name)
        case _:
            found = _reference(function)
            if found is None:
                return False
            module, name = found
            last = name.rpartition(".")[2]
            return module == _REPOSITORY or f"{module}.{name}" in _CLASSES or last[:1].isupper()


def _reference(node: ast.expr) -> tuple[str, str] | None:
    """Return module and qualified name of a class, function or member; `None` for others."""
    match node:
        case ast.Call(
            ast.Name(function),
            [ast.Constant(value=str()), ast.Constant(value=str(qualname))],
            [],
        ) if function == _REPOSITORY:
            return (_REPOSITORY, qualname) if _is_dotted(qualname) else None
        case ast.Attribute(ast.Name(owner), name) if _is_class(owner) and _is_dotted(name):
            return "builtins", f"{owner}.{name}"
        case ast.Attribute(owner, name) if _is_dotted(name):
            module = _module(owner)
            if module is not None:
                top = module.partition(".")[0]
                is_plain = top not in _FAR and module != "builtins"
                is_near = is_plain or f"{module}.{name}" in _CLASSES
                return (module, name) if is_near else None
            found = _reference(owner)
            return (found[0], f"{found[1]}.{name}") if found else None
        case _:
            return None


def _module(node: ast.expr) -> str | None:
    """Return the name of a module that the expression imports."""
    match node:
        case ast.Call(
            ast.Attribute(
                ast.Call(ast.Name("__import__"), [ast.Constant(value="importlib")], []),
                "import_module",
            )
            | ast.Name("__import__"),
            [ast.Constant(value=str(name))],
            [],
        ):
            return name
        case _:
            return None


def _is_dotted(name: str) -> bool:
    """Whether the text is a dotted name of which no part leads into code."""
    return all(part.isidentifier() and not part.startswith("__") for part in name.split("."))


def _holds_code(tree: ast.AST) -> bool:
    """Whether the tree contains a function, or an expression that is not the result of a call."""
    called = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
    inner = {id(i) for n in ast.walk(tree) if id(n) in called for i in ast.walk(n)}
    return any(
        isinstance(n, ast.Lambda)
        or (isinstance(n, ast.expr) and id(n) not in inner and _is_function(n))
        for n in ast.walk(tree)
    )


def _is_function(node: ast.expr) -> bool:
    """Whether the expression may be a function, as far as its name tells."""
    match node:
        case ast.Name(name):
            return name in _FUNCTIONS
        case ast.Attribute(ast.Call(ast.Name(function))) if function == _REPOSITORY:
            return False  # a member: functions are written as a whole
        case _:
            found = _reference(node)
            return found is not None and not found[1].rpartition(".")[2][:1].isupper()
