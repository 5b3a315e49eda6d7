"""Extract the facts of a module in one pass over its syntax tree."""

from __future__ import annotations

import ast
import sys
from collections.abc import Generator
from contextlib import contextmanager

from ..facts import Constant, ModuleFacts
from .builder import Builder, Scope
from .expression_table import EXPRESSIONS
from .fact_walk import Walk
from .scope_bindings import collect, declared_names
from .statement_table import STATEMENTS

_DEEPEST = 20_000


def extract(tree: ast.Module, text: str, path: str, name: str, *, is_package: bool) -> ModuleFacts:
    """Return the facts of a module.

    Args:
        tree: its syntax tree.
        text: its text.
        path: its path in the repository.
        name: its dotted name.
        is_package: whether it is an `__init__.py`.
    """
    builder = Builder(declared_names(text), walrus=":=" in text)
    bindings = collect(tree.body, walrus=builder.walrus)
    builder.scope = Scope("module", 0, None, bindings)
    builder.define("module", "", 1, text.count("\n") + 1)
    walk = Walk(builder, EXPRESSIONS, STATEMENTS)
    own_name = builder.global_cell("__name__")
    builder.emit(Constant(own_name, name))
    with _deep_recursion():
        walk.execute(tree.body)
        while builder.deferred:
            builder.deferred.popleft()()
    for finish in walk.finishers:
        finish()
    return ModuleFacts(
        path=path,
        name=name,
        is_package=is_package,
        variables=len(builder.owners),
        owners=tuple(builder.owners),
        operations=tuple(builder.operations),
        definitions=tuple(builder.definitions),
        functions=tuple(f for f in walk.functions if f is not None),
        classes=tuple(c for c in walk.classes if c is not None),
        globals=builder.globals,
        bound=frozenset(bindings.bound) | {"__name__"},
        imports=walk.imports,
        stars=tuple(walk.stars),
        exports=walk.exports,
        references=tuple(builder.references.values()),
        links=tuple(dict.fromkeys(builder.links)),
        calls=tuple(builder.calls),
    )


@contextmanager
def _deep_recursion() -> Generator[None]:
    """Raise the recursion limit for the deepest tree that the parser accepts."""
    previous = sys.getrecursionlimit()
    sys.setrecursionlimit(max(previous, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(previous)
