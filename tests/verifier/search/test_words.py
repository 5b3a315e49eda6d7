"""Literals are mined from code, and texts are made that its patterns match."""

from __future__ import annotations

import ast
import re

from slicefunc.verifier.search.words import texts_matching, words_of

CODE = '''
def f(x):
    """Not mined."""
    if x == "yes" or x > -4 or re.match(r"[a-c]{2}-\\d+$", x):
        return {"key": 2.5, b"raw": True}
'''


def test_literals_by_kind() -> None:
    words = words_of([ast.parse(CODE)])
    assert words.texts == ("yes", "key")
    assert set(words.numbers) == {4, -4, 2.5}
    assert words.binary == (b"raw",)
    assert words.patterns == (r"[a-c]{2}-\d+$",)
    assert words.matching
    assert all(re.match(words.patterns[0], text) for text in words.matching)


def test_what_is_no_pattern_has_no_matches() -> None:
    assert texts_matching("(unclosed") == ()


def test_matches_are_the_same_each_time() -> None:
    assert texts_matching(r"\w+@\w+\.com") == texts_matching(r"\w+@\w+\.com")


def test_a_pattern_is_meant_with_its_flags() -> None:
    code = "re.compile(r'''  [a-c]{2}  # letters\n  -\\d ''', flags=re.VERBOSE | re.I)"
    words = words_of([ast.parse(code)])
    assert words.matching
    assert all(re.fullmatch(r"[a-c]{2}-\d", text, re.I) for text in words.matching)
    assert not words.texts
