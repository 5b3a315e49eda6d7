"""Names that a scope binds, and where a name is looked up: as Python's own `symtable` says."""

from __future__ import annotations

import ast
import symtable
import textwrap
from collections.abc import Iterator

from hypothesis import assume, given
from hypothesis import strategies as st
from slicefunc.slicer.analysis.scopes.definitions import Scope, function_scope, module_scope
from slicefunc.slicer.repo.module import Module
from slicefunc.slicer.repo.source import Source
from slicefunc.slicer.syntax.scopes import ScopeNames, names_of_module, scope_of

NAMES = st.sampled_from("abcd")
SIMPLE = (
    "{0} = 1", "{0}, *{1} = 1, 2", "{0}: int = 1", "{0}: int", "{0} += 1", "del {0}",
    "for {0} in {1}: pass", "with {1} as {0}: pass", "import {0}", "import {0}.{1}",
    "import x as {0}", "from x import {0}", "from x import y as {0}",
    "try: pass\nexcept E as {0}: pass", "print({0} := 1)", "[{0} for {0} in {1}]",
    "[{0} := {1} for {1} in {2}]", "[i for i in (lambda {0}: {1})({2})]", "lambda: ({0} := 1)",
    "[(lambda: ({0} := 1)) for {1} in {2}]", "def {0}({1}=({2} := 1), *, d: {0} = 1): pass",
    "class {0}: {1} = 1", "global {0}", "nonlocal {0}", "{0}.x = 1", "{0}[0] = 1",
    "match {0}:\n    case [{1}, *{2}] | {{'k': {1}, **{2}}}: pass\n    case C(x={0}) as {1}: pass",
    "while {0}: {1} = 1", "if {0}: {1} = 1\nelse: {2} = 1", "print({0}, {1})",
)  # fmt: skip
STATEMENTS = st.builds(
    lambda form, names: form.format(*names), st.sampled_from(SIMPLE), st.tuples(NAMES, NAMES, NAMES)
)


@st.composite
def functions(draw: st.DrawFn, depth: int = 2) -> str:
    """The text of a function, which may have others inside."""
    parts = st.one_of(STATEMENTS, functions(depth - 1)) if depth else STATEMENTS
    body = "\n".join(draw(st.lists(parts, min_size=1, max_size=5)))
    head = f"def {draw(NAMES)}({draw(st.sampled_from(['', 'a', 'b=1', 'a, *b, c, **d']))}):\n"
    return head + textwrap.indent(body, "    ")


def _functions(node: ast.AST) -> Iterator[ast.FunctionDef]:
    """The functions of a scope, without those of inner scopes."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef():
                yield child
            case ast.ClassDef() | ast.Lambda():
                continue
            case _:
                yield from _functions(child)


def _compare(node: ast.AST, scope: Scope, table: symtable.SymbolTable) -> None:
    inner = [each for each in table.get_children() if each.get_type() == "function"]
    by_line = {(each.get_name(), each.get_lineno()): each for each in inner}
    for function in _functions(node):
        symbols = by_line[function.name, function.lineno]
        own = function_scope(function, scope, None)
        names = _names(symbols)
        assert set(own.binders) == names.local
        assert scope_of(function) == names
        for symbol in symbols.get_symbols():
            found = own.lookup(symbol.get_name())
            is_module = found is None or found.parent is None
            assert is_module == symbol.is_global(), symbol.get_name()
        _compare(function, own, symbols)


def _names(table: symtable.SymbolTable) -> ScopeNames:
    symbols = table.get_symbols()
    return ScopeNames(
        frozenset(s.get_name() for s in symbols if s.is_local()),
        frozenset(s.get_name() for s in symbols if s.is_declared_global()),
        frozenset(s.get_name() for s in symbols if s.is_nonlocal()),
    )


def _of_module(table: symtable.SymbolTable) -> Iterator[str]:
    """The names of the module that code in a scope or its inner scopes mentions."""
    for symbol in table.get_symbols():
        is_used = symbol.is_referenced() or symbol.is_assigned() or symbol.is_imported()
        if symbol.is_global() and is_used:
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _of_module(inner)


def _table(text: str) -> symtable.SymbolTable:
    try:
        compile(text, "m.py", "exec")
        return symtable.symtable(text, "m.py", "exec")
    except SyntaxError:  # a name is declared after its use, or twice
        assume(condition=False)
        raise


@given(functions())
def test_names_of_the_module_are_those_of_symtable(text: str) -> None:
    (function,) = _table(text).get_children()
    found = {name for _, name in names_of_module(ast.parse(text).body)}
    assert found == {function.get_name(), *_of_module(function)}


@given(functions())
def test_a_function_binds_and_looks_up_what_symtable_says(text: str) -> None:
    table = _table(text)
    module = Module("m", Source("m.py", text, ast.parse(text)), is_package=False)
    _compare(module.source.tree, module_scope(module), table)
