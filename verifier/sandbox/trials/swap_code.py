"""Swap the bodies of existing functions by replacing only their code objects.

So a mutant needs no restart of its script, and reaches every reference to the function: decorated,
registered or kept in a closure. As in mutation testers with one process for all mutants (Untch,
Offutt and Harrold, "Mutation analysis using mutant schemata", ISSTA 1993).
"""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import gc
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from ..raw import Raw

    Bodies: TypeAlias = list[tuple[types.CodeType, list[Raw]]]

__builtins__ = dict(vars(builtins))

_FLAGS = 0x1FE0000
"""Flags of a code object that `from __future__` sets."""


class SwapError(Exception):
    """No function was found for the new body."""


class Functions:
    """The script's outermost functions that begin within some lines of a file."""

    def __init__(self, file: str, first: int, last: int) -> None:
        self._file = file
        self._found: dict[int, tuple[types.CodeType, list[Raw]]] = {}
        self._caches: list[Raw] = []
        for each in gc.get_objects():
            if type(each) is types.FunctionType:
                code = each.__code__
                if first <= code.co_firstlineno <= last and self._is_file(code.co_filename):
                    self._found.setdefault(id(code), (code, []))[1].append(each)
            elif type(each) is _CACHE:
                self._caches.append(each)

    def _is_file(self, name: str) -> bool:
        wanted = self._file
        return name == wanted or (wanted[:1] != "/" and name.endswith("/" + wanted))

    def bodies(self, text: str) -> Bodies:
        """Return the bodies in `text`, each with the functions that take it.

        Args:
            text: definitions at their lines in the file, inside their classes.

        Raises:
            SwapError: no function takes one of them.
            SyntaxError: the text does not compile.
        """
        tree = ast.parse(text)
        found: Bodies = []
        for old, functions in self._found.values():
            new = self._counterpart(old, _compiled(tree, old))
            if new is None:
                continue
            if new.co_freevars != old.co_freevars:
                raise SwapError("the target uses other variables of what is around it")
            found.append((new, functions))
        if not any(functions for _, functions in found):
            raise SwapError("the target is no function that can be given another body")
        return found

    def swap(self, bodies: Bodies) -> None:
        """Give functions other bodies."""
        for new, functions in bodies:
            for function in functions:
                function.__code__ = new
        swapped = [each for _, functions in bodies for each in functions]
        for cache in self._caches:
            if any(_is_around(cache, each) for each in swapped):
                cache.cache_clear()  # its entries come from the old body

    def _counterpart(self, old: types.CodeType, whole: types.CodeType) -> types.CodeType | None:
        """Return the counterpart of the old code in the new one; lines may have moved a little."""
        named = [each for each in _inside(whole) if each.co_qualname == old.co_qualname]
        here = [each for each in named if each.co_firstlineno == old.co_firstlineno]
        if len(here) == 1:
            return here[0]
        if not here:  # a property's getter and setter share a name, so their order counts
            lines = sorted(
                code.co_firstlineno
                for code, _ in self._found.values()
                if code.co_qualname == old.co_qualname
            )
            at = lines.index(old.co_firstlineno)
            return named[at] if len(named) == len(set(lines)) else None
        places = {_place(code) for code, _ in self._found.values() if _head(code) == _head(old)}
        if len(places) != len(here):  # lambdas on one line, some of which are gone
            raise SwapError("which of the functions on a line is which cannot be told")
        return sorted(here, key=_place)[sorted(places).index(_place(old))]


_CACHE = type(functools.lru_cache(lambda: None))


def _is_around(wrapper: Raw, function: Raw) -> bool:
    """Whether one object is, or wraps, the other."""
    inner: Raw = wrapper
    for _ in range(_MOST_WRAPPERS):
        if inner is function:
            return True
        if type(inner) is not _CACHE and type(inner) is not types.FunctionType:
            return False
        inner = vars(inner).get("__wrapped__")
    return False


_MOST_WRAPPERS = 20


def _head(code: types.CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _place(code: types.CodeType) -> tuple[int, int]:
    """Return the position of its last instruction; entry and return have none."""
    return max((line or 0, column or 0) for line, _, column, _ in code.co_positions())


def _compiled(tree: ast.Module, old: types.CodeType) -> types.CodeType:
    """Compile the text with each function using the free variables of the old code."""
    if old.co_freevars:  # a body without `super()` must keep the cell of its class
        tree = copy.deepcopy(tree)
        for node in ast.walk(tree):
            if isinstance(node, _DEFINITION) and _is_of(node, old):
                never = ast.If(ast.Constant(0), [ast.Expr(_named(old))], [])
                ast.copy_location(never, node.body[-1])
                node.body.append(ast.fix_missing_locations(never))
    flags = old.co_flags & _FLAGS
    return compile(tree, old.co_filename, "exec", flags=flags, dont_inherit=True)


_DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef)


def _named(code: types.CodeType) -> ast.Tuple:
    return ast.Tuple([ast.Name(name, ast.Load()) for name in code.co_freevars], ast.Load())


def _is_of(node: Raw, code: types.CodeType) -> bool:
    first = min([node.lineno, *[each.lineno for each in node.decorator_list]])
    return node.name == code.co_name and first == code.co_firstlineno


def _inside(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield the code objects in a code object, outer ones first."""
    for each in code.co_consts:
        if type(each) is types.CodeType:
            yield each
            yield from _inside(each)
