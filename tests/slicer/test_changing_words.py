"""Names that lines of a text may change, against one pattern for one name at a time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.slicer.changing_words import base_words, changed_words

NAMES = ("table", "reg", "x")
PIECES = (
    *NAMES,
    "class",
    "del",
    "@",
    ".",
    "(",
    ")",
    "[",
    "]",
    "=",
    "==",
    "+=",
    ",",
    " ",
    "\n",
    "|",
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


def may_change(name: str, text: str) -> bool:
    return (
        re.search(
            r"^(?:@\s*|del\s+|\w+\s*=\s*)?(?:\w+\.)*(?:" + name + r")\b\s*(?:[\[.(|@\n]|=[^=]|\+=)",
            text,
            re.M,
        )
        is not None
    )


def derives(name: str, text: str) -> bool:
    return re.search(rf"^class\s.*[(,=]\s*(?:\w+\.)*(?:{name})\b", text, re.M) is not None


@given(TEXTS)
def test_a_name_is_found_where_its_own_pattern_finds_it(text: str) -> None:
    assert {n for n in NAMES if n in changed_words(text)} == {
        n for n in NAMES if may_change(n, text)
    }


@given(TEXTS)
def test_a_base_is_found_where_its_own_pattern_finds_it(text: str) -> None:
    text = f"class A{text}"
    found = base_words(text)
    assert [n in found for n in NAMES] == [derives(n, text) for n in NAMES]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("TABLE.update(x)\n", {"TABLE", "update"}),
        ('registry["x"] = f\n', {"registry"}),
        ("pkg.registry.add(f)\n", {"pkg", "registry", "add"}),
        ("@app.route('/')\ndef f(): ...\n", {"app", "route"}),
        ("found = table.get(1)\n", {"found", "table", "get"}),
        ("del table[0]\n", {"table"}),
        ("def f():\n    table.clear()\n", set()),
        ("table == 1\n", set()),
    ],
)
def test_which_words_a_line_may_change(text: str, words: set[str]) -> None:
    assert changed_words(text) == words


def test_what_a_class_derives_from() -> None:
    assert base_words("class A(pkg.Base, metaclass=Meta):\n    x = f(Other)\n") == {
        "pkg", "Base", "metaclass", "Meta",
    }  # fmt: skip
