"""Methods that copying, replacing and pickling ask for by themselves."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from .small_programs import check

REPLACED = """\
import copy
class Paper:
    def __init__(self, **said): self.said = said
    def __replace__(self, /, **said): return Paper(**{**self.said, **said})
    def unused(self): return 1
def f(): return copy.replace(Paper(size=4), ink="red").said
"""


def test_what_copy_replace_asks_for_is_kept(tmp_path: Path) -> None:
    """Before Python 3.13 it has no such function, so that only the text shows it."""
    (tmp_path / "m.py").write_text(REPLACED)
    sliced = slice_function(Repository(tmp_path), "m.py::f").source
    assert "__replace__" in sliced
    assert "unused" not in sliced


@pytest.mark.skipif(sys.version_info < (3, 13), reason="copy.replace is of Python 3.13")
def test_what_is_replaced_is_the_same(tmp_path: Path) -> None:
    check(REPLACED, tmp_path)
