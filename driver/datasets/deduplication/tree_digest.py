"""A function's syntax tree in words, and a digest of it that only a change of meaning changes.

These make no difference: layout, comments, docstrings and other constants that stand as statements,
`pass`, annotations, type parameters, the names of parameters and local variables (of functions and
classes inside the function, too), and the function's own name, also where it calls itself. All else
does: decorators, defaults, constants, attributes, keywords, and names from outside the function.

The digest does not depend on the version of Python: `ast.dump` does.
"""

from __future__ import annotations

import ast
import hashlib
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ....slicer.syntax.nodes import all_parameters, defaults_of
from ....slicer.syntax.scopes import COMPREHENSIONS, ScopeNames, imported_as, scope_of

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_WITHOUT_MEANING = frozenset("ctx kind type_comment type_ignores type_params".split())
_BLOCKS = frozenset("body orelse finalbody".split())


def tree_digest(code: str, qualname: str = "") -> str | None:
    """Return the digest of a function's definitions; `None` if they cannot be parsed.

    Args:
        code: the text of the function, indented or not; without one, all statements count.
        qualname: a method's name (`Class.name`) is no name that its body could call.
    """
    words = tree_words(code, qualname)
    return None if words is None else digest_of(words)


def candidate_digest(code: str, qualname: str = "") -> str | None:
    """Return the digest of a text that may hold more than its function; `None` if it is no Python.

    Tables, classes and other statements beside the function are what it works with, so they count;
    imports do not.
    """
    found = tree_digest(code, qualname)
    if found is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escape sequences
        beside = [
            ast.unparse(node)
            for node in _parsed(code)
            if not isinstance(node, (*_FUNCTIONS, ast.Import, ast.ImportFrom))
            and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        ]
    return digest_of([found, *beside]) if beside else found


def digest_of(words: Iterable[str]) -> str:
    """Return the digest of what `tree_words` gives."""
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()


def without_local_names(words: Iterable[str]) -> list[str]:
    """Return the words of a tree in which all local variables are alike."""
    return ["#" if word.startswith("#") else word for word in words]


