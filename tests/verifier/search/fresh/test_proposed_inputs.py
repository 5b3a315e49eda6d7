"""New calls made of known ones: values keep their types, and a seed decides."""

from __future__ import annotations

import ast
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.verifier.execution.executors.interface import Case
from slicefunc.verifier.search.drafts.code_literals import CodeLiterals
from slicefunc.verifier.search.fresh.case_calls import case_calls, same_case
from slicefunc.verifier.search.fresh.proposed_inputs import proposed_cases

LITERALS = CodeLiterals(texts=("total", ", "), numbers=(7, 2.5))
_PLAIN = st.one_of(
    st.booleans(), st.integers(-50, 50), st.floats(-9, 9).map(lambda n: round(n, 2)),
    st.text("ab1- ", max_size=8), st.binary(max_size=4), st.none(),
)  # fmt: skip
VALUES = st.one_of(
    _PLAIN,
    st.lists(st.integers(0, 9), max_size=4),
    st.tuples(st.integers(0, 9), st.text("xy", max_size=3)),
    st.dictionaries(st.text("kl", min_size=1, max_size=3), st.integers(0, 9), max_size=3),
)


def _case(name: str, call: str, *before: str) -> Case:
    lines = "".join(f"    {line}\n" for line in (*before, f"return {call}"))
    return Case(name, f"def {name}():\n{lines}")


def _made(*cases: Case, seed: int = 0, qualname: str = "f", count: int = 20) -> list[str]:
    return [each.code for each in proposed_cases(cases, qualname, LITERALS, seed, count)]


def _kind(value: Any) -> object:
    """The type of a value, with the types of what a list, tuple or mapping holds."""
    match value:
        case list():
            return ("list", frozenset(map(_kind, value)))
        case tuple():
            return ("tuple", tuple(map(_kind, value)))
        case dict():
            return ("dict", frozenset(map(_kind, value)), frozenset(map(_kind, value.values())))
        case _:
            return type(value)


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=4), st.integers(0, 99))
def test_each_argument_has_the_type_that_it_has_in_a_known_case(
    values: list[tuple[Any, Any]], seed: int
) -> None:
    cases = [_case(f"case_{n}", f"f({a!r}, b={b!r})") for n, (a, b) in enumerate(values)]
    kinds = [{_kind(each[at]) for each in values} for at in (0, 1)]
    for made in proposed_cases(cases, "f", LITERALS, seed, 12):
        (call,) = case_calls([made], "f")
        for node, known in zip(call.arguments.values(), kinds, strict=True):
            kind = _kind(ast.literal_eval(node))
            assert any(_fits(kind, each) for each in known), made.code


def _fits(kind: Any, known: Any) -> bool:
    if not isinstance(kind, tuple) or kind[0] == "tuple":
        return kind == known
    same = isinstance(known, tuple) and kind[0] == known[0]
    return same and all(a <= b for a, b in zip(kind[1:], known[1:], strict=True))


@given(st.lists(VALUES, min_size=1, max_size=4), st.integers(0, 99))
def test_the_same_seed_gives_the_same_text_and_no_known_case(values: list[Any], seed: int) -> None:
    cases = [_case(f"case_{n}", f"f({value!r})") for n, value in enumerate(values)]
    made = _made(*cases, seed=seed)
    assert made == _made(*cases, seed=seed)
    bodies = [same_case(code) for code in made]
    assert len(set(bodies)) == len(bodies)
    assert not set(bodies) & {same_case(each.code) for each in cases}


def test_another_seed_gives_other_inputs() -> None:
    case = _case("case_1", "f(12, 'one two')")
    assert _made(case, seed=1) != _made(case, seed=2)


def test_arguments_are_crossed_between_cases_of_one_shape() -> None:
    cases = (_case("one", "f(None, b=True, c=None)"), _case("two", "f(..., b=False, c=...)"))
    assert any("f(None, b=False" in code or "f(..., b=True" in code for code in _made(*cases))


def test_an_argument_that_uses_a_name_of_its_case_stays_there() -> None:
    cases = (_case("one", "f(box)", "box = [1]"), _case("two", "f([2])"))
    assert all("box = " in code for code in _made(*cases) if "f(box)" in code)


def test_names_of_modules_and_members_stay() -> None:
    before = "__import__('json').dumps"
    for code in _made(_case("one", "f(x)", f"x = {before}", "setattr(x, 'name', 3)")):
        assert before in code
        assert "setattr(x, 'name'" in code


def test_the_mocked_world_stays_as_a_case_sets_it() -> None:
    case = _case("one", "f(1)", "import slice_func_mocks", "slice_func_mocks.choose(files='none')")
    made = _made(case)
    assert made
    assert all("choose(files='none')" in code for code in made)


def test_a_case_of_a_property_is_varied_before_the_look_up() -> None:
    made = _made(_case("one", "box.size", "box = Box('name-1')"), qualname="Box.size")
    assert made
    assert all(code.endswith("return box.size\n") for code in made)


def test_what_cannot_be_read_is_left_alone() -> None:
    assert _made(Case("one", "def one(:\n"), _case("two", "g(1)")) == []
