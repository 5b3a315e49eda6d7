"""Mutation operators for expressions and their parts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ....slicer.syntax.nodes import defaults_of
from ..mutated_block import Block
from .format_operators import formatted
from .value_changes import (
    KillingValues,
    MutatedPlace,
    Values,
    alternating,
    distinct,
    equal,
    in_turn,
    longer,
    near_numbers,
    numbers_inside,
    of_calls,
    one_after_another,
    one_more,
    true_or_false,
    with_changed,
    with_words,
)


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a block."""

    operator: str
    node: ast.AST
    text: str
    """The text that replaces the node."""
    is_hint: bool = False
    """Whether such changes are often equivalent, without a way to tell."""


SIGNS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"), ast.Mod: ("%", "*"), ast.Pow: ("**", "*"), ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"), ast.BitXor: ("^", "&"), ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"), ast.MatMult: ("@", "*"),
}  # fmt: skip
"""Maps each operator to its sign and the sign that replaces it."""
_RELATIONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<", "<=", ">="), ast.LtE: ("<=", "<", ">"), ast.Gt: (">", ">=", "<="),
    ast.GtE: (">=", ">", "<"), ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}  # fmt: skip


def _in_texts(place: MutatedPlace) -> Iterator[Values]:
    words = with_words(place)
    # what stands between items shows where there are two
    more = one_more(place) if "join" in place.calls else iter(())
    yield from in_turn(more, words, more, words, words, with_changed(place))
    yield from distinct(place)


_RELATIONAL = one_after_another(
    alternating(numbers_inside, one_after_another(equal, near_numbers)), distinct
)
_BOOLEAN = one_after_another(
    alternating(numbers_inside, true_or_false), equal, of_calls, with_words
)
KILLED_BY: dict[str, KillingValues] = {
    "dropped call": one_after_another(of_calls, distinct),
    "relational": _RELATIONAL,
    "off by one": _RELATIONAL,
    "arithmetic": one_after_another(distinct, longer),
    "constant": one_after_another(alternating(numbers_inside, near_numbers), longer, distinct),
    "text": _in_texts,
    "formatted text": _in_texts,
    "swapped arguments": one_after_another(distinct, longer),
    "boolean": _BOOLEAN,
    "dropped operand": _BOOLEAN,
    "negated condition": _BOOLEAN,
}
"""Operator → which changes of what flows into its mutants may show them."""
_WHOLE = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant, ast.JoinedStr, ast.List,
    ast.Dict, ast.Set, ast.Tuple, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp,
)  # fmt: skip
"""Expressions that need no parentheses as an operand."""
_MOST_BITS = 10_000


def expression(block: Block, node: ast.expr) -> Iterator[Change]:
    """Yield changes of an expression and all its parts, in text order."""
    yield from _own(block, node)
    if isinstance(node, ast.JoinedStr):
        return  # before Python 3.12 its parts have no positions
    stripped = _stripped(node)
    if isinstance(node, ast.Lambda):
        for _, default in defaults_of(node.args):
            yield from expression(block, default)
        yield from expression(block, node.body)
        return
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Constant() if child is stripped:
                other = "b'X'" if isinstance(child.value, bytes) else "'X'"
                yield Change("text", child, other)
            case ast.expr():
                yield from expression(block, child)
            case ast.keyword(value=value):
                yield from expression(block, value)
            case ast.comprehension(iter=iterated, ifs=tests):
                yield from expression(block, iterated)
                for test in tests:
                    text = f"not ({block.source(test)})"
                    yield Change("negated condition", test, text)
                    yield from expression(block, test)
            case _:
                pass


def _stripped(node: ast.expr) -> ast.expr | None:
    """Return the characters that a call strips: one more changes hardly any result."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="strip" | "lstrip" | "rstrip"),
            args=[ast.Constant(value=str() | bytes()) as characters],
        ):
            return characters
        case _:
            return None


def operand(block: Block, node: ast.expr) -> str:
    """Return the text of an expression as an operand."""
    text = block.source(node)
    return text if isinstance(node, _WHOLE) else f"({text})"


def constant(node: ast.AST, value: object) -> Iterator[Change]:
    """Yield other constants near this one."""
    match value:
        case bool():
            yield Change("constant", node, str(not value))
        case int() if value.bit_length() > _MOST_BITS:
            return  # Python refuses to print longer integers
        case int() | float() | complex():
            yield Change("constant", node, repr(value + 1))
            if value not in (0, 1):
                yield Change("constant", node, f"({value - 1!r})")
        case str():
            yield Change("text", node, repr(f"{value}X") if value else "'X'")
        case bytes():
            yield Change("text", node, repr(value + b"X"))
        case _:
            return


def is_text(node: ast.expr) -> bool:
    """Whether an expression is text. Arithmetic on it would fail in every case."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _own(block: Block, node: ast.expr) -> Iterator[Change]:  # noqa: C901 - a case for each kind of expression
    """Yield changes of an expression itself."""
    source = block.source
    match node:
        case ast.Compare():
            yield from _compared(block, node)
        case ast.BinOp(left=left, op=op, right=right):
            if not (is_text(left) or is_text(right)):
                new = SIGNS[type(op)][1]
                text = f"({operand(block, left)} {new} {operand(block, right)})"
                yield Change("arithmetic", node, text)
        case ast.BoolOp(op=op, values=values):
            new = "or" if isinstance(op, ast.And) else "and"
            texts = [operand(block, each) for each in values]
            yield Change("boolean", node, "(" + f" {new} ".join(texts) + ")")
            yield from _dropped_operands(node, texts)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield Change("boolean", node, f"({source(inner)})")
        case ast.UnaryOp(op=ast.USub() | ast.Invert(), operand=inner):
            yield Change("arithmetic", node, f"({source(inner)})")
        case ast.IfExp(test=test):
            yield Change("negated condition", test, f"(not ({source(test)}))")
        case ast.Await(value=value):
            yield Change("removed await", node, f"({source(value)})")
        case ast.Yield(value=ast.expr() as value):
            if not (isinstance(value, ast.Constant) and value.value is None):
                yield Change("returned default", value, "None")
        case ast.Constant(value=value):
            yield from constant(node, value)
        case ast.JoinedStr():
            yield Change("text", node, "''")
            for text in formatted(node, _texts_of):
                yield Change("formatted text", node, text)
        case ast.Call():
            yield from _called(block, node)
            yield from _missed(block, node)
        case ast.Subscript(slice=ast.Slice(lower=lower, upper=upper)):
            for bound in (lower, upper):
                if bound is not None and not isinstance(bound, ast.Constant):
                    yield Change("off by one", bound, f"{operand(block, bound)} + 1")
        case _:
            pass


