"""The mutants of a target: changes that compile, do something, and can be seen."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..executors.interface import Mutant
from .block import Block
from .operators import Change, changes

MOST = 80
_LOGGERS = frozenset("log logger logging _log _logger LOG LOGGER _LOGGER warnings".split())


@dataclass(frozen=True, slots=True)
class Made:
    """A mutant, and what it changes."""

    mutant: Mutant
    operator: str
    line: int
    """In the file that the block is of."""
    before: str
    after: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.before} -> {self.after} ({self.operator})"


@dataclass(frozen=True, slots=True)
class Mutants:
    """What a block gives."""

    made: tuple[Made, ...]
    equivalent: int
    """Changes that compile to the same code."""
    unseen: int
    """Changes of what is only logged, or of the words of an exception, which nobody compares."""


def mutants_of(block: Block, most: int = MOST) -> Mutants:
    """At most so many mutants, spread evenly over the text where there are more."""
    original = _codes(block.standing(block.lines))
    unseen = {id(inner) for node in _unseen(block) for inner in ast.walk(node)}
    made: list[Made] = []
    same = hidden = 0
    known: set[str] = set()
    for change in changes(block):
        if id(change.node) in unseen:
            hidden += 1
            continue
        text = block.replaced(change.node, change.text)
        if text in known:
            continue
        known.add(text)
        codes = _codes(text)
        if codes is None:
            continue
        if codes == original:
            same += 1
            continue
        made.append(_made(block, change, text, len(made)))
    return Mutants(tuple(_spread(made, most)), same, hidden)


def _made(block: Block, change: Change, text: str, number: int) -> Made:
    line = getattr(change.node, "lineno", 0)
    before = " ".join(block.source(change.node).split())
    return Made(Mutant(f"{number}", text), change.operator, line, before[:80], change.text[:80])


def _spread(made: Sequence[Made], most: int) -> Iterator[Made]:
    if len(made) <= most:
        yield from made
        return
    for position in range(most):
        yield made[position * len(made) // most]


def _unseen(block: Block) -> Iterator[ast.AST]:
    """What nobody compares: logging, and what an exception says."""
    for function in block.functions:
        for node in ast.walk(function):
            match node:
                case ast.Expr(value=ast.Call(func=func)) if _is_logging(func):
                    yield node
                case ast.Raise(exc=ast.Call(args=args, keywords=keywords)):
                    for each in args:
                        if _is_words(each):
                            yield each
                    yield from (k.value for k in keywords if _is_words(k.value))
                case ast.Assert(msg=message) if message is not None:
                    yield message
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
        case _:
            return False


def _is_logging(func: ast.expr) -> bool:
    while isinstance(func, (ast.Attribute, ast.Call)):
        if isinstance(func, ast.Attribute):
            if func.attr in _LOGGERS:
                return True
            func = func.value
        else:
            func = func.func
    return isinstance(func, ast.Name) and func.id in _LOGGERS


def _codes(text: str) -> tuple[object, ...] | None:
    """What the text compiles to, places left out; `None` where it does not compile."""
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(text, "<mutant>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    return _shown(code)


def _shown(code: types.CodeType) -> tuple[object, ...]:
    constants = tuple(
        _shown(each) if isinstance(each, types.CodeType) else (type(each).__name__, repr(each))
        for each in code.co_consts
    )
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_code, constants, names, code.co_name, code.co_flags)
