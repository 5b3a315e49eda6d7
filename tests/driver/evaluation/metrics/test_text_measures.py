"""Measures of text: one for what is the same, and never outside of 0 to 1."""

from __future__ import annotations

from textwrap import indent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.evaluation.metrics.code_bleu import code_bleu, matches
from slicefunc.driver.evaluation.metrics.likeness import Likeness, likeness
from slicefunc.driver.evaluation.metrics.text_similarity import edit_similarity, is_exact_match

LARGER = """\
def larger(left, right):
    if left > right:
        return left
    found = right
    return found
"""
OTHER = """\
def larger(left, right):
    return max(left, right)
"""
BROKEN = "def larger(left, right:\n    return left\n"
programs = st.sampled_from([LARGER, OTHER, BROKEN, "", "x = 1\n", "no code at all", "\t\n", "'''"])
texts = st.one_of(programs, st.text())


@pytest.mark.parametrize("code", [LARGER, OTHER, "async def f():\n    await g()\n"])
def test_the_original_itself_has_all_measures_of_one(code: str) -> None:
    assert is_exact_match(code, code)
    assert edit_similarity(code, code) == 1
    assert code_bleu(code, code) == pytest.approx(1)


def test_comments_blank_lines_and_indentation_are_no_difference() -> None:
    other = indent(LARGER.replace("    found", "    # the other\n\n    found"), "    ")
    assert is_exact_match(other, LARGER)
    assert matches(other, LARGER)[2:] == (1, 1)


def test_blank_lines_and_indentation_are_no_difference_in_words() -> None:
    other = indent(LARGER.replace("    found", "\n    found"), "    ")
    assert code_bleu(other, LARGER) == pytest.approx(1)


def test_another_value_is_a_difference() -> None:
    assert not is_exact_match(LARGER.replace("found = right", "found = left"), LARGER)


def test_what_is_no_python_matches_by_its_lines() -> None:
    assert is_exact_match(f"\n{BROKEN}\n", BROKEN)
    assert not is_exact_match(BROKEN, LARGER)


def test_nothing_is_like_nothing_of_the_original() -> None:
    assert not is_exact_match("", LARGER)
    assert edit_similarity("", LARGER) == 0
    assert code_bleu("", LARGER) == 0


def test_what_does_not_parse_is_worth_less_than_what_does() -> None:
    assert 0 < code_bleu(LARGER[:-1] + "(", LARGER) < code_bleu(LARGER, LARGER)


def test_closer_code_is_worth_more() -> None:
    near = LARGER.replace(">", "<")
    assert code_bleu(near, LARGER) > code_bleu(OTHER, LARGER)
    assert edit_similarity(near, LARGER) > edit_similarity(OTHER, LARGER)


def test_other_names_leave_syntax_and_data_flow_the_same() -> None:
    other = LARGER.replace("left", "a").replace("right", "b").replace("found", "c")
    assert matches(other, LARGER)[2:] == (1, 1)


def test_a_value_from_elsewhere_is_another_data_flow() -> None:
    original = "def f(a, b):\n    c = a + b\n    return c\n"
    assert matches(original.replace("a + b", "a + a"), original)[3] < 1
    assert matches(original.replace("c = a + b", "c = 1"), original)[3] < 1


def test_what_a_loop_assigns_the_next_turn_reads() -> None:
    loop = "while True:\n    print(step)\n    step = 1\n"
    once = "print(step)\nstep = 1\n"
    assert matches(once, loop)[3] < 1


def test_weights_are_those_of_a_sum_by_hand() -> None:
    # 1 keyword and 3 other words of the original; the keyword and 1 word are found, no longer runs
    share = (1 + 0.2) / (1 + 3 * 0.2)
    expected = (share * (0.1 / 3) * (0.1 / 2) * (0.1 / 1)) ** 0.25
    assert matches("return d c", "return a b c")[1] == pytest.approx(expected)


def test_keywords_weigh_more_than_names() -> None:
    keyword = LARGER.replace("return found", "yield found")
    name = LARGER.replace("return found", "return fount")
    assert code_bleu(keyword, LARGER) < code_bleu(name, LARGER)


@given(texts, texts)
def test_measures_are_between_0_and_1(code: str, original: str) -> None:
    assert 0 <= edit_similarity(code, original) <= 1
    assert 0 <= code_bleu(code, original) <= 1


@given(texts, texts)
def test_edit_similarity_has_no_direction(one: str, other: str) -> None:
    assert edit_similarity(one, other) == edit_similarity(other, one)


def test_a_tower_of_brackets_is_measured_too() -> None:
    tower = f"x = {'(' * 5000}{')' * 5000}"
    assert 0 <= code_bleu(tower, LARGER) < 0.5
    assert not is_exact_match(tower, LARGER)


@pytest.mark.parametrize(
    "code",
    [
        "x = 1" + "+1" * 20_000,
        f"x = {'(' * 20_000}{')' * 20_000}",
        "(" * 40_000,
        "x = " + "-" * 40_000 + "1",
        "a = " * 10_000 + "1",
        "".join(f"{'    ' * i}for a{i} in b{i}:\n" for i in range(60)) + "    " * 60 + "pass\n",
    ],
    ids=["sum", "brackets", "open", "minus", "chain", "loops"],
)
def test_what_is_nested_deeply_is_measured_too(code: str) -> None:
    assert 0 <= code_bleu(code, LARGER) < 0.5


def test_without_an_original_and_for_what_is_too_long_nothing_is_alike() -> None:
    assert likeness("x = 1\n", "") == Likeness()
    assert likeness("x = 1\n" * 50_000, LARGER) == Likeness()
    assert likeness(LARGER, LARGER) == Likeness(True, 1.0, 1.0)


def test_a_chain_of_thousands_of_attributes_is_measured_too() -> None:
    assert 0 <= code_bleu("x" + ".y" * 5000, LARGER) < 0.5
