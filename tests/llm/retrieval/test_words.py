"""The words that code is found by, and how well texts fit them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.llm.retrieval.bm25 import Bm25
from slicefunc.llm.retrieval.words import words_of

TEXTS = (
    "def area_of(shape): compute the area of one shape",
    "def volume(body): compute the volume",
    "class Parser: read tokens, read lines, read files",
    "area area area",
)
WORD = st.from_regex(r"[b-df-hj-np-tv-z]{3,8}", fullmatch=True)
"""A word that has no parts and is no noise."""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("area", ["area"]),
        ("area_of_shape", ["area_of_shape", "area", "shape"]),
        ("areaOfShape", ["areaofshape", "area", "shape"]),
        ("HTTPServerError", ["httpservererror", "http", "server", "error"]),
        ("MAX_SIZE", ["max_size", "max", "size"]),
        ("parse2", ["parse2", "parse", "2"]),
        ("__init__", ["init"]),
        ("x = 25.5", ["x", "25", "5"]),
        ("return self for the", []),
        ("a.b(c)", ["b", "c"]),
        ("", []),
        ("+-*/ \n", []),
        ("größe", ["größe", "gr", "öß", "e"]),
    ],
)
def test_an_identifier_is_a_word_and_so_are_its_parts(text: str, words: list[str]) -> None:
    assert list(words_of(text)) == words


@given(st.lists(WORD, min_size=2, max_size=4))
def test_the_same_words_are_found_in_any_style_of_writing(parts: list[str]) -> None:
    snake, camel = "_".join(parts), "".join(each.title() for each in parts)
    assert list(words_of(snake))[1:] == list(words_of(camel))[1:] == parts


@given(st.text(max_size=60))
def test_words_are_in_lower_case(text: str) -> None:
    assert all(word == word.lower() for word in words_of(text))


@given(st.text(max_size=30), st.text(max_size=30))
def test_two_lines_have_the_words_of_both(first: str, second: str) -> None:
    assert list(words_of(f"{first}\n{second}")) == [*words_of(first), *words_of(second)]


def test_a_word_that_no_text_has_scores_nothing() -> None:
    assert Bm25(TEXTS).scores("zebra").tolist() == [0.0] * len(TEXTS)


@pytest.mark.parametrize("query", ["", "the self", "\n+", "\0"])
def test_a_query_without_words_scores_nothing(query: str) -> None:
    assert Bm25(TEXTS).scores(query).tolist() == [0.0] * len(TEXTS)


def test_an_unknown_word_changes_no_score() -> None:
    index = Bm25(TEXTS)
    assert np.array_equal(index.scores("area"), index.scores("area zebra"))


@pytest.mark.parametrize("texts", [[], [""], ["", "the", "+"]])
def test_an_index_without_words_scores_nothing(texts: list[str]) -> None:
    assert Bm25(texts).scores("area").tolist() == [0.0] * len(texts)


@pytest.mark.parametrize(
    ("query", "first"), [("read files", 2), ("volume of a body", 1), ("Shape", 0), ("area", 3)]
)
def test_the_text_with_the_words_of_a_query_comes_first(query: str, first: int) -> None:
    assert int(Bm25(TEXTS).scores(query).argmax()) == first


def test_a_rare_word_is_worth_more_than_a_common_one() -> None:
    index = Bm25(["common rare", "common", "common other", "common more"])
    assert index.scores("rare")[0] > index.scores("common")[0] > 0


def test_of_two_texts_with_a_word_the_shorter_one_fits_better() -> None:
    short, long = Bm25(["area shape", "area shape of many other things beside it"]).scores("area")
    assert short > long > 0


def test_a_word_that_a_query_repeats_counts_once() -> None:
    index = Bm25(TEXTS)
    assert np.array_equal(index.scores("area area area volume"), index.scores("area volume"))


@given(st.lists(st.lists(WORD, max_size=5).map(" ".join), max_size=6), st.lists(WORD, max_size=4))
def test_a_text_scores_exactly_where_it_shares_a_word(texts: list[str], query: list[str]) -> None:
    queries = [*query, *(text.split()[0] for text in texts[:1] if text)]
    scores = Bm25(texts).scores(" ".join(queries))
    shares = [bool(set(text.split()) & set(queries)) for text in texts]
    assert [bool(score > 0) for score in scores] == shares