def tree_words(code: str, qualname: str = "") -> list[str] | None:
    """Return the normalised tree in words, with `#1`, `#2`, ... for local variables."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escape sequences
            body = _parsed(code)
        writer = _TreeWriter()
        functions = [node for node in body if isinstance(node, _FUNCTIONS)]
        if not functions:
            writer.block(body)
        for node in functions if "." in qualname else ():
            node.name = ""
        writer.inside(ScopeNames(frozenset(node.name for node in functions)), functions)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return writer.parts


def _parsed(code: str) -> list[ast.stmt]:
    if not code.lstrip("\r\n").startswith((" ", "\t")):
        return ast.parse(code).body
    block = ast.parse(f"if 1:\n{code}").body[0]
    return block.body if isinstance(block, ast.If) else [block]


class _TreeWriter:
    """Writes trees as lists of words, with numbers for the names of local variables."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._scopes: list[tuple[ScopeNames, dict[str, int]]] = []
        self._count = 0

    def inside(self, scope: ScopeNames, nodes: Iterable[ast.AST]) -> None:
        """Write nodes that stand in an inner scope."""
        self._scopes.append((scope, {}))
        for node in nodes:
            self._node(node)
        self._scopes.pop()

    def block(self, statements: Iterable[ast.AST]) -> None:
        """Write statements, without those that do nothing."""
        self.parts.append("[")
        for statement in statements:
            if not _does_nothing(statement):
                self._node(statement)
        self.parts.append("]")

    def _node(self, node: ast.AST) -> None:
        self.parts.append(type(node).__name__)
        write = _WRITERS.get(type(node))
        if write is None:
            self._fields(node)
        else:
            write(self, node)

    def _fields(self, node: ast.AST) -> None:
        binds = isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping))
        for field in node._fields:
            value: object = getattr(node, field, None)
            if field in _WITHOUT_MEANING:
                continue
            if isinstance(value, ast.AST):
                self._node(value)
            elif isinstance(value, list):
                items: list[object] = value  # pyright: ignore[reportUnknownVariableType]
                if field in _BLOCKS:
                    self.block(item for item in items if isinstance(item, ast.AST))
                else:
                    self._values(items)
            elif binds and isinstance(value, str):
                self.name(value)
            else:
                self.parts.append(repr(value))

    def _values(self, values: Sequence[object]) -> None:
        self.parts.append("[")
        for value in values:
            if isinstance(value, ast.AST):
                self._node(value)
            else:
                self.parts.append(repr(value))
        self.parts.append("]")

    def constant(self, node: ast.Constant) -> None:
        """Write a constant; long integers have no decimal form."""
        value = node.value
        self.parts.append(hex(value) if type(value) is int else repr(value))

    def assignment(self, node: ast.AnnAssign) -> None:
        """Write an annotated assignment like a plain one."""
        self.parts[-1] = "Assign"
        self._values([node.target])
        if node.value is not None:
            self._node(node.value)

    def alias(self, node: ast.alias) -> None:
        """Write what is imported, and the local name for it."""
        is_top = node.asname is None and "." in node.name
        self.parts += [node.name, "top" if is_top else "whole"]
        self.name(imported_as(node))

    def klass(self, node: ast.ClassDef) -> None:
        """Write a class inside the function."""
        self._values([*node.decorator_list, *node.bases, *node.keywords])
        self.name(node.name)
        self._scopes.append((scope_of(node), {}))
        self.block(node.body)
        self._scopes.pop()

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """Write the function, or one inside it."""
        arguments = node.args
        self._values([] if isinstance(node, ast.Lambda) else node.decorator_list)
        self._values([default for _, default in defaults_of(arguments)])
        if not isinstance(node, ast.Lambda):
            self.name(node.name)
        self._scopes.append((scope_of(node), {}))
        kinds = (
            *(len(arguments.posonlyargs), len(arguments.args), bool(arguments.vararg)),
            *(len(arguments.kwonlyargs), bool(arguments.kwarg)),
            [default is not None for default in arguments.kw_defaults],
        )
        self.parts.append(repr(kinds))
        for parameter in all_parameters(arguments):
            self.name(parameter.arg)
        if isinstance(node, ast.Lambda):
            self._node(node.body)
        else:
            self.block(node.body)
        self._scopes.pop()

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ) -> None:
        """Write a comprehension, whose first iterable belongs to the scope around it."""
        first, *others = node.generators
        self._node(first.iter)
        self._scopes.append((scope_of(node), {}))
        self._node(first.target)
        self.parts.append(repr(first.is_async))
        self._values([*first.ifs])
        self._values(others)
        self._values([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])
        self._scopes.pop()

    def name(self, name: str) -> None:
        """Write a name: its number in the order of appearance, or itself if it is not local."""
        for depth, (scope, numbers) in enumerate(reversed(self._scopes)):
            if name in scope.module:
                break
            if name in scope.local and (depth == 0 or not scope.is_class):
                if scope.is_class:  # an attribute of the class
                    break
                if name not in numbers:
                    self._count += 1
                    numbers[name] = self._count
                self.parts.append(f"#{numbers[name]}")
                return
        self.parts.append(name)


_WRITERS: dict[type[ast.AST], Callable[[_TreeWriter, Any], None]] = {
    ast.Name: lambda writer, node: writer.name(node.id),
    ast.Constant: _TreeWriter.constant,
    ast.AnnAssign: _TreeWriter.assignment,
    ast.alias: _TreeWriter.alias,
    ast.ClassDef: _TreeWriter.klass,
    **dict.fromkeys((*_FUNCTIONS, ast.Lambda), _TreeWriter.function),
    **dict.fromkeys(COMPREHENSIONS, _TreeWriter.comprehension),
}


def _does_nothing(statement: ast.AST) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Global() | ast.Nonlocal():
            return True
        case ast.AnnAssign(value=None):
            return True
        case _:
            return False
