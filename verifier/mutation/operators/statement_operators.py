"""Mutation operators for the statements of a target.

The usual ones (Offutt et al., "An experimental determination of sufficient mutant operators", TOSEM
1996; King and Offutt's Mothra) in their Python forms. Decorators, annotations and the target's own
parameters stay: a candidate is given these.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....slicer.syntax.nodes import defaults_of
from ..mutated_block import Block
from .expression_operators import SIGNS, Change, constant, expression, is_text, operand
from .ignored_arguments import ignored
from .value_changes import KillingValues, distinct, longer, one_after_another

KILLED_BY: dict[str, KillingValues] = {
    "swapped elements": one_after_another(distinct, longer),
}
"""Operator → which changes of what flows into its mutants may show them."""
_ERRORS = {"ValueError": "RuntimeError"}


def changes(block: Block) -> Iterator[Change]:
    """Yield all changes of the block's functions, in the order of their statements."""
    for function in block.functions:
        if isinstance(function, ast.Lambda):
            yield from _returned(block, function.body)
            yield from expression(block, function.body)
        else:
            yield from _body(block, function)
            yield from ignored(block, function)


def _body(block: Block, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Change]:
    """Yield the changes of all statements but the docstring."""
    has_docstring = ast.get_docstring(function, clean=False) is not None
    for statement in function.body[has_docstring:]:
        yield from _statement(block, statement)


def _statement(block: Block, node: ast.stmt) -> Iterator[Change]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            for _, default in defaults_of(node.args):
                yield from expression(block, default)
            yield from _body(block, node)
            return
        case ast.ClassDef():
            for each in node.body:
                yield from _statement(block, each)
            return
        case ast.Match():
            yield from _match(block, node)
        case _:
            yield from _whole(block, node)
    if _can_go(node):
        yield Change("statement deletion", node, "pass")
    for child in _expressions(node):
        yield from expression(block, child)
    for name in ("body", "orelse", "finalbody"):
        for each in getattr(node, name, ()):
            yield from _statement(block, each)
    for handler in getattr(node, "handlers", ()):
        yield from _caught(block, handler)
        for each in handler.body:
            yield from _statement(block, each)
    for case in getattr(node, "cases", ()):
        for each in case.body:
            yield from _statement(block, each)


def _whole(block: Block, node: ast.stmt) -> Iterator[Change]:
    """Yield changes of what a statement does, rather than of what it computes."""
    match node:
        case ast.Return(value=ast.expr() as value):
            yield from _returned(block, value)
        case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
            yield Change("negated condition", test, f"not ({block.source(test)})")
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name) as func) | (ast.Name(id=name) as func)):
            if name[:1].isupper():
                yield Change("changed exception", func, _ERRORS.get(name, "ValueError"))
        case ast.AugAssign(target=target, op=op, value=value):
            old, new = SIGNS[type(op)]
            if not (is_text(value) or (old == "+" and isinstance(value, ast.List | ast.Tuple))):
                text = f"{block.source(target)} {new}= {block.source(value)}"
                yield Change("arithmetic", node, text)
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()], value=ast.Name() as value):
            yield Change("stored default", value, "None")
        case ast.Break():
            yield Change("loop control", node, "continue")
        case ast.Continue():
            yield Change("loop control", node, "break")
        case _:
            pass


def _can_go(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()):
            return False
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            return False  # without a `yield` the function may be no generator any more
        case ast.Return(value=value):
            return value is None or (isinstance(value, ast.Constant) and value.value is None)
        case ast.AnnAssign(value=value):
            return value is not None
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Delete() | ast.Assign():
            return True
        case ast.Assert():
            return True
        case _:
            return False


def _returned(block: Block, value: ast.expr) -> Iterator[Change]:
    """Yield other values to return: a default, or the same items in another order."""
    for text in _defaults(value):
        yield Change("returned default", value, text)
    match value:
        case ast.Tuple(elts=[first, second, *rest]) if not any(
            isinstance(each, ast.Starred) for each in value.elts
        ):
            texts = [operand(block, each) for each in (second, first, *rest)]
            yield Change("swapped elements", value, f"({', '.join(texts)})")
        case _:
            pass


def _defaults(value: ast.expr) -> Iterator[str]:
    match value:
        case ast.Constant(value=None | bool()):
            return  # one is the default already, and negation covers the other
        case ast.List(elts=[]) | ast.Dict(keys=[]) | ast.Constant(value=""):
            pass
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
    """Yield the expressions of a statement itself, without annotations."""
    match node:
        case ast.AnnAssign(target=target, value=value):
            yield target
            if value is not None:
                yield value
        case ast.Match(subject=subject):
            yield subject
        case ast.Try() | ast.TryStar():
            return
        case ast.Raise(exc=ast.Call(args=args, keywords=keywords)):
            yield from (*args, *(each.value for each in keywords))
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for item in items:
                yield item.context_expr
        case _:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    yield child


def _caught(block: Block, handler: ast.ExceptHandler) -> Iterator[Change]:
    """Yield a handler without one of its types."""
    match handler.type:
        case ast.Tuple(elts=elements) if len(elements) > 1:
            for missing in elements:
                kept = [block.source(each) for each in elements if each is not missing]
                yield Change("except type", handler.type, f"({', '.join(kept)},)")
        case ast.expr() as only:
            yield Change("except type", only, "()")
        case None:
            pass


# ------------------------------------------------------------------------------- patterns


def _match(block: Block, node: ast.Match) -> Iterator[Change]:
    for case in node.cases:
        yield from _pattern(block, case.pattern)
        if case.guard is not None:
            text = f"not ({block.source(case.guard)})"
            yield Change("negated condition", case.guard, text)
            yield from expression(block, case.guard)


def _pattern(block: Block, node: ast.pattern) -> Iterator[Change]:
    """Yield other constants, and patterns without one alternative."""
    match node:
        case ast.MatchValue(value=ast.Constant(value=value)):
            yield from constant(node, value)
        case ast.MatchSingleton(value=bool() as value):
            yield Change("constant", node, str(not value))
        case ast.MatchOr(patterns=patterns):
            for missing in patterns:
                kept = [block.source(each) for each in patterns if each is not missing]
                yield Change("pattern", node, f"({' | '.join(kept)})")
        case ast.MatchMapping(keys=keys):
            for key in keys:
                if isinstance(key, ast.Constant):
                    yield from constant(key, key.value)
        case _:
            pass
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.pattern):
            yield from _pattern(block, child)
