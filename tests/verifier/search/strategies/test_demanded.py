"""What the text of a test asks for is given, all of it at once."""

from __future__ import annotations

import ast
import math
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.verifier.inputs.argument_pools import Inputs, Pool
from slicefunc.verifier.inputs.receivers.receiver_pool import Receivers
from slicefunc.verifier.inputs.statements import Statement, named
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.strategies.path_conditions import deciding, satisfy_conditions

STATES = (
    Statement("{it}.shown = False"),
    Statement("{it}.shown = True"),
    Statement("{it}.name = 'name-1'"),
    Statement("{it}.name = ''"),
)
INPUTS = Inputs(
    "C.f",
    "method",
    Receivers(("C()",), STATES),
    (Pool("value", "keyword", ("'a'", "''")), Pool("n", "keyword", ("3",))),
)
DRAFT = Draft("C()", (("value", "'a'"), ("n", "3")), (Statement("{it}.name = 'x'"),))


def drafts(test: str) -> list[Draft]:
    text = f"def f(self, value, n):\n    if {test}:\n        return 1\n    return 2\n"
    return list(satisfy_conditions(INPUTS, Block(text, 1, 4), DRAFT, 2))


def came_out(test: str, draft: Draft) -> bool:
    """How the test comes out for a draft."""

    class It:
        shown = None
        name = None

    it = It()
    names = {"READ": "read", "it": it}
    for statement in draft.before:
        exec(named(statement.text, "it"), names)
    values = {name: eval(value, names) for name, value in draft.arguments}
    return bool(eval(test, names, {**values, "self": it}))


ATOMS = (
    "self.shown", "self.name", "value", "value is READ", "value is not None", "n > 10", "n <= 2",
    "value == 'b'", "self.name == ()", "value in (READ, None)", "5 < n", "n != 3", "not self.shown",
)  # fmt: skip


@pytest.mark.parametrize("test", ATOMS)
def test_each_part_comes_out_both_ways(test: str) -> None:
    seen = {came_out(test, draft) for draft in (DRAFT, *drafts(test))}
    assert seen == {True, False}


def test_a_text_holds_all_that_it_is_tested_for_at_once() -> None:
    text = (
        "def f(self, value, n):\n    if 'a' in value and READ in value and n:\n        return 1\n"
    )
    pools = (Pool("value", "keyword", ("'x'",)), Pool("n", "keyword", ("3", "0")))
    inputs = Inputs("C.f", "method", Receivers(("C()",), ()), pools)
    made = list(satisfy_conditions(inputs, Block(text, 1, 3), DRAFT, 2))
    assert ("value", "'a' + '1' + READ") in made[0].arguments
    assert ("n", "3") in made[0].arguments
    text = "def f(value, n, m):\n    if n in value and m in value:\n        return 1\n"
    pools = tuple(Pool(name, "keyword", (f"'{name}-1'",)) for name in ("value", "n", "m"))
    inputs = Inputs("f", "function", Receivers(()), pools)
    draft = Draft("", (("value", "''"), ("n", "''"), ("m", "''")))
    first = next(iter(satisfy_conditions(inputs, Block(text, 1, 3), draft, 2)))
    assert dict(first.arguments) == {"value": "'n-1' + '1' + 'm-1'", "n": "'n-1'", "m": "'m-1'"}


@given(st.lists(st.sampled_from(ATOMS[:8]), min_size=2, max_size=3, unique=True))
def test_several_parts_are_met_at_once(parts: list[str]) -> None:
    places = [part.replace("not ", "").replace("self.", "").split()[0] for part in parts]
    if len({*places}) == len(places):  # else one may ask for what the other excludes
        test = " and ".join(parts)
        assert any(came_out(test, draft) for draft in drafts(test))
        test = " or ".join(parts)
        assert any(not came_out(test, draft) for draft in drafts(test))


def test_what_nobody_can_set_is_left_alone() -> None:
    assert drafts("other() and len(value) > 3 and local") == []
    assert {draft.arguments for draft in drafts("other() and n > 10")} == {
        (("value", "'a'"), ("n", text)) for text in ("11", "10", "9")
    }


def test_what_was_set_before_is_set_anew() -> None:
    (first, *_) = drafts("self.name == ()")
    assert first.before == (Statement("{it}.name = ()"),)


def test_only_tests_on_the_line_are_read() -> None:
    text = textwrap.dedent("""\
        def f(self, value, n):
            if n > 10:
                return 1 if value else 2
            while self.shown:
                assert value is None
    """)
    block = Block(text, 1, 5)
    assert ast.unparse(block.tree)
    names = [
        {name for d in satisfy_conditions(INPUTS, block, DRAFT, line) for name, _ in
         {*d.arguments} - {*DRAFT.arguments}}
        for line in (2, 3, 4, 5)
    ]  # fmt: skip
    assert names == [{"n"}, {"value"}, set(), {"value"}]


@pytest.mark.parametrize("word", ["and", "or"])
def test_each_part_decides_alone(word: str) -> None:
    parts = ("self.shown", "value", "n > 10")
    node = ast.parse(f" {word} ".join(parts), mode="eval").body
    seen = {
        tuple(came_out(part, draft) for part in parts) for draft in deciding(INPUTS, DRAFT, node)
    }
    rest = word == "and"
    assert seen >= {tuple(rest is (part is not one) for part in parts) for one in parts}
    assert list(deciding(INPUTS, DRAFT, ast.parse("value", mode="eval").body)) == []


@pytest.mark.parametrize(
    "test", ["math.isnan(value)", "not math.isinf(value)", "math.isfinite(value)",
             "callable(value)", "isinstance(value, str)", "is_known(value)"],
)  # fmt: skip
def test_what_is_asserted_is_not_so(test: str) -> None:
    node = ast.parse(f"assert {test}").body[0]
    names = {"math": math, "is_known": lambda value: value == "'a'"}

    def came_out(draft: Draft) -> bool:
        try:
            return bool(eval(test, {**names, "value": eval(dict(draft.arguments)["value"])}))
        except TypeError:
            return False

    assert any(not came_out(draft) for draft in deciding(INPUTS, DRAFT, node))
