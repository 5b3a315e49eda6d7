"""Texts that a regular expression tells apart, and texts that are nearly one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.mocker.shapes.texts.pattern_forms import forms

WEEKDAY = "mo(n(day)?)?$|tu(e(sday)?)?$|we(d(nesday)?)?$"
PARTS = st.lists(
    st.sampled_from(
        [r"\d+", "[a-c]", "[^,]", "x", r"\s?", "(ab|cd)", "(e(fg)?)?", r"\w{2,3}", "."]
    ),
    min_size=1,
    max_size=5,
)


@pytest.mark.parametrize(
    ("pattern", "taken"),
    [
        (WEEKDAY, {"mo", "mon", "monday", "tu", "tue", "tuesday", "we", "wed", "wednesday"}),
        ("-?[0-9]+[dwm]$", {"-1d", "1d", "-10d", "-0d", "-9d", "-1w", "-1m"}),
        (r"(\d+)\s?(popup|email)", {"1 popup", "1 email", "1popup"}),
    ],
)
def test_each_choice_is_made_both_ways(pattern: str, taken: set[str]) -> None:
    assert taken <= {*forms(pattern)}


@pytest.mark.parametrize(
    ("pattern", "near"),
    [
        (WEEKDAY, {"monda", "mondayy", "xmonday"}),
        ("-?[0-9]+[dwm]$", {"-1s", "+1d", "-1", "-1dd"}),
        (r"^(\d+)([wdh]?)(?:\s+(popup|email))?$", {"-1w popup", "1s popup", "1w popuq"}),
    ],
)
def test_texts_that_are_not_taken_are_close_to_one_that_is(pattern: str, near: set[str]) -> None:
    assert near <= {*forms(pattern)}
    assert not any(re.fullmatch(pattern, text) for text in near)


@pytest.mark.parametrize("pattern", ["abc", "(", "", "[a", "(?P<n>"])
def test_what_has_no_choices_or_is_no_pattern_has_no_forms(pattern: str) -> None:
    assert forms(pattern) == ()


@given(PARTS)
def test_the_plainest_text_comes_first_and_is_taken(parts: list[str]) -> None:
    pattern = "".join(parts)
    found = forms(pattern)
    assert len(found) <= 48
    assert len(set(found)) == len(found)
    assert not found or re.search(pattern, found[0])
