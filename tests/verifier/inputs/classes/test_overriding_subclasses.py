"""Subclasses that override what a target reads are in the slice whose cases make some."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.driver.settings.options import Options
from slicefunc.slicer import Repository
from slicefunc.verifier.inputs import missing_subclasses
from slicefunc.verifier.inputs.argument_pools import inputs_of

BOOKS = """\
class Book:
    def __init__(self, name, month="May"):
        self.name = name
        self.month = month

    @property
    def title(self):
        return self.name

    def shown(self):
        return self.title

    def plain(self):
        return self.name

    @staticmethod
    def most():
        return 3


class Magazine(Book):
    @property
    def title(self):
        return f"{self.name}, {self.month}"


class Leaflet(Book):
    @property
    def title(self):
        return ""

    def shown(self):
        return "a leaflet"


class Atlas(Book):
    def pages(self):
        return 7
"""
ASKED = {"Book.shown": ("a.py::Magazine",), "Book.plain": (), "Book.most": ()}


def _repository(folder: Path) -> Repository:
    (folder / "a.py").write_text(BOOKS)
    (folder / "tests").mkdir()
    test = "from a import Book\n\nclass Fake(Book):\n    title = property(str)\n"
    (folder / "tests" / "test_a.py").write_text(test)
    return Repository(folder)


@pytest.mark.parametrize("target", ASKED)
def test_those_that_override_what_the_target_reads(target: str, tmp_path: Path) -> None:
    repository = _repository(tmp_path)
    sliced = compile_slice(repository, (f"a.py::{target}",))
    assert missing_subclasses(repository, sliced) == ASKED[target]


def test_cases_call_the_target_on_them(tmp_path: Path) -> None:
    repository = _repository(tmp_path)
    options = Options(keep=ASKED["Book.shown"])
    sliced = compile_slice(repository, ("a.py::Book.shown",), options)
    inputs = inputs_of(repository, sliced)
    assert inputs is not None
    texts = [each for each in inputs.receivers.texts if each.startswith("Magazine(")]
    there: dict[str, object] = {}
    exec(sliced.source, there)
    shown = [eval(f"{text}.shown()", there) for text in texts]
    assert any(each.endswith(", May") for each in shown)
    assert not all(each.endswith(", May") for each in shown)
