"""Certain equivalence: texts that compile to the same code, and dead stores."""

from __future__ import annotations

import ast
import dis
import types
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from ..mutated_block import Block, Function, own_nodes
from .first_iteration import peeled
from .liveness import JUMPS, Position, unread

Shown = tuple[object, ...]
WATCHERS = frozenset("locals vars dir eval exec _getframe currentframe stack".split())
"""Functions that may see every local variable."""
_EXTENDED, _CONSTANT, _IDLE = (dis.opmap[n] for n in ("EXTENDED_ARG", "LOAD_CONST", "NOP"))


def canonical_bytecode(text: str, names: Mapping[str, str] | None = None) -> Shown | None:
    """Return what texts with equal compiled code share; `None` if the text does not compile.

    Positions are left out, and constants that no instruction loads.

    Args:
        text: text of a module.
        names: other names for local variables.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _shown(compile(text, "<mutant>", "exec", dont_inherit=True), names or {})
    except (SyntaxError, ValueError, RecursionError):
        return None


def _shown(code: types.CodeType, names: Mapping[str, str]) -> Shown:
    text = bytearray(code.co_code)
    used: list[object] = []
    high = 0
    for at in range(0, len(text), 2):
        operation, low = text[at], text[at + 1]
        if operation == _CONSTANT:
            used.append(_shown_constant(code.co_consts[high << 8 | low], names))
            text[at + 1] = 0
        high = high << 8 | low if operation == _EXTENDED else 0
    if _IDLE in text[::2] and not any(each in JUMPS for each in text[::2]):
        text = bytearray(
            b"".join(text[i : i + 2] for i in range(0, len(text), 2) if text[i] != _IDLE)
        )
    variables = (
        tuple(names.get(name, name) for name in each)
        for each in (code.co_varnames, code.co_freevars, code.co_cellvars)
    )
    return (
        code.co_name, code.co_flags, bytes(text), *used, code.co_names, *variables,
        code.co_exceptiontable,
    )  # fmt: skip


def _shown_constant(value: object, names: Mapping[str, str]) -> object:
    if isinstance(value, types.CodeType):
        return _shown(value, names)
    if isinstance(value, frozenset):
        return ("frozenset", *sorted(map(repr, cast("frozenset[object]", value))))
    return (type(value).__name__, repr(value))


def dead_stores(block: Block) -> Iterator[ast.stmt]:
    """Yield statements that bind constants and parameters to local variables that are never read.

    Such values cannot change under any operator, so neither change nor deletion shows.
    """
    try:
        code = compile(peeled(block.tree), "<block>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return
    places = frozenset(unread(code))
    for function in block.functions if places else ():
        yield from _dead_stores(function, places)


def _dead_stores(function: Function, places: frozenset[Position]) -> Iterator[ast.stmt]:
    if isinstance(function, ast.Lambda):
        return
    inside = [node for statement in function.body for node in ast.walk(statement)]
    if {*_read(inside)} & WATCHERS:
        return
    parameters = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)} - {
        node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)
    }
    for node in own_nodes(function):
        if isinstance(node, ast.Assign | ast.AnnAssign) and _is_dead(node, places, parameters):
            yield node


def _read(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names and attributes that nodes use."""
    for node in nodes:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case _:
                pass


def _is_dead(
    node: ast.Assign | ast.AnnAssign, places: frozenset[Position], parameters: set[str]
) -> bool:
    if node.value is None or not _cannot_fail(node.value, parameters):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return all(
        isinstance(each, ast.Name) and (each.lineno, each.col_offset) in places for each in targets
    )


def _cannot_fail(node: ast.expr, parameters: set[str]) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name in parameters
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return True
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return all(_cannot_fail(each, parameters) for each in elements)
        case _:
            return False
