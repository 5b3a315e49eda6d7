"""Measures of text: one for what is the same, and never outside of 0 to 1."""

from __future__ import annotations

from textwrap import indent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.evaluation.metrics.code_bleu import code_bleu
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
    assert code_bleu(other, LARGER) > 0.5


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
