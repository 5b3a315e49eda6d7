"""`--verify` runs the cases in the repository, with what its modules import."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from slicefunc.driver.pipeline.checks import Thresholds, verify
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.driver.pipeline.recording.repository_runs import RepositoryRuns
from slicefunc.driver.pipeline.rejection_reasons import why_not
from slicefunc.driver.places.repository_origin import origin_of
from slicefunc.driver.places.script_environment import current_interpreter
from slicefunc.slicer import Repository
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Case

from tests.driver.record.test_environment import needs_sandbox

pytestmark = needs_sandbox


def test_a_slice_that_does_something_else_is_no_environment(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("RATE = 2\n\n\ndef f(x):\n    return x * RATE\n")
    repository = Repository(tmp_path)
    sliced = compile_slice(repository, "m.py::f")
    sliced = replace(sliced, source=sliced.source.replace("RATE = 2", "RATE = 3"))
    choice, place = choose(), current_interpreter(sliced.manifest)
    runs = RepositoryRuns(repository, sliced, origin_of(tmp_path), place, choice, installs=False)
    cases = [Case("c", "def c():\n    return f(2)\n")]
    found = verify(tmp_path, sliced, cases, Thresholds(), choice, place.profile, in_place=runs)
    (check,) = [each for each in found.checks if each.name == "faithful"]
    assert str(check) == "FAILED: faithful: c: value: 4 in the repository, 6 here"
    assert "unfaithful" in [each.code for each in why_not(sliced, None, found)]


_PACKAGE = {
    "shop/__init__.py": """\
from ._items import Item

__all__ = ["Item"]
_own = locals()
for name in __all__:
    setattr(_own[name], "__module__", "shop")
""",
    "shop/_items.py": """\
class Item:
    def __init__(self, price):
        self.price = price
""",
    "shop/_baskets.py": """\
from ._items import Item


def first(price):
    return Item(price)
""",
}


def test_a_class_that_its_package_calls_its_own_is_the_same(tmp_path: Path) -> None:
    for path, text in _PACKAGE.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    repository = Repository(tmp_path)
    sliced = compile_slice(repository, "shop/_baskets.py::first")
    assert "__module__" not in sliced.source
    choice, place = choose(), current_interpreter(sliced.manifest)
    runs = RepositoryRuns(repository, sliced, origin_of(tmp_path), place, choice, installs=False)
    cases = [Case("c", "def c():\n    return first(2)\n")]
    found = verify(tmp_path, sliced, cases, Thresholds(), choice, place.profile, in_place=runs)
    (check,) = [each for each in found.checks if each.name == "faithful"]
    assert str(check) == "ok: faithful: 1 case, as in the repository"
