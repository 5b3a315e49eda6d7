"""Literals are mined from code, and texts are made that its patterns match."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

from slicefunc.verifier.search.drafts.code_literals import CodeLiterals, texts_matching, words_of

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


def test_texts_do_not_depend_on_how_we_are_installed(tmp_path: Path) -> None:
    code = (
        "import os, sys\n"
        "from slicefunc.verifier.search.drafts.code_literals import texts_matching\n"
        "assert texts_matching('[a-z]+')\n"
        "assert 'pytest' not in sys.modules and 'HYPOTHESIS_NO_PLUGINS' not in os.environ"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert not (tmp_path / ".hypothesis" / "constants").exists()  # where those of sources are kept


def test_other_words_come_first_at_each_turn() -> None:
    words = CodeLiterals(("a", "b", "c"), matching=("x", "y"))
    assert words.turned(1, 2).texts == ("c", "a", "b")
    assert {each for turn in range(3) for each in words.turned(turn, 1).texts[:1]} == {*"abc"}
    assert words.turned(3, 1).matching == ("y", "x")
