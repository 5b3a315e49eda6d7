"""A function as mutation operators read it: its nodes, its parameters, its text expressions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from .....slicer.syntax.nodes import defaults_of
from .....slicer.syntax.scopes import assigned_values, imported_as
from ...mutated_block import Block, Function
from ..expression_operators import operand

_TEXT_METHODS = frozenset(
    "capitalize casefold expandtabs format join ljust lower lstrip removeprefix removesuffix "
    "replace rjust rstrip strip swapcase title translate upper zfill decode".split()
)
_TEXT_CALLS = frozenset("str repr input chr format".split())


@dataclass(frozen=True)
class MutatedFunction:
    """A function of a block, as operators read it."""

    block: Block
    function: Function

    def source(self, node: ast.AST) -> str:
        """Return the source text of a node."""
        return self.block.source(node)

    def operand(self, node: ast.expr) -> str:
        """Return the text of an expression as an operand."""
        return operand(self.block, node)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Return the nodes that may change: no docstring, annotations, or parts of f-strings."""
        if isinstance(self.function, ast.Lambda):
            return tuple(_below(self.function.body))
        has_docstring = ast.get_docstring(self.function, clean=False) is not None
        body = self.function.body[has_docstring:]
        return tuple(node for statement in body for node in _below(statement))

    @cached_property
    def parents(self) -> dict[int, ast.AST]:
        """Map the id of each node to its parent."""
        pairs = ((id(child), node) for node in self.nodes for child in ast.iter_child_nodes(node))
        return {**dict(pairs)}

    @cached_property
    def parameters(self) -> tuple[ast.arg, ...]:
        """Return the parameters that a caller passes, without the receiver of a method."""
        given = self.function.args
        plain = [*given.posonlyargs, *given.args]
        is_method = bool(self.block.enclosing) and not isinstance(self.function, ast.Lambda)
        return (*plain[is_method:], *given.kwonlyargs)

    @cached_property
    def modules(self) -> frozenset[str]:
        """Return names that the file or the function binds to a module by `import`."""
        try:
            outside = list(ast.walk(ast.parse(self.block.text)))
        except (SyntaxError, ValueError, RecursionError):
            outside = []
        found = (node for node in (*outside, *self.nodes) if isinstance(node, ast.Import))
        return frozenset(imported_as(each) for node in found for each in node.names)

    def is_text(self, node: ast.expr) -> bool:
        """Whether an expression is text, as far as its form and annotations show."""
        match node:
            case ast.Constant(value=str()) | ast.JoinedStr():
                return True
            case ast.Call(func=ast.Attribute(attr=name)):
                return name in _TEXT_METHODS
            case ast.Call(func=ast.Name(id=name)):
                return name in _TEXT_CALLS
            case ast.BinOp(left=left, op=ast.Add() | ast.Mod()):
                return self.is_text(left)
            case ast.Name(id=name):
                return name in self._texts
            case _:
                return False

    def _is_text_alone(self, node: ast.expr) -> bool:
        """Whether an expression is text whatever its names are bound to."""
        while isinstance(node, ast.BinOp):
            node = node.left
        return not isinstance(node, ast.Name) and self.is_text(node)

    @cached_property
    def _texts(self) -> frozenset[str]:
        """Return names that are text: annotated parameters, and variables bound to text only."""
        function = self.function
        every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        found = {
            arg.arg
            for arg in every
            if arg.annotation and ast.unparse(arg.annotation) in _TEXT_TYPES
        }
        for name, values in assigned_values(self.nodes).items():
            if all(value is not None and self._is_text_alone(value) for value in values):
                found.add(name)
        return frozenset(found)


_TEXT_TYPES = frozenset({"str", "'str'", "str | None", "Optional[str]", "typing.Optional[str]"})


def _below(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all nodes below that may change, in text order."""
    yield node
    match node:
        case ast.JoinedStr():
            return  # before Python 3.12 its parts have no positions
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            inner: list[ast.AST] = [*(each for _, each in defaults_of(node.args)), *node.body]
        case ast.Lambda():
            inner = [*(each for _, each in defaults_of(node.args)), node.body]
        case ast.AnnAssign(target=target, value=value):
            inner = [target, *([value] if value is not None else [])]
        case _:
            inner = list(ast.iter_child_nodes(node))
    for child in inner:
        yield from _below(child)
