"""Contexts: the hole always stays, and what is farthest from it goes first."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.evaluation.contexts import (
    Context,
    bounded_context,
    hole_start,
    in_file,
    stub,
    token_estimate,
)

from tests.driver.evaluation.made_up_rows import SIGNATURE, file_text, record_of, row_of

CUT = "# … code is left out here\n"
words = st.text(st.sampled_from("abc_ =(),"), max_size=30)
codes = st.lists(words, max_size=15).map(lambda each: "".join(f"{line}\n" for line in each))


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A file with a hole, and code above and below."""
    return f"{draw(codes)}{SIGNATURE}\n    ...\n{draw(codes)}"


def window(context: Context) -> list[str]:
    """The lines that were kept."""
    return context.text.removeprefix(CUT).removesuffix(CUT).splitlines(keepends=True)


@given(texts(), st.integers(1, 200))
def test_the_hole_stays(text: str, most: int) -> None:
    assert "    ...\n" in window(bounded_context(text, SIGNATURE, most))


@given(texts(), st.integers(0, 200))
def test_the_budget_is_held_but_for_the_hole_itself(text: str, most: int) -> None:
    found = bounded_context(text, SIGNATURE, most)
    assert found.tokens <= max(most, token_estimate("    ...\n"))
    assert token_estimate("".join(window(found))) == found.tokens


@given(texts(), st.integers(0, 200))
def test_what_is_kept_and_what_is_cut_are_the_whole(text: str, most: int) -> None:
    found = bounded_context(text, SIGNATURE, most)
    assert found.tokens + found.cut == token_estimate(text)
    assert (found.cut > 0) == (found.text != text)


@given(texts(), st.integers(1, 100), st.integers(0, 100))
def test_a_larger_budget_keeps_all_that_a_smaller_one_keeps(
    text: str, most: int, more: int
) -> None:
    small = "".join(window(bounded_context(text, SIGNATURE, most)))
    large = "".join(window(bounded_context(text, SIGNATURE, most + more)))
    assert small in large


@given(st.integers(0, 12), st.integers(0, 12), st.integers(1, 80))
def test_the_farthest_lines_are_cut_first(above: int, below: int, most: int) -> None:
    before = [f"a{number}\n" for number in range(above)]
    after = [f"b{number}\n" for number in range(below)]
    text = "".join([*before, f"{SIGNATURE}\n", "    ...\n", *after])
    kept = window(bounded_context(text, SIGNATURE, most))
    hole = kept.index("    ...\n")
    missing_above, missing_below = above + 1 - hole, below - (len(kept) - 1 - hole)
    if missing_above and missing_below:
        assert abs(hole - (len(kept) - 1 - hole)) <= 1


@given(texts())
def test_a_text_within_the_budget_stays_as_it_is(text: str) -> None:
    tokens = token_estimate(text)
    assert bounded_context(text, SIGNATURE, tokens) == Context(text, tokens, 0)


@pytest.mark.parametrize(
    ("most", "above", "below"), [(4, True, True), (44, False, True), (10**6, False, False)]
)
def test_what_is_cut_is_marked_on_its_side(most: int, above: bool, below: bool) -> None:
    text = f"first = 1\n{SIGNATURE}\n    ...\n" + "below = 1\n" * 9
    found = bounded_context(text, SIGNATURE, most).text
    assert (found.startswith(CUT), found.endswith(CUT)) == (above, below)


def test_a_text_without_a_hole_keeps_the_line_of_the_signature() -> None:
    text = "a = 1\n" * 20 + f"{SIGNATURE}\n    return left\n" + "b = 1\n" * 20
    assert SIGNATURE in bounded_context(text, SIGNATURE, 20).text


def test_the_hole_is_the_one_below_the_signature() -> None:
    text = file_text("Doc.")
    start = hole_start(text, SIGNATURE)
    assert start == text.rindex("    ...")
    assert hole_start("x = 1\n", SIGNATURE) is None


@given(st.text(st.sampled_from("abc_ \n()[]{}.,'\"")), st.text(st.sampled_from("abc \n().")))
def test_tokens_of_lines_add_up(one: str, other: str) -> None:
    whole = f"{one}\n{other}"
    assert token_estimate(whole) == sum(map(token_estimate, whole.splitlines(keepends=True)))


# the file


LARGER = """\
    best = left.weight * 3
    for each in left.parts:
        best = max(best, each.weight - right.weight)
    return best
"""
COPY = f"def copied(left, right):\n{LARGER}"


def shown_file(text: str) -> str:
    row = replace(row_of(None, ""), code=f"{SIGNATURE}\n{LARGER}")
    return in_file(row, record_of(text, None))


@pytest.mark.parametrize(
    "copy",
    [COPY, COPY.replace("best", "most").replace("left", "one").replace("each", "part")],
    ids=["the same", "renamed"],
)
def test_a_copy_in_the_file_has_its_head_and_a_hole(copy: str) -> None:
    text = file_text("Doc.")
    head = copy.partition("\n")[0]
    assert shown_file(f"{text}\n\n{copy}AFTER = 2\n") == f"{text}\n\n{head}\n    pass\nAFTER = 2\n"


def test_a_copy_in_comments_of_the_file_is_gone() -> None:
    text = file_text("Doc.")
    commented = "".join(f"# {line}\n" for line in COPY.splitlines())
    assert shown_file(f"{text}{commented}AFTER = 2\n") == f"{text}AFTER = 2\n"


def test_a_copy_around_the_hole_leaves_the_hole() -> None:
    text = f"def outer(left, right):\n    def inner():\n        ...\n\n{LARGER}"
    assert "        ...\n" in shown_file(text)


def test_a_file_without_copies_stays_as_it_is() -> None:
    text = file_text("Doc.") + "\n\ndef copied(left, right):\r\n    return max(left.parts)\n"
    assert shown_file(text) == text


# the definition alone


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), min_size=1))
def test_a_stub_has_the_docstring_and_nothing_but_a_hole(docstring: str) -> None:
    (node,) = ast.parse(stub(row_of(docstring, ""))).body
    assert isinstance(node, ast.FunctionDef)
    assert (ast.get_docstring(node, clean=False) or "").rstrip() == docstring.rstrip()
    assert ast.unparse(node.body[-1]) == "..."


def test_a_stub_of_a_method_stands_in_its_class() -> None:
    row = row_of("Doc.", "", signature="def pay(self):", qualname="Shop.Till.pay")
    assert stub(row) == 'class Till:\n    def pay(self):\n        """Doc."""\n        ...\n'


def test_a_stub_of_an_inner_function_stands_alone() -> None:
    row = row_of(None, "", qualname="outer.<locals>.larger")
    assert stub(row) == f"{SIGNATURE}\n    ...\n"


def test_a_stub_has_the_decorators() -> None:
    row = row_of(None, "")
    code = f"    @cached\n    @other(1)\n    {row.signature}\n        return 1\n"
    decorated = replace(row, code=code)
    assert stub(decorated) == f"@cached\n@other(1)\n{row.signature}\n    ...\n"
