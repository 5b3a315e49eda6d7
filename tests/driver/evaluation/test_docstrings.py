"""Docstrings that a model sees: the one of a choice, wherever the original stood."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.evaluation.docstrings import with_docstring
from slicefunc.driver.evaluation.tasks import NoTaskError

from tests.driver.evaluation.made_up_rows import SIGNATURE, file_text, record_of, row_of

docstrings = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), min_size=1).filter(
    str.strip
)


def shown_texts(original: str | None, which: str, **prompt: str) -> list[str]:
    """The texts that a model reads with the docstring of a choice."""
    text = file_text(original)
    row, record = with_docstring(row_of(original, text), record_of(text, original, **prompt), which)
    return [row.prompt, record["prompt"]["context"], record["prompt"]["file_with_hole"]]


def docstring_in(text: str) -> str | None:
    (node,) = (
        each
        for each in ast.parse(text).body
        if isinstance(each, ast.FunctionDef) and each.name == "larger"
    )
    return ast.get_docstring(node, clean=False)


@given(docstrings)
def test_none_takes_the_docstring_away_and_nothing_else(original: str) -> None:
    assert set(shown_texts(original, "none")) == {file_text(None)}


@given(docstrings, docstrings)
def test_a_generated_one_stands_in_place_of_the_original(original: str, other: str) -> None:
    for text in shown_texts(original, "generated", generated_docstring=other):
        found = docstring_in(text)
        assert found
        assert dedent(f"    {found.rstrip()}").split() == other.split()


@given(docstrings)
def test_where_none_was_generated_there_is_no_task(original: str) -> None:
    with pytest.raises(NoTaskError, match="no docstring was generated"):
        shown_texts(original, "generated")


@given(docstrings)
def test_the_original_changes_nothing(original: str) -> None:
    assert set(shown_texts(original, "original")) == {file_text(original)}


@given(docstrings)
def test_a_text_without_a_docstring_gets_the_generated_one(other: str) -> None:
    for text in shown_texts(None, "generated", generated_docstring=other):
        assert (docstring_in(text) or "").split() == other.split()


def test_a_text_without_a_docstring_stays_with_none() -> None:
    assert set(shown_texts(None, "none")) == {file_text(None)}


def test_a_docstring_of_several_lines_is_indented_like_the_hole() -> None:
    signature = "def pay(self):"
    text = f"class Till:\n    {signature}\n        ...\n"
    row = row_of(None, text, signature=signature, qualname="Till.pay")
    record = record_of(text, None, generated_docstring="Pay.\n\nIn cents.")
    changed, _ = with_docstring(row, record, "generated")
    assert changed.prompt == (
        f'class Till:\n    {signature}\n        """Pay.\n        \n        In cents."""\n'
        "        ...\n"
    )


@pytest.mark.parametrize("which", ["none", "generated"])
def test_a_text_without_a_hole_stays_as_it_is(which: str) -> None:
    text = f"{SIGNATURE}\n    return left\n"
    record = record_of(text, "Doc.", generated_docstring="New.")
    row, _ = with_docstring(row_of("Doc.", text), record, which)
    assert row.prompt == text


@pytest.mark.parametrize(
    ("which", "expected"), [("original", "Doc."), ("none", None), ("generated", "New.")]
)
def test_the_row_has_the_docstring_of_the_choice(which: str, expected: str | None) -> None:
    text = file_text("Doc.")
    record = record_of(text, "Doc.", generated_docstring="New.")
    row, _ = with_docstring(row_of("Doc.", text), record, which)
    assert row.docstring == expected


def test_the_record_that_was_given_stays_as_it_is() -> None:
    record = record_of(file_text("Doc."), "Doc.")
    with_docstring(row_of("Doc.", file_text("Doc.")), record, "none")
    assert record == record_of(file_text("Doc."), "Doc.")
