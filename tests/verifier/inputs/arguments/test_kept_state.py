"""What a target keeps between calls: it is called before, and no case sets what contradicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.model import Target
from slicefunc.verifier.inputs.argument_pools import Inputs, inputs_of
from slicefunc.verifier.inputs.statements import texts_of
from slicefunc.verifier.script.own_caches import own_caches, unwatched_labels
from slicefunc.verifier.search.corpus.seed_drafts import first_drafts
from slicefunc.verifier.search.drafts.drafts import case_of

if TYPE_CHECKING:
    from pathlib import Path

STATES = """
class Basket:
    def __init__(self, limit: int):
        self.limit = limit
        self._items = []
        self._total = 0
        self.open = True

    def put(self, price: int):
        self._items.append(price)
        self._total += price

    def mean(self):
        return self._total / len(self._items) if self.open else 0

    def refill(self, price: int):
        self.put(price)
        return self._total

    def closed(self):
        return not self.open

_numbers = [1]

def number(step: int):
    _numbers.append(_numbers[-1] + step)
    return _numbers[-1]

def kept(step: int, _all={}):
    _all[step] = _all.get(step, 0) + 1
    return _all[step]

def plain(step: int):
    found = []
    found.append(step)
    return found
"""


def inputs(folder: Path, target: str) -> Inputs:
    (folder / "a.py").write_text(STATES)
    repository = Repository(folder)
    found = inputs_of(repository, slice_function(repository, f"a.py::{target}"))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("target", "earlier"),
    [
        ("Basket.refill", ["basket = Basket(limit=", "basket.refill("]),
        ("number", ["number("]),
        ("kept", ["kept("]),
    ],
)
def test_a_target_that_keeps_something_is_called_before(
    tmp_path: Path, target: str, earlier: list[str]
) -> None:
    found = inputs(tmp_path, target)
    name = target.rpartition(".")[2]
    codes = [case_of(found, draft, "case").code for draft in first_drafts(found) if draft.before]
    twice = [code for code in codes if code.count(f"{name}(") == 2]
    assert twice, codes
    assert all(part in twice[0] for part in earlier)


@pytest.mark.parametrize("target", ["plain", "Basket.closed"])
def test_a_target_that_keeps_nothing_is_called_once(tmp_path: Path, target: str) -> None:
    assert not inputs(tmp_path, target).keeps_state


def test_attributes_that_methods_set_together_are_not_set_alone(tmp_path: Path) -> None:
    states = texts_of(inputs(tmp_path, "Basket.refill").receivers.states)
    assert not [each for each in states if each.startswith(("{it}._items", "{it}._total"))]
    states = texts_of(inputs(tmp_path, "Basket.closed").receivers.states)
    assert [each for each in states if each.startswith("{it}.open")]


CACHES = """
_by_key = {}
_counts = {}
_table = None
_shared = {}
_seen = {}
_sizes = {}
__all__ = ["worked_out"]

def worked_out(key):
    if key in _by_key:
        return _by_key[key]
    value = key * 2
    _by_key[key] = value
    return value

def counted(key):
    _counts[key] = _counts.get(key, 0) + 1
    return _counts[key]

def table():
    global _table
    if _table is None:
        _table = {"a": 1}
    return _table

def shared(key):
    if key not in _shared:
        _shared[key] = len(key)
    return _shared[key]

def forget():
    _shared.clear()

def sized(key):
    if key not in _sizes:
        _sizes[key] = len(key)
    return "long" if _sizes[key] > 3 else "short"

def is_new(key):
    if key in _seen:
        return False
    _seen[key] = key
    return True
"""


@pytest.mark.parametrize(
    ("name", "caches"),
    [
        ("worked_out", ("_by_key",)),
        ("table", ("_table",)),
        ("sized", ("_sizes",)),
        ("counted", ()),
        ("shared", ()),
        ("is_new", ()),
    ],
)
def test_caches_are_what_changes_no_result_and_nobody_else_reads(
    tmp_path: Path, name: str, caches: tuple[str, ...]
) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/a.py").write_text(CACHES)
    assert own_caches(Repository(tmp_path), Target("pkg/a.py", name)) == caches


def test_a_cache_that_tests_clear_is_no_own_one(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CACHES)
    target = Target("a.py", "worked_out")
    assert unwatched_labels(Repository(tmp_path), target) == ("<script>._by_key", "a._by_key")
    (tmp_path / "test_a.py").write_text("import a\n\ndef setup():\n    a._by_key.clear()\n")
    assert own_caches(Repository(tmp_path), target) == ()


@pytest.mark.parametrize(
    ("body", "is_taken"), [("    got = yield n\n    yield got\n", True), ("    yield n\n", False)]
)
def test_a_generator_that_takes_values_is_also_gone_through_without(
    tmp_path: Path, body: str, is_taken: bool
) -> None:
    (tmp_path / "a.py").write_text(f"def f(n: int):\n{body}")
    repository = Repository(tmp_path)
    found = inputs_of(repository, slice_function(repository, "a.py::f"))
    assert found is not None
    codes = [case_of(found, draft, "case").code for draft in first_drafts(found)]
    assert any("islice(f(" in code for code in codes) is is_taken
