"""Texts compared too widely or too narrowly: by a part, by a prefix, in another case."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...value_changes import around_words, distinct, one_after_another
from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator


def _pairs(function: MutatedFunction) -> Iterator[tuple[ast.Compare, ast.expr, ast.expr, str]]:
    """Yield equality comparisons of texts: the node, both sides, and `not ` or an empty text."""
    for node in function.nodes:
        match node:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]):
                if function.is_text(left) or function.is_text(right):
                    negation = "not " if isinstance(op, ast.NotEq) else ""
                    if isinstance(left, ast.Constant):
                        left, right = right, left
                    yield node, left, right, negation
            case _:
                pass


def _contained(function: MutatedFunction) -> Iterator[Edit]:
    for node, one, other, negation in _pairs(function):
        if not (isinstance(other, ast.Constant) and other.value == ""):
            yield node, f"({function.operand(other)} {negation}in {function.operand(one)})"


def _begins(function: MutatedFunction) -> Iterator[Edit]:
    for node, one, other, negation in _pairs(function):
        if not (isinstance(other, ast.Constant) and other.value == ""):
            yield node, f"({negation}{function.operand(one)}.startswith({function.source(other)}))"


def _any_case(function: MutatedFunction) -> Iterator[Edit]:
    for node, one, other, negation in _pairs(function):
        if _has_letters(other):
            sign = "!=" if negation else "=="
            text = f"{function.operand(one)}.casefold() {sign} {function.operand(other)}.casefold()"
            yield node, f"({text})"


def _has_letters(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str() as value):
            return value.lower() != value.upper()
        case _:
            return True


def _anywhere(function: MutatedFunction) -> Iterator[Edit]:
    """Yield `in` for `startswith` and `endswith`."""
    for node in function.nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(value=text, attr="startswith" | "endswith"),
                args=[part],
                keywords=[],
            ) if function.is_text(part):
                yield node, f"({function.operand(part)} in {function.operand(text)})"
            case _:
                pass


def _whole(function: MutatedFunction) -> Iterator[Edit]:
    """Yield equality for `startswith` and `endswith`."""
    for node in function.nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(value=text, attr="startswith" | "endswith"),
                args=[part],
                keywords=[],
            ) if function.is_text(part):
                yield node, f"({function.operand(text)} == {function.operand(part)})"
            case ast.Compare(left=part, ops=[ast.In()], comparators=[text]) if function.is_text(
                text
            ) and function.is_text(part):
                yield node, f"({function.operand(text)} == {function.operand(part)})"
            case _:
                pass


_NO_TEXTS = ("return a == b", "return a == 3", "return a is None", "return a in b")
OPERATORS = (
    Operator(
        "contained for equal",
        _contained,
        (
            ("return a == 'xy'", ("return 'xy' in a",)),
            ("return 'xy' != a.b", ("return 'xy' not in a.b",)),
            ("return text == a", ("return a in text",)),
        ),
        (*_NO_TEXTS, "return a == ''"),
        is_hint=True,  # parts of a split text contain no more than what they are compared with
        killed_by=one_after_another(around_words, distinct),
    ),
    Operator(
        "beginning for equal",
        _begins,
        (
            ("return a == 'xy'", ("return a.startswith('xy')",)),
            ("return a.lower() != b", ("return not a.lower().startswith(b)",)),
        ),
        (*_NO_TEXTS, "return a == ''"),
        is_hint=True,
        killed_by=one_after_another(around_words, distinct),
    ),
    Operator(
        "any case for equal",
        _any_case,
        (("return a == 'xy'", ("return a.casefold() == 'xy'.casefold()",)),),
        (*_NO_TEXTS, "return a == '//'"),
        killed_by=one_after_another(around_words, distinct),
    ),
    Operator(
        "anywhere for beginning",
        _anywhere,
        (
            (
                "return a.startswith('x') or a.endswith(text)",
                (
                    "return ('x' in a) or a.endswith(text)",
                    "return a.startswith('x') or (text in a)",
                ),
            ),
        ),
        (
            "return a.startswith(('x', 'y'))",
            "return a.startswith(b)",
            "return a.startswith('x', 1)",
        ),
        killed_by=one_after_another(around_words, distinct),
    ),
    Operator(
        "equal for contained",
        _whole,
        (
            ("return a.startswith('x')", ("return a == 'x'",)),
            ("return 'x' in text", ("return text == 'x'",)),
        ),
        ("return 'x' in a", "return a.startswith(b)"),
        killed_by=one_after_another(around_words, distinct),
    ),
)
