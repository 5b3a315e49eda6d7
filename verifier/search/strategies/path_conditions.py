"""Drafts solved from the text of a test: each part about a parameter or attribute is satisfied.

In a test with several parts no part shows anything alone, and no run tells which values are needed.
The text does: `self.a and not self.b and mode is READ` names all three.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, product

from ...inputs.argument_pools import Inputs
from ...inputs.statements import RECEIVER, Statement, parts_of, place_of, without
from ...inputs.types.tested_values import PASSES_TEST
from ...mutation.mutated_block import Block
from ..drafts.drafts import Draft

_MOST = 12
"""Drafts for one line."""
_MOST_SOLUTIONS = 8
"""Ways in which one part may come out as wanted."""
_FALSE = frozenset({"None", "False", "0", "''", '""', "[]", "()", "{}", "0.0", "b''"})

_PREDICATES = {
    "isnan": (PASSES_TEST["isnan"], "1.5"),
    "isinf": (PASSES_TEST["isinf"], "1.5"),
    "isfinite": ("1.5", PASSES_TEST["isnan"]),
    "callable": (PASSES_TEST["callable"], "1"),
    "isinstance": ("", "None"),
    "issubclass": ("", "object"),
}
"""Arguments for which these functions answer yes, and no. Runs find the rest."""
_ANYTHING = ("1", "'text-1'", PASSES_TEST["callable"])

Wishes = Mapping[str, str]
"""Maps a parameter, or an attribute as `self.name`, to the expression that it should have."""


def satisfy_conditions(inputs: Inputs, block: Block, draft: Draft, line: int) -> Iterator[Draft]:
    """Yield the draft with values that make the tests on a line true, then false.

    Args:
        inputs: what can be given to the target.
        block: the target's text.
        draft: a draft that reaches the line.
        line: a line with a missing branch.
    """
    solver = _Solver(inputs)
    tests = [node for node in _tests(block) if node.lineno == line]
    solutions = (
        way for test in tests for outcome in (True, False) for way in solver.of(test, outcome)
    )
    made = (_granted(draft, way) for way in solutions if way)
    yield from islice((each for each in dict.fromkeys(made) if each != draft), _MOST)


def deciding(inputs: Inputs, draft: Draft, node: ast.AST) -> Iterator[Draft]:
    """Yield the draft with each part of an `and` or `or` in turn alone deciding the result.

    For an assertion, yield drafts that fail it.

    Args:
        inputs: what can be given to the target.
        draft: a draft that reaches the node.
        node: a node of the target's tree; only `and`, `or` and `assert` have drafts.
    """
    solver = _Solver(inputs)
    if isinstance(node, ast.Assert):
        yield from (_granted(draft, way) for way in solver.of(node.test, outcome=False) if way)
    if not isinstance(node, ast.BoolOp):
        return
    neutral = isinstance(node.op, ast.And)
    for deciding_one in node.values:
        parts = [solver.of(n, neutral is (n is not deciding_one)) for n in node.values]
        yield from (_granted(draft, way) for way in _merged(parts)[:2] if way)


def _tests(block: Block) -> Iterator[ast.expr]:
    for function in block.functions:
        for node in ast.walk(function):
            if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
                yield node.test


def _granted(draft: Draft, wishes: Wishes) -> Draft:
    """Return the draft with the wished values."""
    given = [(name, text) for name, text in wishes.items() if "." not in name]
    places = {_state_of(name): text for name, text in wishes.items() if "." in name}
    states = (Statement.setting(place, text) for place, text in places.items())
    made = replace(draft, before=(*without(draft.before, *places), *states))
    return made.with_arguments(given)


def _state_of(place: str) -> str:
    """Return an attribute of the receiver or an argument as statements write it."""
    root, _, rest = place.partition(".")
    return place_of(RECEIVER if root == "self" else root, f".{rest}")


class _Solver:
    """Finds the values for which expressions come out as wanted. `self` is the receiver's name."""

    def __init__(self, inputs: Inputs) -> None:
        self._pools = {pool.name: pool.texts for pool in inputs.pools if pool.call == 0}
        self._states: dict[str, list[str]] = {}
        for statement in inputs.receivers.states:
            root, rest = parts_of(statement.place)
            if statement.sets and rest.startswith("."):
                place = f"{'self' if root == RECEIVER else root}{rest}"
                self._states.setdefault(place, []).append(statement.value)
        self._has_self = inputs.kind in ("method", "property")

    def of(self, node: ast.expr, outcome: bool) -> list[Wishes]:
        """Return ways to that outcome; an empty way where nothing is known."""
        match node:
            case ast.UnaryOp(ast.Not(), operand):
                return self.of(operand, not outcome)
            case ast.BoolOp(op, values):
                return self._several(values, outcome, is_all=isinstance(op, ast.And) is outcome)
            case ast.Compare(left, [op], [right]):
                return self._compared(left, op, right, outcome)
            case ast.NamedExpr(value=value):
                return self.of(value, outcome)
            case ast.Call(
                func=ast.Name(id=name) | ast.Attribute(attr=name), args=args, keywords=[]
            ):
                return self._called(name, args, outcome) or [{}]
            case _:
                place = self._place(node)
                return [{place: text} for text in self._texts(place, outcome)] if place else [{}]

    def _several(self, values: list[ast.expr], outcome: bool, *, is_all: bool) -> list[Wishes]:
        """Return ways for all parts; or for one part that decides while the others are neutral."""
        if is_all:
            together: Wishes = self._all_in(values) if outcome else {}
            rest = [value for value in values if not (together and _is_member_test(value))]
            return _merged([[together], *(self.of(value, outcome) for value in rest)])
        found: list[Wishes] = []
        for position, value in enumerate(values):
            before = [self.of(each, not outcome)[:1] for each in values[:position]]
            found += _merged([*before, self.of(value, outcome)])
        return found[:_MOST_SOLUTIONS]

    def _all_in(self, values: list[ast.expr]) -> Wishes:
        """Return a text that contains all parts it is tested for, and arguments among the parts."""
        found: dict[str, str] = {}
        parts: dict[str, list[str]] = {}
        for value in values:
            match value:
                case ast.Compare(left=part, ops=[ast.In()], comparators=[whole]):
                    place, inner = self._place(whole), self._place(part)
                case _:
                    continue
            text = next(iter(self._known(inner)), "") if inner else ast.unparse(part)
            if not place or not text or not (inner or _is_plain(part)):
                return {}
            found.update({inner: text} if inner else {})
            parts.setdefault(place, []).append(text)
        if max(map(len, parts.values()), default=0) < 2:  # runs find a single one
            return {}
        return {**found, **{place: " + '1' + ".join(texts) for place, texts in parts.items()}}

    def _called(self, name: str, args: list[ast.expr], outcome: bool) -> list[Wishes]:
        """Return ways for a predicate to say yes, or no, about its argument."""
        place = next((found for each in args if (found := self._place(each))), "")
        if not place:
            return []
        if name in _PREDICATES:
            text = _PREDICATES[name][0 if outcome else 1]
            return [{place: text}] if text else []
        texts = dict.fromkeys((*self._known(place), "None", *_ANYTHING))
        solutions: list[Wishes] = [{place: text} for text in texts]
        return solutions[:_MOST_SOLUTIONS]

    def _compared(
        self,
        left: ast.expr,
        op: ast.cmpop,
        right: ast.expr,
        outcome: bool,
    ) -> list[Wishes]:
        place, other = self._place(left), right
        if not place:
            place, other = self._place(right), left
        if not place:
            return [{}]
        is_same = isinstance(op, ast.Is | ast.Eq | ast.In | ast.GtE | ast.LtE)
        if isinstance(op, ast.IsNot | ast.NotEq | ast.NotIn):
            outcome, is_same = not outcome, True
        if isinstance(op, ast.In | ast.NotIn):
            items = other.elts if isinstance(other, ast.Tuple | ast.List | ast.Set) else []
            texts = [ast.unparse(item) for item in items if _is_plain(item)]
        else:
            texts = [ast.unparse(other)] if _is_plain(other) else []
        match other:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                if not isinstance(op, ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
                    texts = [repr(number + step) for step in (1, 0, -1)]
                    return [{place: text} for text in texts]
            case _:
                pass
        if is_same and outcome:
            return [{place: text} for text in texts] or [{}]
        others = [text for text in (*self._known(place), *_ANYTHING) if text not in texts]
        return [{place: text} for text in others[:_MOST_SOLUTIONS]] or [{}]

    def _place(self, node: ast.expr) -> str:
        """Return a parameter, or an attribute of the receiver; empty for anything else."""
        match node:
            case ast.Name(name) if name in self._pools:
                return name
            case ast.Attribute(ast.Name("self"), name) if self._has_self:
                return f"self.{name}"
            case ast.Attribute() if (place := ast.unparse(node)) in self._states:
                return place
            case _:
                return ""

    def _known(self, place: str) -> list[str]:
        """Return the known values of a place."""
        return [*(self._pools.get(place) or self._states.get(place, ()))]

    def _texts(self, place: str, outcome: bool) -> list[str]:
        """Return up to two true, or two false, values of a place."""
        known = [text for text in self._known(place) if (text in _FALSE) is not outcome]
        plain = ["True"] if outcome else ["False", "None"]
        return [*known[:2], *(text for text in plain if text not in known)][:2]


def _merged(parts: list[list[Wishes]]) -> list[Wishes]:
    """Return ways for all parts at once: one way of each part, without contradictions."""
    found: list[Wishes] = []
    for combined in islice(product(*parts), _MOST_SOLUTIONS * 4):
        whole: dict[str, str] = {}
        for way in combined:
            if any(whole.get(name, text) != text for name, text in way.items()):
                break
            whole.update(way)
        else:
            found.append(whole)
    return found[:_MOST_SOLUTIONS]


def _is_member_test(node: ast.expr) -> bool:
    match node:
        case ast.Compare(ops=[ast.In()]):
            return True
        case _:
            return False


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression means the same outside the target: a literal, or a name in capitals."""
    match node:
        case ast.Constant() | ast.Tuple(elts=[]) | ast.List(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Name(name):
            return name.isupper()
        case ast.Attribute(ast.Name(name), member):
            return name[:1].isupper() and member.isupper()
        case ast.UnaryOp(ast.USub(), ast.Constant()):
            return True
        case _:
            return False
