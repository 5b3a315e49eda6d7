"""Instrument the target's tests, and read the operands that a run recorded.

Each operand goes through a function that records and returns it, so that the tests keep their
meaning. After the logging of comparisons in fuzzers (Aschermann et al., "REDQUEEN: Fuzzing with
Input-to-State Correspondence", NDSS 2019).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from ...execution.batched_trials import Pair
from ...mutation.mutated_block import Block

_SEEN = "__slice_func_seen__"
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "==", ast.IsNot: "!=", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_MATCHERS = frozenset("match search fullmatch findall finditer".split())
_MODULES = ("re", "regex")


@dataclass(frozen=True, slots=True)
class Site:
    """A test in the target's code."""

    line: int
    """Line of the statement that holds the test."""
    how: str
    """The operator, `[]`, `truth`, or the name of a function."""
    measured: tuple[bool, bool] = (False, False)
    """Whether the length of the left and of the right operand is compared."""


@dataclass(frozen=True, slots=True)
class InstrumentedText:
    """The instrumented text of the target, and its tests by number."""

    text: str
    sites: tuple[Site, ...]


@dataclass(frozen=True, slots=True)
class ComparedOperands:
    """A test that ran, with its operands; `...` for what is no literal."""

    line: int
    how: str
    """The operator, preceded by `len` where the left side's length is compared; `[]`; `truth`, with
    the same value on both sides; or the name of a function."""
    left: object
    right: object


def instrumented(block: Block) -> InstrumentedText:
    """Return the target with calls that record what its tests compare."""
    instrument = _Instrument()
    try:
        tree = instrument.visit(copy.deepcopy(block.tree))
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    except RecursionError:  # for example a sum of hundreds of terms
        return InstrumentedText("", ())
    return (
        InstrumentedText(text, tuple(instrument.sites))
        if instrument.sites
        else InstrumentedText("", ())
    )


def compared(pairs: Sequence[Pair], sites: Sequence[Site]) -> tuple[ComparedOperands, ...]:
    """Return the tests that a case ran, with their operands."""
    return tuple(
        _read(sites[site], left, right) for site, left, right in pairs if 0 <= site < len(sites)
    )


def _read(site: Site, left: object, right: object) -> ComparedOperands:
    match site.measured:
        case (True, False):
            return ComparedOperands(site.line, f"len {site.how}", left, right)
        case (False, True):
            how = _TURNED.get(site.how, site.how)
            return ComparedOperands(site.line, f"len {how}", right, left)
        case _:
            return ComparedOperands(site.line, site.how, left, right)


class _Instrument(ast.NodeTransformer):
    """Wraps the operands of tests. All tests of a statement have its line."""

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.line = 0

    def visit(self, node: ast.AST) -> ast.AST:
        if not isinstance(node, ast.stmt):
            return super().visit(node)
        outer, self.line = self.line, node.lineno
        visited = super().visit(node)
        self.line = outer
        return visited

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        return node  # such code runs while the script is loaded, or never

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = cast("ast.expr", self.visit(node.value))
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        operands = [node.left, *node.comparators]
        measured = [_measured(operand) for operand in operands]
        for at, operator in enumerate(node.ops):
            pair = bool(measured[at]), bool(measured[at + 1])
            site = self._site(_SIGNS[type(operator)], pair)
            for side in (0, 1):
                operands[at + side] = _wrapped(operands[at + side], site, side)
        node.left, *node.comparators = operands
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        return self._with_test(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._with_test(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        return self._with_test(node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return self._with_test(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs[:] = map(self._truth, node.ifs)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        node.values[:-1] = map(self._truth, node.values[:-1])
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            node.operand = self._truth(node.operand)
        return node

    def _with_test(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> ast.AST:
        self.generic_visit(node)
        node.test = self._truth(node.test)
        return node

    def _truth(self, node: ast.expr) -> ast.expr:
        """Record a value whose truth is tested. Comparisons inside record their own operands."""
        match node:
            case ast.BoolOp(values=[*_, last]):
                node.values[-1] = self._truth(last)
            case ast.Call(func=ast.Name(id="len"), args=[value], keywords=[]):
                node.args[:] = [self._truth(value)]
            case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call(func=ast.Attribute()):
                site = self._site("truth")
                return _call(site, 1, _call(site, 0, node))
            case _:
                pass
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and _is_key(node.slice):
            node.value, node.slice = self._pair("[]", node.value, node.slice)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        args = node.args
        if any(isinstance(each, ast.Starred) for each in args):
            return node
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[value, kinds]):
                args[:] = self._pair("isinstance", value, kinds)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=module), attr=name), args=[pattern, text, *_]
            ) if module in _MODULES and name in _MATCHERS:
                args[:2] = self._pair("match", pattern, text)
            case ast.Call(func=ast.Attribute(attr=name) as function, args=[given, *_]) if (
                name in _METHODS
            ):
                function.value, args[0] = self._pair(_METHODS[name], function.value, given)
            case _:
                pass
        return node

    def _pair(self, how: str, left: ast.expr, right: ast.expr) -> tuple[ast.expr, ast.expr]:
        site = self._site(how)
        return _call(site, 0, left), _call(site, 1, right)

    def _site(self, how: str, measured: tuple[bool, bool] = (False, False)) -> int:
        self.sites.append(Site(self.line, how, measured))
        return len(self.sites) - 1


_METHODS = {
    **dict.fromkeys(("get", "pop", "index", "remove"), "[]"),
    "startswith": "startswith", "endswith": "endswith",
    **dict.fromkeys(_MATCHERS, "match"),
}  # fmt: skip


def _measured(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[_], keywords=[]):
            return True
        case _:
            return False


def _wrapped(node: ast.expr, site: int, side: int) -> ast.expr:
    """Return the operand, recorded; for `len(x)` it records `x`."""
    if isinstance(node, ast.Call) and _measured(node):
        node.args = [_call(site, side, node.args[0])]
        return node
    return _call(site, side, node)


def _call(site: int, side: int, value: ast.expr) -> ast.expr:
    given: list[ast.expr] = [ast.Constant(site), ast.Constant(side), value]
    return ast.Call(ast.Name(_SEEN, ast.Load()), given, [])


def _is_key(node: ast.expr) -> bool:
    """Whether an expression may be the key of a dictionary and is no number."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    inner = (ast.Slice, ast.Starred)
    return not any(isinstance(each, inner) for each in ast.walk(node))