def _compared(block: Block, node: ast.Compare) -> Iterator[Change]:
    """Yield a comparison with one relation of its chain changed at a time."""
    texts = [operand(block, each) for each in (node.left, *node.comparators)]
    signs = [_RELATIONS[type(op)][0] for op in node.ops]
    for position, op in enumerate(node.ops):
        for other in _RELATIONS[type(op)][1:]:
            text = texts[0]
            for place, sign in enumerate(signs):
                text += f" {other if place == position else sign} {texts[place + 1]}"
            yield Change("relational", node, f"({text})")


def _dropped_operands(node: ast.BoolOp, texts: list[str]) -> Iterator[Change]:
    """Yield a condition without one operand: each must matter for the result (as in MC/DC)."""
    sign = " and " if isinstance(node.op, ast.And) else " or "
    for position in range(len(texts)):
        kept = texts[:position] + texts[position + 1 :]
        text = sign.join(kept)
        yield Change("dropped operand", node, text if len(kept) == 1 else f"({text})")


def _called(block: Block, node: ast.Call) -> Iterator[Change]:
    match node:
        case ast.Call(func=ast.Name(id="range"), args=[*_, stop] as args) if len(args) < 3:
            if not isinstance(stop, ast.Constant | ast.Starred):
                yield Change("off by one", stop, f"{operand(block, stop)} + 1")
        case ast.Call(func=ast.Name(), args=[only], keywords=[]):
            if not isinstance(only, ast.Starred):
                yield Change("dropped call", node, operand(block, only))
        case ast.Call(func=ast.Attribute(value=receiver), args=[], keywords=[]):
            yield Change("dropped call", node, operand(block, receiver))
        case ast.Call(args=[first, second, *_]):
            if not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
                yield from _swapped(block, node, first, second)
        case _:
            pass


def _missed(block: Block, node: ast.Call) -> Iterator[Change]:
    """Yield what a look-up returns for a missing key, so that a case must find something."""
    match node:
        case (
            ast.Call(
                func=ast.Attribute(attr="get" | "pop") | ast.Name(id="next"),
                args=[_, default],
                keywords=[],
            )
            | ast.Call(func=ast.Name(id="getattr"), args=[_, _, default], keywords=[])
        ):
            if not any(isinstance(each, ast.Starred) for each in node.args):
                yield Change("missed lookup", node, operand(block, default))
        case _:
            pass


_SYMMETRIC = frozenset({"max", "min"})
"""Builtins for which the order of arguments only decides among equal ones."""
_SYMMETRIC_METHODS = frozenset(
    "assertEqual assertNotEqual assertAlmostEqual assertNotAlmostEqual assertIs assertIsNot "
    "assertCountEqual assertSequenceEqual assertListEqual assertTupleEqual assertSetEqual "
    "assertDictEqual gcd lcm isclose logical_or logical_and logical_xor maximum minimum fmax fmin "
    "hypot union1d intersect1d bitwise_or bitwise_and bitwise_xor".split()
)
"""Methods and functions whose first two arguments may be swapped, but for the failure message."""


def _swapped(block: Block, node: ast.Call, first: ast.expr, second: ast.expr) -> Iterator[Change]:
    one, two = block.source(first), block.source(second)
    match node.func:
        case ast.Name(id=name):
            does_the_same = name in _SYMMETRIC
        case ast.Attribute(attr=name):
            does_the_same = name in _SYMMETRIC_METHODS
        case _:
            does_the_same = False
    if one != two and not does_the_same:
        given = [two, one, *(block.source(each) for each in node.args[2:])]
        given += [
            f"{k.arg}={block.source(k.value)}" if k.arg else f"**{block.source(k.value)}"
            for k in node.keywords
        ]
        text = f"{operand(block, node.func)}({', '.join(given)})"
        yield Change("swapped arguments", node, text)


def _texts_of(node: ast.expr) -> Iterator[str]:
    """Yield the texts of an expression after each of its changes."""
    block = Block(f"({ast.unparse(node)})", 1, 1)
    for statement in block.tree.body:
        if isinstance(statement, ast.Expr):
            for change in expression(block, statement.value):
                yield block.replaced(change.node, change.text).strip()
