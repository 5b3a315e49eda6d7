"""Facts about a function for the proofs behind rewrites. Each errs on the side of refusing."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ....slicer.syntax.scopes import bound_by, declared_in
from ...mutation.equivalence.equal_code import WATCHERS

_SOURCE_READERS = frozenset(
    "getsource getsourcelines __code__ f_locals f_back f_lineno tb_lineno co_firstlineno "
    "format_exc format_exception format_tb format_stack extract_stack extract_tb".split()
)
"""Names whose use may reveal the text or lines of a function."""
_COMPILERS = frozenset("jit njit vectorize guvectorize script compile autograph".split())
"""Decorators that compile a function, and accept only some forms of code."""
_SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.GeneratorExp,
)  # fmt: skip
"""Nodes that may run later than where they stand, or have a scope of their own."""

_HANDLERS = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)


@dataclass(frozen=True, slots=True)
class Facts:
    """A function as its rewrites see it. Nested functions count as parts of it."""

    tree: ast.FunctionDef | ast.AsyncFunctionDef
    file: ast.Module
    """The function's file."""
    parameters: frozenset[str]
    declared: frozenset[str]
    """Names in `global` or `nonlocal` statements."""
    stored: Counter[str]
    """How often each name is bound or deleted, without parameters."""
    looped: frozenset[str]
    """Names that a loop binds, perhaps repeatedly."""
    mentioned: Counter[str]
    """How often each name occurs, except as attribute or keyword."""
    captured: frozenset[str]
    """Names that nested functions, classes and generator expressions mention."""
    words: frozenset[str]
    """Words in its text literals."""
    has_handlers: bool
    """Whether it may catch an exception."""
    is_watched: bool
    """Whether something may look at its variables or its text."""

    def is_plain_local(self, name: str) -> bool:
        """Whether a name is a local variable of the function alone, and no parameter."""
        return (
            self.stored[name] > 0
            and name not in self.parameters
            and name not in self.declared
            and name not in self.captured
        )

    def free_name(self, wanted: str) -> str:
        """Return a name that is not in use."""
        while wanted in self.mentioned or wanted in self.words:
            wanted += "_"
        return wanted


def facts_of(tree: ast.FunctionDef | ast.AsyncFunctionDef, file: ast.Module) -> Facts:
    """Return the facts about a function.

    Args:
        tree: the function.
        file: the file around it.
    """
    nodes = list(ast.walk(tree))
    stored = Counter(name for node in nodes for name in bound_by(node))
    stored[tree.name] -= 1  # its own name is bound outside
    parameters = frozenset(node.arg for node in nodes if isinstance(node, ast.arg))
    inner = [node for node in nodes if isinstance(node, _SCOPES) and node is not tree]
    return Facts(
        tree,
        file,
        parameters,
        declared_in(nodes),
        +stored,
        frozenset(
            name
            for loop in nodes
            if isinstance(loop, ast.For | ast.AsyncFor | ast.While)
            for node in ast.walk(loop)
            for name in bound_by(node)
        ),
        Counter(_mentions(nodes)),
        frozenset(name for node in inner for name in _mentions(ast.walk(node))),
        frozenset(_words(tree, nodes)),
        any(isinstance(node, _HANDLERS) for node in nodes),
        _is_watched(tree, nodes),
    )


def _mentions(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.arg(arg=name):
                yield name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names
            case _:
                yield from bound_by(node)


def _words(tree: ast.FunctionDef | ast.AsyncFunctionDef, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield words in text literals: `frame.query("x > @limit")` reads variables of its caller."""
    has_docstring = ast.get_docstring(tree, clean=False) is not None
    first = tree.body[0]
    docstring = first.value if has_docstring and isinstance(first, ast.Expr) else None
    for node in nodes:
        match node:
            case ast.Constant(value=str(text)) if node is not docstring:
                yield from re.findall(r"\w+", text)
            case _:
                pass


def _is_watched(tree: ast.FunctionDef | ast.AsyncFunctionDef, nodes: Iterable[ast.AST]) -> bool:
    mentioned = {
        name
        for node in nodes
        for name in (getattr(node, "id", None), getattr(node, "attr", None))
        if name
    }
    compilers = {
        name
        for decorator in tree.decorator_list
        for node in ast.walk(decorator)
        for name in (getattr(node, "id", None), getattr(node, "attr", None))
    } & _COMPILERS
    return bool(compilers or mentioned & (WATCHERS | _SOURCE_READERS))
