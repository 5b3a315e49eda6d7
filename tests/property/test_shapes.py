"""For every generated use of an answer: the inferred default satisfies it."""

from __future__ import annotations

import sys
import tempfile
import types
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from slicefunc.mocker.border import find_border
from slicefunc.mocker.settings import Settings
from slicefunc.mocker.shape import Variant, variants_at
from slicefunc.slicer import Repository, slice_function

from .answer_uses import programs


def variants(source: str) -> tuple[Variant, ...]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.py").write_text(source)
        repository = Repository(folder)
        sliced = slice_function(repository, "program.py::Task.run")
        border = find_border(repository, sliced, Settings())
        return variants_at(border, "outside.fetch()", kind="json")


def run(source: str, answer: object) -> object:
    module = types.ModuleType("outside")
    module.fetch = lambda: answer
    sys.modules["outside"] = module
    try:
        names: dict[str, object] = {}
        exec(source, names)
        return names["Task"]().run()
    finally:
        del sys.modules["outside"]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_the_default_answer_satisfies_every_use(source: str) -> None:
    default = variants(source)[0]
    try:
        assert run(source, default.value) == "done"
    except Exception as error:
        raise AssertionError(f"{source}\n{default.value!r}") from error


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_the_answers_are_the_same_each_time(source: str) -> None:
    assert variants(source) == variants(source)
