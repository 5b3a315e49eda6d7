"""Mutation operators: for a node, what may stand in its place.

The usual ones (Offutt et al., "An experimental determination of sufficient mutant operators",
TOSEM 1996; King and Offutt's Mothra) in the forms that they have in Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .block import Block

Edit = tuple[ast.AST, str]


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a block."""

    operator: str
    node: ast.AST
    text: str
    """What stands in the place of the node."""


_RELATIONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">="), ast.LtE: ("<", ">"), ast.Gt: (">=", "<="), ast.GtE: (">", "<"),
    ast.Eq: ("!=",), ast.NotEq: ("==",), ast.Is: ("is not",), ast.IsNot: ("is",),
    ast.In: ("not in",), ast.NotIn: ("in",),
}  # fmt: skip
_SIGNS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"), ast.Mod: ("%", "*"), ast.Pow: ("**", "*"), ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"), ast.BitXor: ("^", "&"), ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"), ast.MatMult: ("@", "*"),
}  # fmt: skip
_ERRORS = {"ValueError": "RuntimeError"}
_BLANK = {"pass", "..."}


def changes(block: Block) -> Iterator[Change]:
    """All changes of the functions that are meant, in the order of the text."""
    for function in block.functions:
        body = function.body[1:] if ast.get_docstring(function, clean=False) else function.body
        for statement in body:
            yield from _statement(block, statement, is_only=len(body) == 1)


def _statement(block: Block, node: ast.stmt, *, is_only: bool = False) -> Iterator[Change]:
    del is_only
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            inner = node.body[1:] if ast.get_docstring(node, clean=False) else node.body
            for each in inner:
                yield from _statement(block, each)
            return
        case ast.ClassDef():
            for each in node.body:
                yield from _statement(block, each)
            return
        case ast.Return(value=value) if value is not None:
            for text in _defaults(value):
                yield Change("returned default", value, text)
        case ast.If(test=test) | ast.While(test=test):
            yield Change("negated condition", test, f"not ({block.source(test)})")
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name) as func) | (ast.Name(id=name) as func)):
            if name[:1].isupper():
                yield Change("changed exception", func, _ERRORS.get(name, "ValueError"))
        case ast.Break():
            yield Change("loop control", node, "continue")
        case ast.Continue():
            yield Change("loop control", node, "break")
        case _:
            pass
    if _can_go(node):
        yield Change("statement deletion", node, "pass")
    for child in _expressions(node):
        yield from _expression(block, child)
    for name in ("body", "orelse", "finalbody"):
        for each in getattr(node, name, ()):
            yield from _statement(block, each)
    for handler in getattr(node, "handlers", ()):
        for each in handler.body:
            yield from _statement(block, each)
    for case in getattr(node, "cases", ()):
        for each in case.body:
            yield from _statement(block, each)


def _can_go(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()):
            return False
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            return False  # without it the function may be no generator any more
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Delete() | ast.Assign():
            return True
        case _:
            return False


def _defaults(value: ast.expr) -> Iterator[str]:
    match value:
        case ast.Constant(value=None):
            return
        case ast.Constant(value=bool()):
            return  # its negation says it
        case ast.List() | ast.ListComp():
            yield "[]"
        case ast.Dict() | ast.DictComp():
            yield "{}"
        case ast.JoinedStr() | ast.Constant(value=str()):
            yield "''"
        case _:
            pass
    yield "None"


def _expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement itself, annotations left out."""
    match node:
        case ast.AnnAssign(value=value):
            if value is not None:
                yield value
        case ast.Match(subject=subject):
            yield subject
        case ast.Try():
            return
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for item in items:
                yield item.context_expr
        case _:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    yield child


def _expression(block: Block, node: ast.expr) -> Iterator[Change]:
    source = block.source
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            for sign in _RELATIONS[type(op)]:
                text = f"{source(left)} {sign} {source(right)}"
                yield Change("relational", node, f"({text})")
        case ast.BinOp(left=left, op=op, right=right) if not _is_text(left):
            old, new = _SIGNS[type(op)]
            if not (old == "%" and _is_text(left)):
                yield Change("arithmetic", node, f"({source(left)} {new} {source(right)})")
        case ast.BoolOp(op=op, values=values):
            new = "or" if isinstance(op, ast.And) else "and"
            yield Change("boolean", node, "(" + f" {new} ".join(map(source, values)) + ")")
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield Change("boolean", node, f"({source(operand)})")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield Change("arithmetic", node, f"({source(operand)})")
        case ast.IfExp(test=test):
            yield Change("negated condition", test, f"(not ({source(test)}))")
        case ast.Await(value=value):
            yield Change("removed await", node, f"({source(value)})")
        case ast.Constant(value=value):
            yield from _constant(node, value)
        case ast.Call(args=[first, second, *_]) if not any(
            isinstance(each, ast.Starred) for each in (first, second)
        ):
            yield from _swapped(block, node, first, second)
        case ast.Subscript(slice=ast.Slice(lower=lower, upper=upper)):
            for bound in (lower, upper):
                if bound is not None and not isinstance(bound, ast.Constant):
                    yield Change("off by one", bound, f"({source(bound)}) + 1")
        case _:
            pass
    if isinstance(node, (ast.Lambda, ast.JoinedStr)):
        yield from _inside_text(block, node)
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield from _expression(block, child)
        elif isinstance(child, ast.comprehension):
            yield from _expression(block, child.iter)
            for test in child.ifs:
                yield Change("negated condition", test, f"not ({source(test)})")
                yield from _expression(block, test)
        elif isinstance(child, ast.keyword):
            yield from _expression(block, child.value)


def _inside_text(block: Block, node: ast.Lambda | ast.JoinedStr) -> Iterator[Change]:
    """Of a lambda its body; parts of a formatted text have no places of their own before 3.12."""
    if isinstance(node, ast.Lambda):
        yield from _expression(block, node.body)
    else:
        yield Change("text", node, "''")


def _swapped(block: Block, node: ast.Call, first: ast.expr, second: ast.expr) -> Iterator[Change]:
    one, two = block.source(first), block.source(second)
    if one != two:
        given = [two, one, *(block.source(each) for each in node.args[2:])]
        given += [
            f"{k.arg}={block.source(k.value)}" if k.arg else f"**{block.source(k.value)}"
            for k in node.keywords
        ]
        yield Change("swapped arguments", node, f"{block.source(node.func)}({', '.join(given)})")


def _constant(node: ast.Constant, value: object) -> Iterator[Change]:
    match value:
        case bool():
            yield Change("constant", node, str(not value))
        case int() | float():
            yield Change("constant", node, repr(value + 1))
            if value not in (0, 1):
                yield Change("constant", node, f"({value - 1!r})")
        case str():
            yield Change("text", node, repr(f"{value}X") if value else "'X'")
        case bytes():
            yield Change("text", node, repr(value + b"X"))
        case _:
            return


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
