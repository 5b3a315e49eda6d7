"""Texts, numbers and booleans that satisfy the slice's tests of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from ...flow import FlowQuery, Uses
from ...flow.flow_graph import Fact
from .pattern_matches import example

_MAX_OTHERS = 5
Number = int | float


@dataclass(frozen=True, slots=True)
class Test:
    """A test that the slice makes of a value."""

    predicate: Callable[[object], bool]
    outcome: bool | None
    weight: int
    candidates: tuple[object, ...]
    """Values that may make it true or false."""
    allowed: frozenset[object] | None = None
    """The only values for which it holds, if these can be listed."""


def tests_of(uses: Uses) -> list[Test]:
    """Return all tests of a value itself."""
    found: list[Test] = []
    for fact in uses.facts:
        if fact.kind == "compare":
            found += _comparisons(uses, fact)
        elif fact.kind == "match":
            found += _match(uses, fact)
        elif fact.kind == "truth":
            wanted = fact.value if isinstance(fact.value, bool) else None
            found.append(Test(bool, wanted, _weight(fact), ()))
    return found


def _weight(fact: Fact) -> int:
    return 1 if fact.is_weak else 4


def _comparisons(uses: Uses, fact: Fact) -> tuple[Test, ...]:
    """Return the tests that a comparison makes; cached, as a large table makes thousands."""
    follower = uses.follower
    if follower is None:
        return ()
    key = ("tests", fact)
    if key not in follower.shapes:
        follower.shapes[key] = tuple(_comparison(follower, fact))
    return cast("tuple[Test, ...]", follower.shapes[key])


def _comparison(follower: FlowQuery, fact: Fact) -> Iterable[Test]:
    sign, operand = cast("tuple[str, int]", fact.value)
    wanted, weight = follower.preferred_outcome(fact), _weight(fact)
    if sign in ("in", "not in"):
        inside = follower.contents(operand)
        if inside:
            good = wanted if sign == "in" or wanted is None else not wanted
            if good is None and sign == "in":
                good, weight = True, 1
            yield Test(lambda v: v in inside, good, weight, inside, frozenset(inside))
        return
    if sign in _STATES:
        yield Test(_state(sign), wanted, weight, ("12", "ab", "AB"))
        return
    if sign in ("has", "finds"):
        sign = "has"
    is_negated = sign in ("!=", "not in", "has not", "is not")
    good = wanted if not is_negated or wanted is None else not wanted
    for constant in follower.constants(operand):
        if good is None and sign == "==" and constant not in (None, "", False, 0):
            good, weight = True, 1  # a named value is the wanted one
        holds = _predicate(sign, constant)
        if holds is not None:
            among = frozenset((constant,)) if sign in _EQUALITIES else None
            yield Test(holds, good, weight, tuple(_candidates(sign, constant)), among)
            weight = max(weight - 1, 1)


_STATES = ("isdigit", "isnumeric", "isdecimal", "isalpha", "isalnum", "isupper", "islower")


_EQUALITIES = ("==", "!=", "is", "is not")
_OF_TEXTS = (*_STATES, "startswith", "endswith")


def uses_text_method(uses: Uses) -> bool:
    """Whether a test is a method of texts."""
    signs = (cast("tuple[str, int]", f.value)[0] for f in uses.facts if f.kind == "compare")
    return any(sign in _OF_TEXTS for sign in signs)


def _state(name: str) -> Callable[[object], bool]:
    return lambda v: isinstance(v, str) and bool(getattr(v, name)())


def _predicate(sign: str, constant: object) -> Callable[[object], bool] | None:
    match sign:
        case "==" | "!=" | "is" | "is not":
            return lambda v: v == constant and (v is None) == (constant is None)
        case "<" | "<=" | ">" | ">=":
            return _order(sign, constant)
        case "startswith" | "endswith" if isinstance(constant, str):
            if sign == "startswith":
                return lambda v: isinstance(v, str) and v.startswith(constant)
            return lambda v: isinstance(v, str) and v.endswith(constant)
        case "has" | "has not" if isinstance(constant, str):
            return lambda v: isinstance(v, str) and constant in v
        case _:
            return None


def _order(sign: str, constant: object) -> Callable[[object], bool]:
    def predicate(value: object) -> bool:
        try:
            left, right = cast("Number", value), cast("Number", constant)
            match sign:
                case "<":
                    return left < right
                case "<=":
                    return left <= right
                case ">":
                    return left > right
                case _:
                    return left >= right
        except TypeError:
            return False

    return predicate


def _candidates(sign: str, constant: object) -> Iterable[object]:
    match constant:
        case bool():
            yield constant
            yield not constant
        case int():
            yield constant
            yield constant + 1
            yield constant - 1
        case float():
            yield constant
            yield constant + 1
            yield constant - 1
            yield constant / 2
        case str():
            yield constant
            if sign in ("startswith", "has"):
                yield f"{constant} text"
            if sign == "endswith":
                yield f"name{constant}"
        case _:
            yield constant


def _match(uses: Uses, fact: Fact) -> Iterable[Test]:
    follower = uses.follower
    if follower is None:
        return
    how, node = cast("tuple[str, int | None]", fact.value)
    for pattern in pattern_constants(uses, node):
        try:
            compiled = re.compile(pattern)
        except (re.error, OverflowError):
            continue
        wanted = follower.preferred_outcome(fact)
        if wanted is None and not _is_tested(uses, fact):
            wanted = True  # a match is used as it is
        search = compiled.search if how not in ("match", "fullmatch") else getattr(compiled, how)

        def predicate(value: object, search: Callable[[str], object] = search) -> bool:
            return isinstance(value, str) and search(value) is not None

        text = example(pattern)
        yield Test(predicate, wanted, _weight(fact), () if text is None else (text,))


def _is_tested(uses: Uses, fact: Fact) -> bool:
    follower = uses.follower
    if follower is None or fact.result is None:
        return False
    return any(
        other.kind == "truth"
        for node in follower.reachable_nodes((fact.result,))
        for other in follower.graph.facts.get(node, ())
    )


def pattern_constants(uses: Uses, node: int | None) -> Sequence[str]:
    """Return the regular expressions that a node may hold, compiled ones included."""
    follower = uses.follower
    if follower is None or node is None:
        return ()
    found = [c for c in follower.constants(node) if isinstance(c, str)]
    for origin in sorted(follower.origins(node)):
        taken = follower.graph.takes.get(origin)
        if taken is not None and taken[1][0] == "call":
            arguments = cast("tuple[int, ...]", taken[1][2])
            if arguments:
                found += [c for c in follower.constants(arguments[0]) if isinstance(c, str)]
    return tuple(dict.fromkeys(found))


def solve(
    tests: Sequence[Test], samples: Sequence[object], fits: Callable[[object], bool]
) -> tuple[object, ...]:
    """Return the value that satisfies most wanted outcomes, then one for each other outcome.

    Args:
        tests: the slice's tests.
        samples: values to try in addition to the tests' candidates.
        fits: whether a value is of the needed kind.
    """
    tried = [*samples, *(c for test in tests for c in test.candidates)]
    pool = list(dict.fromkeys((type(c), c) for c in tried if fits(c)))
    values = [value for _, value in pool]
    if not values:
        return ()
    listed = _Listed.of(tests)
    others = [test for test in tests if test.allowed is None]
    outcomes = {
        id(v): (listed.tests_of(v), tuple(bool(t.predicate(v)) for t in others)) for v in values
    }

    def score(value: object) -> int:
        passed, plain = outcomes[id(value)]
        return sum(listed.weights[at] for at in passed) + sum(
            t.weight
            for t, h in zip(others, plain, strict=True)
            if t.outcome is None or t.outcome == h
        )

    best = max(values, key=score)
    found = [best]
    seen = {outcomes[id(best)]}
    for value in values:
        if outcomes[id(value)] not in seen and len(found) <= _MAX_OTHERS:
            seen.add(outcomes[id(value)])
            found.append(value)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Listed:
    """Tests that list the values they hold for: a table of thousands of keys makes as many."""

    places: dict[object, tuple[int, ...]]
    """Value → the tests that hold for it."""
    weights: tuple[int, ...]
    """The weight that each test adds to a value for which it holds."""

    @classmethod
    def of(cls, tests: Sequence[Test]) -> _Listed:
        listed = [test for test in tests if test.allowed is not None]
        places: dict[object, list[int]] = {}
        for at, test in enumerate(listed):
            for value in test.allowed or ():
                places.setdefault(value, []).append(at)
        signs = {None: 0, True: 1, False: -1}
        return cls(
            {value: tuple(found) for value, found in places.items()},
            tuple(signs[test.outcome] * test.weight for test in listed),
        )

    def tests_of(self, value: object) -> tuple[int, ...]:
        return self.places.get(value, ())


def have_same_outcomes(tests: Sequence[Test], values: Sequence[object]) -> bool:
    """Whether the values take the slice the same way."""
    return len({tuple(bool(test.predicate(value)) for test in tests) for value in values}) == 1
